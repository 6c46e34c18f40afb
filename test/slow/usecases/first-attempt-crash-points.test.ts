import test, { type ExecutionContext } from 'ava';
import { mongo } from 'mongoose';
import type { StoreConnection } from '../../../store/database/connection.ts';
import { aGate } from '../../support/a-gate.ts';
import { closeTestStore, openTestStore } from '../../support/open-test-store.ts';
import { until } from '../../support/until.ts';
import {
  aStop,
  ok,
  refusal,
  startDeliveryLife,
  type DeliveryLife,
  type Deviations,
} from '../../usecases/support/delivery-life.ts';

// Protocol 15 to 17, for first attempts that the lane makes: a process is stopped at each point, and a fresh one goes on with what is
// in the database. What its workflow does from the second attempt on is in delivery-crash-points.test.ts.

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(async () => {
  await closeTestStore(store);
});

async function openLife(t: ExecutionContext): Promise<DeliveryLife> {
  const life = await startDeliveryLife(store);
  t.teardown(() => life.close());
  return life;
}

/** An item is pushed and its event stored by a process whose lane differs so. */
async function pushWith(life: DeliveryLife, deviations: Deviations = {}, externalId = 'A1') {
  const process = life.process({ lane: true, ...deviations });
  await process.push(externalId);
  await process.advance(externalId);
  return process;
}

/** The lease of an attempt, after which the sweep looks. */
const leaseMs = 30_000;
const graceMs = 2_000;
const interrupted = 'failed interrupted: the sending process stopped before the answer was recorded';

async function assertDelivered(t: ExecutionContext, life: DeliveryLife): Promise<void> {
  t.like(await life.deliveries(), [{ state: 'succeeded', attempts: 1, nextAttemptAt: null }]);
  t.deepEqual(await life.log(), ['1 success']);
}

test.serial(
  'one that gets through at once needs no workflow; record, log and count are as a workflow leaves them',
  async (t) => {
    const life = await openLife(t);
    const process = await pushWith(life);
    await process.close();
    await assertDelivered(t, life);
    t.is(life.arrived.length, 1);
    t.deepEqual(life.started, []);
    t.is(await life.failCount(), 0);
    t.deepEqual(await process.attempt(), { kind: 'closed' });
  },
);

test.serial('at the first failure the workflow takes over from the same record, after the same wait', async (t) => {
  const life = await openLife(t);
  life.answers(refusal);
  const process = await pushWith(life);
  await process.close();
  t.is(life.started.length, 1);
  t.deepEqual(await life.log(), ['1 failed HTTP 500']);
  t.like(await process.attempt(), { kind: 'wait', forMs: 1_000 });
  for (const [waitMs, attempts] of [
    [1_000, 2],
    [2_000, 3],
    [4_000, 4],
    [8_000, 5],
  ] as const) {
    life.pass(waitMs);
    await process.attempt();
    t.like(await life.deliveries(), [{ attempts }]);
  }
  t.like(await life.deliveries(), [{ state: 'given_up', attempts: 5 }]);
  t.is(await life.failCount(), 1);
});

test.serial('410 ends it at once, and no workflow is asked to', async (t) => {
  const life = await openLife(t);
  life.answers({ ...refusal, gone: true });
  await (await pushWith(life)).close();
  t.like(await life.deliveries(), [{ state: 'given_up', attempts: 1 }]);
  t.is(await life.failCount(), 1);
  t.deepEqual(life.started, []);
});

test.serial('a success sets back what failures had counted', async (t) => {
  const life = await openLife(t);
  life.answers({ ...refusal, gone: true });
  const process = await pushWith(life);
  await until('the failure is counted', async () => (await life.failCount()) === 1);
  life.answers(ok);
  await process.push('A2');
  await process.advance('A2');
  await process.close();
  t.is(await life.failCount(), 0);
});

test.serial(
  '17: stopped after the failure was recorded, before the workflow was started: the sweep starts it',
  async (t) => {
    const life = await openLife(t);
    const stop = aStop();
    life.answers(refusal);
    await pushWith(life, { start: stop.here });
    await stop.reached;
    const fresh = life.process({ lane: true });
    t.is(await fresh.sweep(), 0, 'its own timer would come first');
    life.pass(6_000);
    t.is(await fresh.sweep(), 1);
    t.is(life.started.length, 1);
    t.is(life.arrived.length, 1);
  },
);

test.serial('stopped before the reservation: nobody holds it, and another lane takes it a moment later', async (t) => {
  const life = await openLife(t);
  const stop = aStop();
  await pushWith(life, { lane: () => ({ reserveMany: stop.here }) });
  await stop.reached;
  const fresh = life.process({ lane: true });
  t.is(await fresh.sweep(), 0);
  life.pass(graceMs);
  t.is(await fresh.sweep(), 1);
  await fresh.close();
  await assertDelivered(t, life);
  t.is(life.arrived.length, 1);
});

for (const [point, arrivals] of [
  ['before the request', 1],
  ['after the request, before its outcome is recorded', 2],
] as const) {
  test.serial(
    `15: stopped after the reservation, ${point}: logged as interrupted, sent again as the second attempt`,
    async (t) => {
      const life = await openLife(t);
      const stop = aStop();
      await pushWith(
        life,
        arrivals === 1
          ? { deliveries: () => ({ sender: { send: stop.here } }) }
          : { lane: () => ({ completeMany: stop.here }) },
      );
      await stop.reached;
      const fresh = life.process({ lane: true });
      life.pass(leaseMs - 1);
      t.is(await fresh.sweep(), 0, 'somebody may still be at it');
      life.pass(1);
      t.is(await fresh.sweep(), 1);
      t.is(life.started.length, 1, 'what was begun is the workflow’s');
      t.like(await fresh.attempt(), { kind: 'wait', forMs: 1_000 });
      life.pass(1_000);
      t.deepEqual(await fresh.attempt(), { kind: 'closed' });
      t.deepEqual(await life.log(), [`1 ${interrupted}`, '2 success']);
      t.is(life.arrived.length, arrivals);
      t.is(new Set(life.arrived).size, 1);
    },
  );
}

const lost = (): Error => new mongo.MongoNetworkError('connection closed');

test.serial('a reservation whose answer was lost is found again by its claim, and sent once', async (t) => {
  const life = await openLife(t);
  let asked = 0;
  const process = await pushWith(life, {
    lane: (sound) => ({
      reserveMany: async (...given) => {
        asked += 1;
        const ours = await sound.reserveMany(...given);
        if (asked === 1) throw lost();
        return ours;
      },
    }),
  });
  await process.close();
  await assertDelivered(t, life);
  t.deepEqual([asked, life.arrived.length], [2, 1]);
});

test.serial('an outcome whose commit was not confirmed is written once', async (t) => {
  const life = await openLife(t);
  let asked = 0;
  const process = await pushWith(life, {
    lane: (sound) => ({
      completeMany: async (...given) => {
        asked += 1;
        const isDone = await sound.completeMany(...given);
        if (asked === 1) throw lost();
        return isDone;
      },
    }),
  });
  await process.close();
  await assertDelivered(t, life);
  t.is(life.arrived.length, 1);
});

test.serial('15: two processes come to the same first attempt at once: one sends', async (t) => {
  const life = await openLife(t);
  const [first, second] = [aGate(), aGate()];
  const racing: Deviations = {
    lane: (sound) => ({
      reserveMany: async (...given) => {
        second.open();
        await first.opened;
        return sound.reserveMany(...given);
      },
    }),
  };
  const one = await pushWith(life, racing);
  await second.opened;
  life.pass(graceMs);
  const two = life.process({ lane: true });
  t.is(await two.sweep(), 1);
  first.open();
  await Promise.all([one.close(), two.close()]);
  await assertDelivered(t, life);
  t.is(life.arrived.length, 1);
});

test.serial(
  '15: of outcomes written together, the one that was taken over meanwhile changes nothing, the others are there',
  async (t) => {
    const life = await openLife(t);
    const [sent, hold] = [aGate(), aGate()];
    let requests = 0;
    const slow = life.process({
      lane: true,
      deliveries: (sound) => ({
        sender: {
          send: async (attempt) => {
            requests += 1;
            if (requests === 2) sent.open();
            await hold.opened;
            return sound.sender.send(attempt);
          },
        },
      }),
    });
    for (const externalId of ['A1', 'A2']) {
      await slow.push(externalId);
      await slow.advance(externalId);
    }
    await sent.opened;
    const [taken] = await life.deliveries();
    if (taken === undefined) throw new Error('there is no delivery');
    life.pass(leaseMs);
    await life.process().attempt(taken._id);
    hold.open();
    await slow.close();
    t.deepEqual((await life.log()).toSorted(), [`1 ${interrupted}`, '1 success'].toSorted());
    t.deepEqual((await life.deliveries()).map(({ state }) => state).toSorted(), ['pending', 'succeeded']);
  },
);

test.serial('what a lane still had waiting when it was closed is due for others at once', async (t) => {
  const life = await openLife(t);
  const full = await pushWith(life, {
    lane: ({ health }) => ({ health: { ...health, tryBeginFirst: () => ({ kind: 'full' }) } }),
  });
  const fresh = life.process({ lane: true });
  t.is(await fresh.sweep(), 0);
  await full.close();
  t.is(await fresh.sweep(), 1);
  await fresh.close();
  await assertDelivered(t, life);
});

test.serial('what can’t be sent is handed over, so that its workflow shows why', async (t) => {
  const life = await openLife(t);
  const process = await pushWith(life, {
    deliveries: () => ({
      sign: () => {
        throw new Error('stored secret could not be decrypted');
      },
    }),
  });
  await process.close();
  t.is(life.started.length, 1);
  t.like(await life.deliveries(), [{ state: 'pending', attempts: 0 }]);
});

test.serial('what waits here for long is found by the sweep of its own process, and still sent once', async (t) => {
  const life = await openLife(t);
  const mayBegin = { yes: false };
  const reserved: string[] = [];
  const process = await pushWith(life, {
    lane: ({ health, reserveMany }) => ({
      reserveMany: (ids, reservation) => {
        reserved.push(...ids);
        return reserveMany(ids, reservation);
      },
      health: {
        ...health,
        tryBeginFirst: (target) => (mayBegin.yes ? health.tryBeginFirst(target) : { kind: 'full' }),
      },
    }),
  });
  for (let round = 0; round < 3; round += 1) {
    life.pass(leaseMs);
    await process.sweep();
  }
  mayBegin.yes = true;
  // Whatever ends makes the lane look again.
  await process.push('A2');
  await process.advance('A2');
  await until('both have arrived', () => Promise.resolve(life.arrived.length >= 2));
  await process.close();
  t.is(life.arrived.length, 2);
  t.deepEqual(await life.log(), ['1 success', '1 success']);
  t.deepEqual(life.started, []);
  t.is(reserved.length, 2, 'it stood in line once');
});
