import test from 'ava';
import { problem } from '../../features/rules/field-problems.ts';

import { deliveredTypes, eventTypes } from '../../features/webhooks/rules/event-types.ts';
import { accountId } from '../../features/rules/ids.ts';
import { sampleEvent } from '../../features/webhooks/rules/sample-event.ts';
import { compileSchema } from '../../schemas/compile-schema.ts';
import { deliveredSchemas } from '../../schemas/events/event-schemas.ts';
import { problemsOfBody } from '../support/sound-webhooks.ts';
import { recordedPayloads } from './golden-files.ts';

const accountUuid = '7d1f6a0e-2a55-4c3b-8f0e-5d2b9c7a4e10';
const now = new Date('2026-03-02T09:15:04.120Z');
const sample = (type: (typeof deliveredTypes)[number]) =>
  sampleEvent(type, { accountId: accountId(accountUuid), eventId: 'evt_test_1', now });

for (const type of deliveredTypes) {
  test(`a sample of ${type} is as the schema says, and the schema names all of it`, (t) => {
    t.deepEqual(problemsOfBody({ ...sample(type) }), []);
  });
  test(`a sample of ${type} says that it is a test, and of whom`, (t) => {
    const { data, ...envelope } = sample(type);
    t.deepEqual(envelope, { eventId: 'evt_test_1', eventType: type, timestamp: now.toISOString() });
    t.like(data, { test: true, externalId: 'itembridge-test', account: { serviceUserId: accountUuid } });
  });
}

for (const type of eventTypes) {
  // specification: the-interface-document-has
  test(`a sample of ${type} has every field that a real one has`, (t) => {
    const real = recordedPayloads(type).flatMap(({ body }) => Object.keys(body.data));
    const shown = Object.keys(sample(type).data).filter((name) => name !== 'test');
    t.deepEqual(shown.toSorted(), [...new Set(real)].toSorted());
  });
}

test('webhook.test without data.test is none', (t) => {
  const { test: _left, ...data } = sample('webhook.test').data;
  const problems = compileSchema(deliveredSchemas['webhook.test']).problems({ ...sample('webhook.test'), data });
  t.deepEqual(problems, [problem('data.test', 'required')]);
});
