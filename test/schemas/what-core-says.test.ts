import test from 'ava';

import { accountId, itemId } from '../../features/rules/ids.ts';
import { describeStatus } from '../../features/items/rules/describe-item.ts';
import { createItem } from '../../features/items/rules/upsert-item.ts';
import { buildEnvelope } from '../../features/webhooks/rules/envelope.ts';
import { compileSchema } from '../../schemas/compile-schema.ts';
import { itemCreatedSchema } from '../../schemas/events/event-schemas.ts';
import { itemStatusSchema } from '../../schemas/items/item-status.ts';
import { readItemRequest } from '../../schemas/items/read-item-request.ts';
import { aBody } from './items/requests.ts';

const owner = accountId('7d1f6a0e-2a55-4c3b-8f0e-5d2b9c7a4e10');
const item = createItem({
  id: itemId('0b5c1c5e-6b0a-4d1f-9a55-0a1f0c9d7e11'),
  accountId: owner,
  externalId: 'BX-1042',
  request: readItemRequest(aBody()),
  sequenceBefore: 0,
  actor: { kind: 'api_key', accountId: owner, keyId: 'key-1', requestId: null },
  now: new Date('2026-03-02T09:15:04.120Z'),
});

test('the status of a new item is as its schema says', (t) => {
  t.deepEqual(compileSchema(itemStatusSchema).problems(describeStatus(item)), []);
});

for (const memberExternalId of [undefined, 'verkstad-17']) {
  test(`item.created of a new item is as its schema says, ${memberExternalId ? 'for a reseller' : 'for its owner'}`, (t) => {
    const [entry] = item.outbox;
    if (entry === undefined) return t.fail('a new item carries no event');
    const envelope = buildEnvelope(entry, { accountId: owner, memberExternalId });
    t.deepEqual(compileSchema(itemCreatedSchema).problems(envelope), []);
  });
}
