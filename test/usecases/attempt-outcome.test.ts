import test, { type ExecutionContext } from 'ava';
import { mongo } from 'mongoose';
import type { StoreConnection } from '../../store/database/connection.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { ok, refusal, startDeliveryLife, type DeliveryLife, type Deviations } from './support/delivery-life.ts';

// What a receiver answered is worth more than a moment without the database.

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(() => closeTestStore(store));

/** A delivery whose first four attempts failed, and whose fifth will get a 200. */
async function openFifthAttempt(t: ExecutionContext): Promise<DeliveryLife> {
  const life = await startDeliveryLife(store);
  t.teardown(() => life.close());
  const sound = life.process();
  await sound.push('A1');
  await sound.advance('A1');
  life.answers(refusal);
  for (const waitMs of [1_000, 2_000, 4_000, 8_000]) {
    await sound.attempt();
    life.pass(waitMs);
  }
  life.arrived.length = 0;
  life.answers(ok);
  return life;
}

/** The connection is cut right before the write of an outcome. */
const cutOnce = (): Deviations => {
  let cuts = 1;
  return {
    deliveries: (sound) => ({
      deliveries: {
        ...sound.deliveries,
        complete: (...given) => {
          if (cuts === 0) return sound.deliveries.complete(...given);
          cuts -= 1;
          return Promise.reject(new mongo.MongoNetworkError('connection 3 closed'));
        },
      },
    }),
  };
};

async function assertDelivered(t: ExecutionContext, life: DeliveryLife): Promise<void> {
  t.like(await life.deliveries(), [{ state: 'succeeded', attempts: 5 }]);
  t.is((await life.log()).at(-1), '5 success');
  t.is(await life.failCount(), 0);
}

// specification: 15-an-answer-that
test('a 200 whose recording is cut off once is recorded as a success, and sent once', async (t) => {
  const life = await openFifthAttempt(t);
  t.deepEqual(await life.process(cutOnce()).attempt(), { kind: 'closed' });
  await assertDelivered(t, life);
  t.is(life.arrived.length, 1);
});

// specification: 15-an-answer-that
test('a process that takes over an interrupted attempt first looks for its log record: a success stays one', async (t) => {
  const life = await openFifthAttempt(t);
  const sound = life.process();
  await sound.attempt();
  const deliveries = store.connection.collection('deliveries');
  const mine = { accountId: life.account };
  const lost = { state: 'pending', inFlightSince: new Date('2026-11-21T12:00:15Z') } as const;
  await deliveries.updateOne(mine, { $set: lost });
  life.pass(15_000);
  t.deepEqual(await life.process().attempt(), { kind: 'closed' });
  await assertDelivered(t, life);
  t.is((await life.log()).length, 5);
  t.is(life.arrived.length, 1);
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
