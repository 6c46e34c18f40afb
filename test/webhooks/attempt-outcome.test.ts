import test, { type ExecutionContext } from 'ava';
import { mongo } from 'mongoose';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { ReceiverSlots } from '../../features/webhooks/receiver-slots.ts';
import type { Around } from '../support/around-store.ts';
import { withDatabase } from '../support/with-database.ts';
import { ok, refusal, startDeliveryLife, type DeliveryLife } from '../support/delivery-life.ts';

// What a receiver answered is worth more than a moment without the database.

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

/** A delivery whose first four attempts failed, and whose fifth will get a 200. */
async function openFifthAttempt(t: ExecutionContext): Promise<DeliveryLife> {
  const life = await startDeliveryLife(store);
  t.teardown(() => life.close());
  const sound = life.process();
  life.answer = () => refusal;
  await sound.happen('A1');
  await sound.work();
  for (const waitMs of [1_000, 2_000, 4_000]) {
    life.pass(waitMs);
    await sound.attempt();
  }
  life.pass(8_000);
  life.arrived.length = 0;
  life.answer = () => ok;
  return life;
}

/** The connection is cut before or after a write of the outcome, once. */
function cutOnce(step: string, side: 'before' | 'after'): Around {
  let cuts = 1;
  return async (name, take) => {
    const isCut = name === step && cuts > 0;
    if (isCut) cuts -= 1;
    if (isCut && side === 'before') throw new mongo.MongoNetworkError('connection 3 closed');
    const result = await take();
    if (isCut) throw new mongo.MongoNetworkError('connection 3 closed');
    return result;
  };
}

async function assertDelivered(t: ExecutionContext, life: DeliveryLife): Promise<void> {
  t.like(await life.deliveries(), [{ state: 'succeeded', attempts: 5 }]);
  t.deepEqual((await life.log()).slice(3), ['4 failed HTTP 500', '5 success']);
  t.is(await life.failCount(), 0);
  t.is(life.arrived.length, 1);
}

for (const step of ['insertMany delivery_attempts', 'bulkWrite deliveries'])
  for (const side of ['before', 'after'] as const)
    // specification: 15-an-answer-that
    test(`a 200 whose recording is cut off ${side} ${step} is recorded as a success, and sent once`, async (t) => {
      const life = await openFifthAttempt(t);
      t.deepEqual(await life.process({ around: cutOnce(step, side) }).attempt(), 'closed');
      await assertDelivered(t, life);
    });

for (const side of ['before', 'after'] as const)
  // specification: 15-an-answer-that
  test(`a failure that counts against the endpoint counts once, when its transaction is cut off ${side} its commit`, async (t) => {
    const life = await openFifthAttempt(t);
    life.answer = () => refusal;
    t.deepEqual(await life.process({ around: cutOnce('commit', side) }).attempt(), 'closed');
    t.like(await life.deliveries(), [{ state: 'given_up', attempts: 5 }]);
    t.is((await life.log()).length, 5);
    t.is(await life.failCount(), 1);
  });

// specification: 15-an-answer-that
test('a process that takes over an interrupted attempt first looks for its log record: a success stays one', async (t) => {
  const life = await openFifthAttempt(t);
  await life.process().attempt();
  const lost = { state: 'pending', startAt: life.now(), updatedAt: life.now() };
  await store.connection.collection('deliveries').updateOne({ accountId: life.account }, { $set: lost });
  life.pass(15_000);
  t.deepEqual(await life.process().attempt(), 'closed');
  await assertDelivered(t, life);
});

test('the record of an attempt has the id of its delivery and its number', async (t) => {
  const life = await openFifthAttempt(t);
  await life.process().attempt();
  const [delivery] = await life.deliveries();
  const log = store.connection.collection<{ _id: string }>('delivery_attempts').find({ accountId: life.account });
  t.deepEqual(
    (await log.sort({ attempt: 1 }).toArray()).map(({ _id }) => _id),
    [1, 2, 3, 4, 5].map((attempt) => `${delivery?._id}:${attempt}`),
  );
});

/** Nothing is free, and nothing becomes so. */
class FullSlots extends ReceiverSlots {
  override wait = (): Promise<null> => Promise.resolve(null);
}

// specification: who-waits-for-a
test('an attempt that finds no slot sends, reserves and logs nothing, and says why it waits', async (t) => {
  const life = await openFifthAttempt(t);
  const step = await life.process({ slots: new FullSlots() }).attempt();
  t.like(step, { kind: 'busy' });
  t.regex(typeof step === 'string' ? '' : step.because, /the receiver is slow/);
  t.deepEqual([life.arrived, (await life.log()).length], [[], 4]);
  t.like(await life.deliveries(), [{ attempts: 4 }]);
  await life.process().attempt();
  await assertDelivered(t, life);
});
