import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId } from '../../core/ids.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { recordEvents } from '../../store/events/event-log.ts';
import { createEventRecorder } from '../../usecases/events/event-recorder.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { aDueEvent } from '../support/stored-events.ts';
import { until } from '../support/until.ts';

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(() => closeTestStore(store));

test('an event whose row another transaction has locked holds no other event of its account', async (t) => {
  const account = accountId(randomUUID());
  const [locked, free] = [aDueEvent(account, 'A1'), aDueEvent(account, 'A2')];
  const events = store.connection.collection<{ _id: string }>('events');
  const session = await store.connection.startSession();
  session.startTransaction();
  await events.insertOne({ _id: locked.entry.eventId }, { session });
  const record = createEventRecorder(async (of, due) => {
    await recordEvents(store, of, { events: due, planDeliveries: () => [], now: new Date() });
  });
  const held = record(account, [locked]);
  await new Promise(setImmediate);
  const other = record(account, [free]);
  const isStored = (id: string) => async () => (await events.findOne({ _id: id })) !== null;
  try {
    await t.notThrowsAsync(until('the free event is stored', isStored(free.entry.eventId), 3_000));
    t.false(await isStored(locked.entry.eventId)());
  } finally {
    await session.abortTransaction();
    await session.endSession();
  }
  await Promise.all([held, other]);
  const numbers = await events.find({ accountId: account }, { projection: { number: 1 } }).toArray();
  t.deepEqual(numbers.map((row) => (row as { number?: number }).number).toSorted(), [1, 2]);
});
