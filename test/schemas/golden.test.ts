import test, { type ExecutionContext } from 'ava';
import type { TObject } from 'typebox';
import { problem } from '../../features/rules/field-problems.ts';

import { deliveredTypes, eventTypes } from '../../features/webhooks/rules/event-types.ts';
import { compileSchema } from '../../schemas/compile-schema.ts';
import { errorBodySchema } from '../../schemas/errors.ts';
import { deliveredSchemas } from '../../schemas/events/event-schemas.ts';
import { itemStatusSchema } from '../../schemas/items/item-status.ts';
import { upsertResponseSchema } from '../../schemas/items/write-response.ts';
import { problemsOfBody } from '../support/sound-webhooks.ts';
import { unnamedKeys } from '../support/unnamed-keys.ts';
import { goldenAnswer, recordedPayloads, type Payload } from './golden-files.ts';

// Answers and payloads as they once were, against the schemas of today. `npm run generate -- payloads` records the payloads from real deliveries.

type Json = Readonly<Record<string, unknown>>;

const answers: ReadonlyArray<readonly [string, TObject]> = [
  ['item-status', itemStatusSchema],
  ['upsert-response', upsertResponseSchema],
  ['error-body', errorBodySchema],
];

for (const [name, schema] of answers) {
  // specification: externalid-serviceitemid-servicestatus-marketplacestatus, always-one-of-five, body-error-code-statuscode
  test(`the golden ${name} is as its schema says, and the schema names all of it`, (t) => {
    const answer = goldenAnswer(name);
    t.deepEqual(compileSchema(schema).problems(answer), []);
    t.deepEqual(unnamedKeys(schema, answer), []);
  });
  // specification: envelope-eventid-evt-eventtype
  test(`${name} without one of its required fields is refused`, (t) => {
    refusesWithoutRequired(t, { schema, value: goldenAnswer(name) });
  });
}

function refusesWithoutRequired(t: ExecutionContext, { schema, value }: { schema: TObject; value: Json }): void {
  const compiled = compileSchema(schema);
  for (const field of schema.required ?? []) {
    const { [field]: _left, ...rest } = value;
    t.deepEqual(compiled.problems(rest), [problem(field, 'required')]);
  }
}

for (const eventType of deliveredTypes) {
  const payloads = recordedPayloads(eventType);
  for (const { variant, body } of payloads) {
    // specification: envelope-eventid-evt-eventtype, item-created-type-item
    test(`the recorded ${eventType} (${variant}) is as its schema says, and the schema names all of it`, (t) => {
      t.deepEqual(problemsOfBody(body), []);
    });
  }
  const [first] = payloads;
  if (first !== undefined) testEnvelope(eventType, first.body);
}

function testEnvelope(eventType: (typeof deliveredTypes)[number], body: Payload['body']): void {
  const schema = deliveredSchemas[eventType];
  const compiled = compileSchema(schema);
  const withData = (data: Json): unknown => compiled.problems({ ...body, data });
  test(`${eventType} without one of its required fields is refused`, (t) => {
    refusesWithoutRequired(t, { schema, value: body });
  });
  // specification: listing-failed-not-an, 3-payloads-gain-fields
  test(`${eventType} always has the caller's id, the service's id, price, currency, sequence and account`, (t) => {
    for (const field of ['externalId', 'serviceItemId', 'platform', 'salePrice', 'currency', 'sequence', 'account']) {
      const { [field]: _left, ...rest } = body.data;
      t.deepEqual(withData(rest), [problem(`data.${field}`, 'required')]);
    }
  });
  // specification: 3-payloads-gain-fields
  test(`${eventType} may gain fields`, (t) => {
    t.deepEqual(withData({ ...body.data, later: true }), []);
  });
  test(`${eventType} of another type is refused`, (t) => {
    t.deepEqual(compiled.problems({ ...body, eventType: 'x' }), [
      problem('eventType', 'not_the_value', { value: eventType }),
    ]);
  });
}

test('every event type was recorded', (t) => {
  for (const eventType of deliveredTypes) t.true(recordedPayloads(eventType).length > 0, eventType);
});

test('imagesFailed is left out when no image failed, and there when one did', (t) => {
  const failed = recordedPayloads('item.images_ready').map(({ body }) => Object.hasOwn(body.data, 'imagesFailed'));
  t.deepEqual([...new Set(failed)].toSorted(), [false, true]);
});

test('a direct sale has no marketplace id', (t) => {
  const ids = recordedPayloads('item.sold').map(({ body }) => body.data['marketplaceAdId']);
  t.true(ids.includes(null));
});

// specification: account-memberexternalid-only-on
test('memberExternalId is on what a reseller gets for a member, and on nothing else', (t) => {
  for (const eventType of eventTypes)
    for (const { variant, body } of recordedPayloads(eventType))
      t.is(Object.hasOwn(Object(body.data['account']), 'memberExternalId'), variant.startsWith('member-'), variant);
});
