import { randomUUID } from 'node:crypto';
import test from 'ava';
import { Refusal } from '../../features/rules/errors.ts';
import { itemChangedId, itemCreatedId } from '../../features/webhooks/rules/event-types.ts';
import { accountId, itemId, type ItemId } from '../../features/rules/ids.ts';
import type { Scope } from '../../features/rules/scope.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { createItemStore } from '../../features/items/store/items.ts';
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

interface Accepted {
  readonly kind: 'put' | 'price' | 'delete';
  readonly priceOre: number;
  readonly itemId: ItemId;
  readonly revision: number;
  /** When its caller began to wait, and had the answer. */
  readonly began: number;
  readonly answered: number;
}

const kinds = ['put', 'price', 'put', 'price', 'delete'] as const;

const writesEach = 10;

/** The accepted ones of a caller's writes, each with a price of its own. A refusal is an answer, too. */
async function writeInTurn(api: ReturnType<typeof anApi>, scope: Scope, caller: number): Promise<Accepted[]> {
  const accepted: Accepted[] = [];
  for (let n = 0; n < writesEach; n += 1) {
    const kind = kinds[(n + caller) % kinds.length] ?? 'put';
    const priceOre = 100 * (1_000 + caller * writesEach + n);
    const target = { externalId: 'B1' };
    const calls = {
      put: () => api.upsert(scope, { ...target, request: anItemRequest({ priceOre }) }),
      price: () => api.changePrice(scope, { ...target, priceOre }),
      delete: () => api.remove(scope, target),
    };
    const began = performance.now();
    try {
      const { itemId: id, revision } = await calls[kind]();
      accepted.push({ kind, priceOre, itemId: id, revision, began, answered: performance.now() });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return accepted;
}

// specification: 12-event-and-deliveries
test('PUT, PATCH and DELETE of one item through two APIs happen one after the other: none is lost, each has its event', async (t) => {
  const id = accountId(randomUUID());
  // An account's own key knows its writes; any other writer's are told by an event each.
  const scope: Scope = { accountId: id, actingAccountId: id, credential: { kind: 'operator' } };
  const apis = [anApi(store), anApi(beside)];
  const writes = apis.flatMap((api, which) => [0, 1, 2, 3].map((n) => writeInTurn(api, scope, 4 * which + n)));
  const accepted = (await Promise.all(writes)).flat();
  t.deepEqual(new Set(accepted.map(({ kind }) => kind)), new Set(kinds));
  const rows = (name: string, sort: Record<string, 1>) =>
    store.connection.collection(name).find({ accountId: id }).sort(sort).toArray();
  const events = await rows('events', { sequence: 1 });
  const items = events.filter(({ type }) => type === 'item.created').map(({ itemId: made }) => String(made));
  const inOrder = accepted.toSorted(
    (one, other) => items.indexOf(one.itemId) - items.indexOf(other.itemId) || one.revision - other.revision,
  );
  t.deepEqual(
    events.map(({ _id }) => String(_id)),
    inOrder.map(({ itemId: made, revision }) => (revision === 1 ? itemCreatedId(made) : itemChangedId(made, revision))),
    'one event for each accepted write, in the order of the writes',
  );
  for (const [n, write] of inOrder.entries())
    t.false(
      inOrder.slice(n + 1).some(({ answered }) => answered < write.began),
      'what was answered before another began comes before it',
    );
  const left = await itemCollection(store).find({ accountId: id }).toArray();
  t.is(left.length, items.length);
  for (const row of left) {
    const own = inOrder.filter((write) => write.itemId === row._id);
    t.is(row.revision, own.length);
    t.deepEqual(
      [row.content.priceOre],
      own
        .filter(({ kind }) => kind !== 'delete')
        .map(({ priceOre }) => priceOre)
        .slice(-1),
    );
    t.is(row.current, own.at(-1)?.kind !== 'delete');
  }
  t.is((await rows('journal', {})).length, accepted.length);
});
