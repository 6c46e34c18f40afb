import { readFileSync } from 'node:fs';
import test from 'ava';
import Type, { type TObject } from 'typebox';

import { eventTypes } from '../../core/events/event-types.ts';
import { compileSchema } from '../../schemas/compile-schema.ts';
import { errorBodySchema } from '../../schemas/errors.ts';
import { eventSchemas } from '../../schemas/events/event-schemas.ts';
import { itemStatusSchema } from '../../schemas/items/item-status.ts';
import { upsertResponseSchema } from '../../schemas/items/upsert-response.ts';

type Json = Record<string, unknown>;

const golden = (name: string): Json =>
  JSON.parse(readFileSync(new URL(`golden/${name}.json`, import.meta.url), 'utf8'));
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every key of a payload must be named by its schema: a renamed field must not hide behind "others are allowed". */
function unnamedKeys(schema: TObject, value: Json, path = ''): string[] {
  return Object.entries(value).flatMap(([key, child]) => {
    const known = schema.properties[key];
    if (known === undefined) return [`${path}${key}`];
    return Type.IsObject(known) && isObject(child) ? unnamedKeys(known, child, `${path}${key}.`) : [];
  });
}

const cases: ReadonlyArray<readonly [string, TObject]> = [
  ...eventTypes.map((eventType) => [eventType, eventSchemas[eventType]] as const),
  ['item-status', itemStatusSchema],
  ['upsert-response', upsertResponseSchema],
  ['error-body', errorBodySchema],
];

for (const [name, schema] of cases) {
  test(`the golden ${name} is as its schema says, and the schema names all of it`, (t) => {
    const payload = golden(name);
    t.deepEqual(compileSchema(schema).problems(payload), []);
    t.deepEqual(unnamedKeys(schema, payload), []);
  });
  test(`${name} without one of its required fields is refused`, (t) => {
    const compiled = compileSchema(schema);
    for (const field of schema.required ?? []) {
      const { [field]: _left, ...rest } = golden(name);
      t.deepEqual(compiled.problems(rest), [{ field, message: 'is required' }]);
    }
  });
}

for (const eventType of eventTypes) {
  const problemsWith = (change: (data: Json) => Json): unknown => {
    const envelope = golden(eventType);
    return compileSchema(eventSchemas[eventType]).problems({ ...envelope, data: change(Object(envelope['data'])) });
  };
  test(`${eventType} always has the caller's id, the service's id, price, currency, sequence and account`, (t) => {
    for (const field of ['externalId', 'serviceItemId', 'platform', 'salePrice', 'currency', 'sequence', 'account']) {
      const without = problemsWith(({ [field]: _left, ...rest }) => rest);
      t.deepEqual(without, [{ field: `data.${field}`, message: 'is required' }]);
    }
  });
  test(`${eventType} may gain fields`, (t) => {
    t.deepEqual(
      problemsWith((data) => ({ ...data, later: true })),
      [],
    );
  });
  test(`${eventType} of another type is refused`, (t) => {
    const problems = compileSchema(eventSchemas[eventType]).problems({ ...golden(eventType), eventType: 'x' });
    t.deepEqual(problems, [{ field: 'eventType', message: `must be ${eventType}` }]);
  });
}

test('imagesFailed is left out when no image failed', (t) => {
  const envelope = golden('item.images_ready');
  const { imagesFailed: _none, ...data } = Object(envelope['data']);
  t.deepEqual(compileSchema(eventSchemas['item.images_ready']).problems({ ...envelope, data }), []);
});

test('a direct sale has no marketplace id', (t) => {
  const envelope = golden('item.sold');
  const data = { ...Object(envelope['data']), platform: 'service_card', marketplaceAdId: null };
  t.deepEqual(compileSchema(eventSchemas['item.sold']).problems({ ...envelope, data }), []);
});
