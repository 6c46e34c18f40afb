import { randomUUID } from 'node:crypto';
import test from 'ava';
import { Refusal } from '../../core/errors.ts';
import { accountId, itemId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { itemCollection } from '../../store/items/item-collection.ts';
import { createItemStore } from '../../store/items/items.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { noon } from '../support/an-item.ts';
import { createItemWrites } from '../support/item-writes.ts';
import { closeTestStore, openBeside, openTestStore } from '../support/open-test-store.ts';

let store: StoreConnection;
let beside: StoreConnection;
test.before(async () => {
  store = await openTestStore();
  beside = await openBeside(store);
});
test.after.always(async () => {
  await beside.close();
  await closeTestStore(store);
});

/** A process: its own connection, its own groups of writes, its own turns among the writers of an item. */
const anApi = (on: StoreConnection) =>
  createItemWrites({
    items: createItemStore(on),
    confirmCredential: () => Promise.resolve(),
    newItemId: () => itemId(randomUUID()),
    now: () => noon,
  });

// specification: 12-event-and-deliveries
test('two APIs that write one item at once: each accepted write counts once, with its event and its history', async (t) => {
  const id = accountId(randomUUID());
  const scope: Scope = { accountId: id, actingAccountId: id, credential: { kind: 'api-key', keyId: 'key-1' } };
  const apis = [anApi(store), anApi(beside)];
  await apis[0]?.upsert(scope, { externalId: 'A1', request: anItemRequest() });
  const writes = apis.flatMap((api, which) =>
    Array.from({ length: 15 }, (_, n) =>
      api.changePrice(scope, { externalId: 'A1', priceOre: 100_000 + n * 200 + which * 100 }).then(
        ({ outcome }) => outcome,
        (error: unknown) => {
          if (error instanceof Refusal && error.code === 'CONFLICT') return 'refused' as const;
          throw error;
        },
      ),
    ),
  );
  const outcomes = await Promise.all(writes);
  const accepted = outcomes.filter((outcome) => outcome === 'updated').length;
  const item = await itemCollection(store).findOne({ accountId: id, externalId: 'A1' });
  if (item === null) return t.fail();
  t.true(accepted > 1);
  t.is(item.revision, 1 + accepted);
  const rows = (name: string) => store.connection.collection(name).countDocuments({ accountId: id });
  t.is(await rows('journal'), item.journalNumber);
  t.is(await rows('events'), item.sequence);
  t.is(item.journalNumber, 1 + accepted);
});
