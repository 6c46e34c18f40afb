import { randomUUID } from 'node:crypto';
import test from 'ava';
import { Refusal } from '../../features/rules/errors.ts';
import { accountId, itemId, type AccountId } from '../../features/rules/ids.ts';
import type { Scope } from '../../features/rules/scope.ts';
import { createKeyedMutex } from '../../platform/concurrency/keyed-mutex.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { createItemLineStore } from '../../features/items/store/item-lines.ts';
import { applyBatch } from '../../features/items/apply-batch.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { Barrier } from '../support/barrier.ts';
import { withDatabase } from '../support/with-database.ts';
import { until } from '../support/until.ts';
import { present } from '../support/clock.ts';

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

const reseller = accountId(randomUUID());
const scope: Scope = {
  accountId: reseller,
  actingAccountId: reseller,
  credential: { kind: 'api-key', keyId: 'key-1' },
};

test('a batch that fails for one account is answered when none is at work any more, and begins no other', async (t) => {
  const members = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6'].map((externalId) => ({
    externalId,
    memberAccountId: accountId(randomUUID()),
  }));
  await store.connection.collection<{ _id: string }>('member_connections').insertMany(
    members.map((member) => ({
      _id: randomUUID(),
      resellerAccountId: reseller,
      ...member,
      createdAt: present(),
      updatedAt: present(),
    })),
  );
  const idOf = (reference: string) => members.find(({ externalId }) => externalId === reference)?.memberAccountId;
  const begun = new Set<AccountId>();
  const [slow, refusal] = [new Barrier(), new Refusal('UNAUTHORIZED', 'The key was revoked')];
  const context = {
    store,
    lines: createItemLineStore(store),
    confirmCredential: async (of: Scope) => {
      begun.add(of.accountId);
      if (of.accountId === idOf('m2')) throw refusal;
      await slow.pass();
    },
    runExclusive: createKeyedMutex(),
    newItemId: () => itemId(randomUUID()),
    now: present,
  };
  const rows = members.map(({ externalId: account }) => ({ account, externalId: 'A', request: anItemRequest() }));
  let isAnswered = false;
  const answered = applyBatch(context, scope, { rows }).finally(() => {
    isAnswered = true;
  });
  const failed = t.throwsAsync(answered, { is: refusal });
  await until('four are at work', async () => begun.size === 4);
  t.false(isAnswered);
  slow.open();
  await failed;
  t.deepEqual([...begun].toSorted(), ['m1', 'm2', 'm3', 'm4'].flatMap((name) => idOf(name) ?? []).toSorted());
  const made = await store.connection.collection('items').distinct('accountId');
  t.deepEqual(made.toSorted(), ['m1', 'm3', 'm4'].flatMap((name) => idOf(name) ?? []).toSorted());
});
