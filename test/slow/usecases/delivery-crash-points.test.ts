import test, { type ExecutionContext } from 'ava';
import { OrchestratorUnavailable } from '../../../gateways/orchestrator/port.ts';
import type { StoreConnection } from '../../../store/database/connection.ts';
import { aStop, ok, refusal, startDeliveryLife, type DeliveryLife } from '../../usecases/support/delivery-life.ts';
import { aGate } from '../../support/a-gate.ts';
import { closeTestStore, openTestStore } from '../../support/open-test-store.ts';

// Protocol 10 to 17, point by point: a process is stopped right there, by a step that is never taken or never answers, and a
// fresh one goes on with what is in the database.

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

/** An item was pushed and its event stored; its delivery is under way. */
async function openDelivery(t: ExecutionContext): Promise<DeliveryLife> {
  const life = await openLife(t);
  const sound = life.process();
  await sound.push('A1');
  await sound.advance('A1');
  return life;
}

/** Longer than any attempt can take. */
const untilTakenOverMs = 15_000;
const interrupted = 'failed interrupted: the sending process stopped before the answer was recorded';

async function assertOneEvent(t: ExecutionContext, life: DeliveryLife): Promise<void> {
  t.deepEqual(
    (await life.events()).map(({ type, number, sequence }) => ({ type, number, sequence })),
    [{ type: 'item.created', number: 1, sequence: 1 }],
  );
  t.like(await life.deliveries(), { length: 1 });
}

// specification: 10-the-accepted-write
test.serial('10: stopped after the accepted write: the event is in it and is stored by whoever comes', async (t) => {
  const life = await openLife(t);
  const stop = aStop();
  await life.process().push('A1');
  life
    .process({ record: () => stop.here })
    .advance('A1')
    .catch(t.fail);
  await stop.reached;
  t.deepEqual(await life.events(), []);
  await life.process().advance('A1');
  await assertOneEvent(t, life);
  t.is(life.started.length, 1);
});

// specification: 10-the-accepted-write
test.serial('10: a delete that comes before anything was stored takes no event with it', async (t) => {
  const life = await openLife(t);
  const sound = life.process();
  await sound.push('A1');
  await sound.remove('A1');
  await sound.advance('A1');
  await assertOneEvent(t, life);
});

// specification: 12-event-and-deliveries
test.serial(
  '12: stopped in the transaction of event and deliveries: neither is there, and the number is not used up',
  async (t) => {
    const life = await openLife(t);
    await life.process().push('A1');
    const broken = life.process({
      plan: () => () => {
        throw new Error('stopped here');
      },
    });
    await t.throwsAsync(broken.advance('A1'), { message: 'stopped here' });
    t.deepEqual([await life.events(), await life.deliveries(), life.started], [[], [], []]);
    await life.process().advance('A1');
    await assertOneEvent(t, life);
  },
);

// specification: 12-event-and-deliveries
test.serial(
  '12: the transaction that a killed process left open holds the events of its account up for seconds only',
  async (t) => {
    const life = await openLife(t);
    await life.process().push('A1');
    const session = await life.store.connection.startSession();
    session.startTransaction();
    const counters = life.store.connection.collection<{ _id: string }>('event_counters');
    await counters.updateOne({ _id: life.account }, { $inc: { lastNumber: 1 } }, { session, upsert: true });
    const began = Date.now();
    await life.process().advance('A1');
    t.true(Date.now() - began < 20_000, `${Date.now() - began} ms`);
    await assertOneEvent(t, life);
    await session.endSession();
  },
);

// specification: 12-event-and-deliveries
test.serial(
  '12: stopped after that transaction: the event id says that it has happened, and nothing is stored twice',
  async (t) => {
    const life = await openLife(t);
    const stop = aStop();
    await life.process().push('A1');
    life
      .process({ items: () => ({ replace: stop.here }) })
      .advance('A1')
      .catch(t.fail);
    await stop.reached;
    await assertOneEvent(t, life);
    const fresh = life.process();
    await fresh.advance('A1');
    await assertOneEvent(t, life);
    await fresh.push('A2');
    await fresh.advance('A2');
    t.deepEqual(
      (await life.events()).map(({ number }) => number),
      [1, 2],
    );
  },
);

// specification: 14-a-start-that
test.serial('14: stopped before the delivery was started: the sweep starts it, once and after its grace', async (t) => {
  const life = await openLife(t);
  const stop = aStop();
  await life.process().push('A1');
  life.process({ start: stop.here }).advance('A1').catch(t.fail);
  await stop.reached;
  const fresh = life.process();
  await fresh.advance('A1');
  t.is(await fresh.sweep(), 0);
  life.pass(2_000);
  t.is(await fresh.sweep(), 1);
  t.is(await fresh.sweep(), 0);
  t.is(life.started.length, 1);
});

// specification: 14-a-start-that
test.serial('14: a start that the engine certainly did not take is due again in 2 s', async (t) => {
  const life = await openDelivery(t);
  life.pass(2_000);
  const away = life.process({ start: () => Promise.reject(new OrchestratorUnavailable('connection refused')) });
  t.is(await away.sweep(), 0);
  life.started.length = 0;
  life.pass(2_000);
  t.is(await life.process().sweep(), 1);
  t.is(life.started.length, 1);
});

// specification: 14-a-start-that
test.serial(
  '14: the sweep is stopped between its claim and the start: the claim runs out and the next sweep starts it',
  async (t) => {
    const life = await openDelivery(t);
    const stop = aStop();
    life.pass(2_000);
    life.process({ start: stop.here }).sweep().catch(t.fail);
    await stop.reached;
    life.started.length = 0;
    life.pass(30_000);
    t.is(await life.process().sweep(), 1);
    t.is(life.started.length, 1);
  },
);

// specification: 15-reserved-before-it
test.serial(
  '15: stopped after the reservation, before the request: logged as interrupted, sent as the next attempt',
  async (t) => {
    const life = await openDelivery(t);
    const stop = aStop();
    const dying = life.process({ deliveries: () => ({ sender: { send: stop.here } }) });
    dying.attempt().catch(t.fail);
    await stop.reached;
    const fresh = life.process();
    t.like(await fresh.attempt(), { kind: 'wait', forMs: untilTakenOverMs }, 'somebody may still be at it');
    life.pass(untilTakenOverMs);
    t.like(await fresh.attempt(), { kind: 'wait', forMs: 1_000 });
    life.pass(1_000);
    t.deepEqual(await fresh.attempt(), { kind: 'closed' });
    t.deepEqual(await life.log(), [`1 ${interrupted}`, '2 success']);
    t.is(life.arrived.length, 1);
  },
);

// specification: 15-reserved-before-it
test.serial(
  '15: stopped after the request, before its outcome is recorded: it comes twice with one event id',
  async (t) => {
    const life = await openDelivery(t);
    const stop = aStop();
    const dying = life.process({
      deliveries: (sound) => ({ deliveries: { ...sound.deliveries, complete: stop.here } }),
    });
    dying.attempt().catch(t.fail);
    await stop.reached;
    life.pass(untilTakenOverMs);
    const fresh = life.process();
    await fresh.attempt();
    life.pass(1_000);
    await fresh.attempt();
    t.deepEqual(await life.log(), [`1 ${interrupted}`, '2 success']);
    t.is(life.arrived.length, 2);
    t.is(new Set(life.arrived).size, 1);
    t.like(await life.deliveries(), [{ state: 'succeeded', attempts: 2 }]);
  },
);

// specification: 15-final-state-log
test.serial(
  '15: the transaction of the last outcome is undone: no record, no state, no count; then all three, once',
  async (t) => {
    const life = await openDelivery(t);
    life.answers(refusal);
    const sound = life.process();
    for (const waitMs of [1_000, 2_000, 4_000, 8_000]) {
      t.like(await sound.attempt(), { kind: 'wait', forMs: waitMs });
      life.pass(waitMs);
    }
    const dying = life.process({
      deliveries: () => ({ changeEndpoint: () => () => Promise.reject(new Error('stopped here')) }),
    });
    await t.throwsAsync(dying.attempt(), { message: 'stopped here' });
    t.like(await life.deliveries(), [{ state: 'pending', attempts: 5 }]);
    t.is((await life.log()).length, 4);
    t.is(await life.failCount(), 0);
    life.pass(untilTakenOverMs);
    t.deepEqual(await sound.attempt(), { kind: 'closed' });
    t.like(await life.deliveries(), [{ state: 'given_up', attempts: 5, nextAttemptAt: null }]);
    t.deepEqual((await life.log()).slice(3), ['4 failed HTTP 500', `5 ${interrupted}`]);
    t.is(await life.failCount(), 1);
    t.deepEqual(await sound.attempt(), { kind: 'closed' });
    t.is(await life.failCount(), 1, 'nothing is left to do, so it counts once');
  },
);

// specification: 15-reserved-before-it
test.serial('15: stopped at every single attempt: five are reserved and logged, never a sixth', async (t) => {
  const life = await openDelivery(t);
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const stop = aStop();
    life
      .process({ deliveries: () => ({ sender: { send: stop.here } }) })
      .attempt()
      .catch(t.fail);
    await stop.reached;
    life.pass(untilTakenOverMs);
    await life.process().attempt();
    life.pass(8_000);
  }
  t.deepEqual(
    await life.log(),
    [1, 2, 3, 4, 5].map((attempt) => `${attempt} ${interrupted}`),
  );
  t.like(await life.deliveries(), [{ state: 'given_up', attempts: 5 }]);
  t.is(await life.failCount(), 1);
  t.deepEqual(await life.process().attempt(), { kind: 'closed' });
  t.is(life.arrived.length, 0);
});

// specification: 15-of-two-processes
test.serial('15: two processes come to the same attempt at once: one reserves it and sends', async (t) => {
  const life = await openDelivery(t);
  const met = meeting(2);
  const racer = () =>
    life.process({
      deliveries: (sound) => ({
        deliveries: {
          ...sound.deliveries,
          reserve: async (...given) => {
            await met();
            return sound.deliveries.reserve(...given);
          },
        },
      }),
    });
  await Promise.all([racer().attempt(), racer().attempt()]);
  t.is(life.arrived.length, 1);
  t.deepEqual(await life.log(), ['1 success']);
});

for (const [when, waits] of Object.entries({ 'was logged as interrupted': 1, 'was followed by the next one': 2 })) {
  // specification: 15-of-two-processes
  test.serial(`15: an attempt that ends after it ${when} changes nothing any more`, async (t) => {
    const life = await openDelivery(t);
    const [sent, hold] = [aGate(), aGate()];
    const slow = life.process({
      deliveries: () => ({
        sender: {
          send: async () => {
            sent.open();
            await hold.opened;
            return refusal;
          },
        },
      }),
    });
    const late = slow.attempt();
    await sent.opened;
    const fresh = life.process();
    life.pass(untilTakenOverMs);
    await fresh.attempt();
    life.pass(1_000);
    if (waits === 2) await fresh.attempt();
    hold.open();
    await late;
    const known = [`1 ${interrupted}`, ...(waits === 2 ? ['2 success'] : [])];
    t.deepEqual(await life.log(), known);
    t.like(await life.deliveries(), [{ state: waits === 2 ? 'succeeded' : 'pending', attempts: waits }]);
    if (waits === 1) await fresh.attempt();
    t.deepEqual(await life.log(), [`1 ${interrupted}`, '2 success']);
    t.is(await life.failCount(), 0);
  });
}

// specification: 15-of-two-processes
test.serial('15: two processes take the same interrupted attempt over: one log record, one wait', async (t) => {
  const life = await openDelivery(t);
  const stop = aStop();
  life
    .process({ deliveries: () => ({ sender: { send: stop.here } }) })
    .attempt()
    .catch(t.fail);
  await stop.reached;
  life.pass(untilTakenOverMs);
  await Promise.all([life.process().attempt(), life.process().attempt()]);
  t.deepEqual(await life.log(), [`1 ${interrupted}`]);
  t.like(await life.deliveries(), [{ state: 'pending', attempts: 1 }]);
});

// specification: 14-a-start-that
test.serial('14: the starts that a stopped sweep has taken with it are made when its claims run out', async (t) => {
  const life = await openLife(t);
  const [sound, stop] = [life.process(), aStop()];
  for (let n = 1; n <= 25; n += 1) {
    await sound.push(`A${n}`);
    await sound.advance(`A${n}`);
  }
  life.started.length = 0;
  life.pass(2_000);
  life.process({ start: stop.here }).sweep().catch(t.fail);
  await stop.reached;
  t.is(await sound.sweep(), 0, 'all are claimed');
  life.pass(30_000);
  t.is(await sound.sweep(), 25);
  t.is(new Set(life.started.map(({ deliveryId }) => deliveryId)).size, 25);
});

// specification: 14-a-start-that
test.serial('14: a workflow that comes again after the end finds nothing to do', async (t) => {
  const life = await openDelivery(t);
  const sound = life.process();
  life.answers(ok);
  t.deepEqual(await sound.attempt(), { kind: 'closed' });
  t.deepEqual(await sound.attempt(), { kind: 'closed' });
  life.pass(60_000);
  t.is(await sound.sweep(), 0);
  t.is(life.arrived.length, 1);
});

/** Lets everybody on when so many have come. */
function meeting(count: number): () => Promise<void> {
  const full = aGate();
  let come = 0;
  return () => {
    come += 1;
    if (come === count) full.open();
    return full.opened;
  };
}
