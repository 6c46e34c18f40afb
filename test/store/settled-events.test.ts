import { randomUUID } from 'node:crypto';
import test from 'ava';
import { emit } from '../../core/events/outbox.ts';
import { accountId, eventId, itemId, type AccountId } from '../../core/ids.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import { insertEvents, withoutStoredEvents, type DueEvent } from '../../store/events/events.ts';
import { createItemStore } from '../../store/items/items.ts';
import { settleItems, type Settlement } from '../../store/items/settle-items.ts';
import { anItem, later, noon } from '../support/an-item.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { aDueEvent, planUnreserved } from '../support/stored-events.ts';
import { present } from '../support/clock.ts';

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(() => closeTestStore(store));

const now = present;
const numbersOf = async (account: AccountId): Promise<unknown[]> =>
  (await store.connection.collection('events').find({ accountId: account }).sort({ number: 1 }).toArray()).map(
    ({ externalId, number }) => [externalId, number],
  );

// specification: 12-event-and-deliveries
test('events that are stored already, or come twice at once, are left out; the others are numbered without a gap', async (t) => {
  const account = accountId(randomUUID());
  const [first, second, third] = ['A1', 'A2', 'A3'].map((name) => aDueEvent(account, name)) as [
    DueEvent,
    DueEvent,
    DueEvent,
  ];
  const insertNew = (events: readonly DueEvent[]) =>
    inTransaction(store, async (session) =>
      insertEvents(store, await withoutStoredEvents(store, events, session), { now: now(), session }),
    );
  await insertNew([first]);
  await insertNew([second, first, third, second]);
  t.deepEqual(await insertNew([first, third]), []);
  t.deepEqual(await numbersOf(account), [
    ['A1', 1],
    ['A2', 2],
    ['A3', 3],
  ]);
});

test('a recovery has events in the order of their numbers, whenever they were accepted', async (t) => {
  const [account, other] = [accountId(randomUUID()), accountId(randomUUID())];
  const accepted = (of: AccountId, seconds: number): DueEvent => {
    const due = aDueEvent(of, randomUUID());
    return { ...due, entry: { ...due.entry, acceptedAt: later(seconds * 1_000) } };
  };
  const secondsOf = async (...events: DueEvent[]): Promise<number[]> => {
    const stored = await inTransaction(store, (session) =>
      insertEvents(store, events, { now: later(10_000), session }),
    );
    return stored.map(({ eventAt }) => (eventAt.getTime() - noon.getTime()) / 1_000);
  };
  t.deepEqual(await secondsOf(accepted(account, 5)), [5]);
  t.deepEqual(await secondsOf(accepted(account, 3), accepted(account, 6), accepted(account, 4)), [5, 6, 6]);
  t.deepEqual(await secondsOf(accepted(other, 2), accepted(account, 4), accepted(other, 1)), [2, 6, 2]);
  // One wrong clock.
  t.deepEqual(await secondsOf(accepted(account, 3_600)), [3_600]);
  t.deepEqual(await secondsOf(accepted(account, 7), accepted(account, 6)), [7, 7]);
});

/** Stored items that have each come to one event. */
async function someSettlements(account: AccountId, count: number): Promise<Settlement[]> {
  const items = createItemStore(store);
  return Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const item = anItem({ accountId: account, externalId: `A${n}`, id: itemId(randomUUID()) });
      await items.insert(item);
      const previous = await items.findById(item.id);
      if (previous === null) throw new Error('not stored');
      const id = eventId(`evt_${item.id.replaceAll('-', '')}_sold`);
      const next = emit(previous, {
        ...{ eventId: id, type: 'item.sold', occurredAt: now(), platform: 'service', extra: {} },
      });
      return { previous, next, events: next.outbox.slice(previous.outbox.length), journal: [] };
    }),
  );
}

test('a transaction of settled items has at most a thousand rows, however many targets their events have', async (t) => {
  const account = accountId(randomUUID());
  const endpoints = Array.from({ length: 41 }, (_, n) => ({
    ...{ _id: `${account}-${n}`, accountId: account, scope: 'self', active: true, eventTypes: [] },
    createdAt: new Date(0),
  }));
  await store.connection.collection<{ _id: string }>('webhook_endpoints').insertMany(endpoints);
  const settlements = await someSettlements(account, 100);
  const rows: number[] = [];
  const settled = await settleItems(store, settlements, {
    planDeliveries: planUnreserved,
    // Each event beside its deliveries, and its item.
    onStored: (deliveries) => rows.push(deliveries.length + (2 * deliveries.length) / endpoints.length),
    now,
  });
  t.true(settled.every((one) => one !== null && !(one instanceof Error)));
  t.is(await store.connection.collection('deliveries').countDocuments({ accountId: account }), 4_100);
  t.true(Math.max(...rows) <= 1_000, String(rows));
  t.true(rows.length <= 6, `${rows.length} transactions`);
});

test('an event whose row another transaction has locked holds no event that comes after it, and is stored in the end', async (t) => {
  const account = accountId(randomUUID());
  const [locked, free] = (await someSettlements(account, 2)) as [Settlement, Settlement];
  const session = await store.connection.startSession();
  session.startTransaction();
  await store.connection
    .collection<{ _id: string }>('events')
    .insertOne({ _id: locked.events[0]?.eventId ?? '' }, { session });
  const settle = (one: Settlement) =>
    settleItems(store, [one], { planDeliveries: planUnreserved, onStored: () => undefined, now });
  const held = settle(locked);
  try {
    await settle(free);
    t.deepEqual(await numbersOf(account), [['A1', 1]]);
  } finally {
    await session.abortTransaction();
    await session.endSession();
  }
  await held;
  t.deepEqual(await numbersOf(account), [
    ['A1', 1],
    ['A0', 2],
  ]);
});
