import test, { type ExecutionContext } from 'ava';
import { mongo } from 'mongoose';
import { OrchestratorUnavailable } from '../../gateways/orchestrator/port.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { createEncryption } from '../../platform/security/encryption.ts';
import { aGate } from '../support/a-gate.ts';
import type { Around } from '../support/around-store.ts';
import { awaitMajority } from '../support/open-test-store.ts';
import { withDatabase } from '../support/with-database.ts';
import {
  interrupted,
  ok,
  refusal,
  startDeliveryLife,
  type DeliveryLife,
  type DeliveryProcess,
} from '../support/delivery-life.ts';

// Protocol 10 to 17, for processes that are slow, or meet others at the same row. Those that are killed are in delivery-crash-points.

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

async function openLife(t: ExecutionContext): Promise<DeliveryLife> {
  const life = await startDeliveryLife(store);
  t.teardown(() => life.close());
  return life;
}

/** The attempts before have failed; the workflow is to make this one, and its time has come. */
async function openAttempt(t: ExecutionContext, attempt: 2 | 5): Promise<DeliveryLife> {
  const life = await openLife(t);
  life.answer = () => refusal;
  const sound = life.process();
  await sound.happen('A1');
  await sound.work();
  for (const waitMs of [1_000, 2_000, 4_000].slice(0, attempt - 2)) {
    life.pass(waitMs);
    await sound.attempt();
  }
  life.pass(8_000);
  life.answer = () => ok;
  life.arrived.length = 0;
  return life;
}

/** Takes `step` as the test says, all others as they are. */
const at =
  (step: string, instead: <Result>(take: () => Promise<Result>) => Promise<Result>): Around =>
  (name, take) =>
    name === step ? instead(take) : take();

/** Stands still before the step until the test lets it go on. */
function heldAt(step: string): { around: Around; reached: Promise<void>; goOn: () => void } {
  const [reached, held] = [aGate(), aGate()];
  const around = at(step, async (take) => {
    reached.open();
    await held.opened;
    return take();
  });
  return { around, reached: reached.opened, goOn: held.open };
}

/** Longer than any attempt can take. */
const leaseMs = 15_000;

// specification: 10-the-accepted-write
test.serial('10: a delete that comes before anything was stored takes no event with it', async (t) => {
  const life = await openLife(t);
  const sound = life.process();
  await sound.push('A1');
  await sound.remove('A1');
  await sound.work();
  t.deepEqual(
    (await life.events()).map(({ type }) => type),
    ['item.created'],
  );
});

// specification: 14-a-start-that
test.serial('14: a start that the engine certainly did not take is made 2 s later', async (t) => {
  const life = await openLife(t);
  life.answer = () => refusal;
  const away: Around = at('start', () => Promise.reject(new OrchestratorUnavailable('connection refused')));
  await life.process({ around: away }).happen('A1');
  await life.process().work();
  const [{ startAt } = { startAt: null }] = await life.deliveries();
  life.pass((startAt?.getTime() ?? 0) - life.now().getTime());
  await life.process({ around: away }).relay();
  await awaitMajority(store);
  t.deepEqual(life.started, []);
  life.pass(2_000);
  await life.process().relay();
  t.like(life.started, [{ attempt: 2 }]);
});

// specification: 14-a-start-that
test.serial('14: the starts that a stopped process has taken with it are made when its claims run out', async (t) => {
  const life = await openLife(t);
  life.answer = () => refusal;
  const names = Array.from({ length: 12 }, (_, n) => `A${n}`);
  const lost: Around = at('start', () => Promise.reject(new Error('deadline exceeded')));
  const first = life.process({ around: lost });
  await first.happen(...names);
  await first.work();
  life.pass(11_000);
  const stopped = heldAt('start');
  life.process({ around: stopped.around }).relay().catch(t.fail);
  await stopped.reached;
  await awaitMajority(store);
  const sound = life.process();
  await sound.relay();
  t.deepEqual(life.started, [], 'all are claimed');
  life.pass(11_000);
  await sound.relay();
  t.is(new Set(life.started.map(({ deliveryId }) => deliveryId)).size, 12);
});

// specification: 14-a-start-that
test.serial('14: a workflow that comes again after the end finds nothing to do', async (t) => {
  const life = await openAttempt(t, 2);
  const sound = life.process();
  t.deepEqual(await sound.attempt(), 'closed');
  t.deepEqual(await sound.attempt(), 'closed');
  t.is(life.arrived.length, 1);
});

// specification: 15-reserved-before-it
test.serial('15: stopped at every single attempt: five are reserved and logged, never a sixth', async (t) => {
  const life = await openLife(t);
  const first = heldAt('send');
  await life.process({ around: first.around }).happen('A1');
  await first.reached;
  life.pass(leaseMs);
  for (let attempt = 2; attempt <= 5; attempt += 1) {
    life.pass(8_000);
    const stopped = heldAt('send');
    life.process({ around: stopped.around }).attempt().catch(t.fail);
    await stopped.reached;
    t.like(await life.process().attempt(), { kind: 'busy', againInMs: leaseMs }, 'another process may be at it');
    life.pass(leaseMs);
    await life.process().attempt();
  }
  t.deepEqual(
    await life.log(),
    [1, 2, 3, 4, 5].map((attempt) => `${attempt} ${interrupted}`),
  );
  t.like(await life.deliveries(), [{ state: 'given_up', attempts: 5 }]);
  t.is(await life.failCount(), 1);
  t.deepEqual(await life.process().attempt(), 'closed');
  t.is(life.arrived.length, 0);
});

const everyStart = { 'a first attempt': 'updateMany deliveries', 'a further attempt': 'updateOne deliveries' };
for (const [which, reservation] of Object.entries(everyStart))
  // specification: 15-of-two-processes
  test.serial(`15: two processes come to ${which} at once: one reserves it and sends`, async (t) => {
    const isFirst = which === 'a first attempt';
    const life = isFirst ? await openLife(t) : await openAttempt(t, 2);
    if (isFirst) await life.process({ isCommand: true }).happen('A1');
    const racers = [heldAt(reservation), heldAt(reservation)];
    const processes = racers.map(({ around }) => life.process({ around }));
    const ends = processes.map((process: DeliveryProcess) => (isFirst ? process.work() : process.attempt()));
    await Promise.all(racers.map(({ reached }) => reached));
    for (const { goOn } of racers) goOn();
    await Promise.all(ends);
    t.is(life.arrived.length, 1);
    t.is((await life.log()).at(-1), isFirst ? '1 success' : '2 success');
    t.is((await life.log()).length, isFirst ? 1 : 2);
  });

for (const [when, attempts] of Object.entries({ 'was logged as interrupted': 2, 'was followed by the next one': 3 }))
  // specification: 15-of-two-processes
  test.serial(`15: an attempt that ends after it ${when} changes nothing any more`, async (t) => {
    const life = await openAttempt(t, 2);
    const hold = heldAt('insertMany delivery_attempts');
    life.answer = () => refusal;
    const late = life.process({ around: hold.around }).attempt();
    await hold.reached;
    life.answer = () => ok;
    const fresh = life.process();
    life.pass(leaseMs);
    await fresh.attempt();
    life.pass(2_000);
    if (attempts === 3) await fresh.attempt();
    hold.goOn();
    await late;
    t.like(await life.deliveries(), [{ state: attempts === 3 ? 'succeeded' : 'pending', attempts }]);
    if (attempts === 2) await fresh.attempt();
    t.deepEqual(await life.log(), ['1 failed HTTP 500', `2 ${interrupted}`, '3 success']);
    t.is(await life.failCount(), 0);
  });

// specification: 15-of-two-processes
test.serial('15: two processes take the same interrupted attempt over: one log record, one wait', async (t) => {
  const life = await openAttempt(t, 2);
  const stopped = heldAt('send');
  life.process({ around: stopped.around }).attempt().catch(t.fail);
  await stopped.reached;
  life.pass(leaseMs);
  await Promise.all([life.process().attempt(), life.process().attempt()]);
  t.deepEqual(await life.log(), ['1 failed HTTP 500', `2 ${interrupted}`]);
  t.like(await life.deliveries(), [{ state: 'pending', attempts: 2 }]);
});

for (const attempt of [2, 5] as const)
  // specification: 15-of-two-processes
  test.serial(
    `15: success ${attempt} is logged while another process takes the attempt over: never sent again`,
    async (t) => {
      const life = await openAttempt(t, attempt);
      const [unlogged, unrecorded] = [heldAt('insertMany delivery_attempts'), heldAt('bulkWrite deliveries')];
      const around: Around = (step, take) => unlogged.around(step, () => unrecorded.around(step, take));
      const late = life.process({ around }).attempt();
      await unlogged.reached;
      life.pass(leaseMs);
      // It has looked into the log, and found nothing.
      const taker = heldAt('insertMany delivery_attempts');
      const taken = life.process({ around: taker.around }).attempt();
      await taker.reached;
      unlogged.goOn();
      await unrecorded.reached;
      taker.goOn();
      await taken;
      unrecorded.goOn();
      await late;
      life.pass(leaseMs);
      await life.process().attempt();
      t.like(await life.deliveries(), [{ state: 'succeeded', attempts: attempt, startAt: null }]);
      t.is((await life.log()).at(-1), `${attempt} success`);
      t.is(life.arrived.length, 1);
      t.is(await life.failCount(), 0);
    },
  );

test.serial('15: of outcomes written together, the one that was taken over meanwhile changes nothing', async (t) => {
  const life = await openLife(t);
  const hold = heldAt('bulkWrite deliveries');
  const slow = life.process({ around: hold.around });
  const gate = aGate();
  life.answer = () => gate.opened.then(() => ok);
  await slow.happen('A1', 'A2');
  const taken = (await life.deliveries())[0];
  if (taken === undefined) throw new Error('there is no delivery');
  life.pass(leaseMs);
  // Before either has an outcome. The next attempt is refused.
  life.answer = () => refusal;
  await life.process().attempt(taken._id);
  gate.open();
  hold.goOn();
  await slow.close();
  t.deepEqual((await life.log()).toSorted(), ['1 success', `1 ${interrupted}`, '2 failed HTTP 500'].toSorted());
  t.deepEqual((await life.deliveries()).map(({ state }) => state).toSorted(), ['pending', 'succeeded']);
});

// specification: 15-reserved-before-it
test.serial('15: the first attempt of a process that has died is nobody else’s until its lease ends', async (t) => {
  const life = await openLife(t);
  const stopped = heldAt('send');
  await life.process({ around: stopped.around }).happen('A1');
  await stopped.reached;
  const fresh = life.process();
  life.pass(leaseMs - 1);
  await fresh.relay();
  t.deepEqual(life.started, []);
  t.like(await fresh.attempt(), { kind: 'busy', againInMs: 1 }, 'it may still be at it');
  life.pass(1);
  await fresh.relay();
  t.like(life.started, [{ attempt: 2 }]);
  life.answer = () => refusal;
  t.is(await fresh.attempt(), 'failed');
  t.deepEqual(await life.log(), [`1 ${interrupted}`, '2 failed HTTP 500']);
});

test.serial(
  '17: what is stored while the workflow of its receiver takes its last look is found by a relay',
  async (t) => {
    const life = await openLife(t);
    await life.changeTarget({ startAt: life.now() });
    const look = heldAt('updateOne webhook_endpoints');
    // The first write of a look takes the target over, the second one clears it.
    let writes = 0;
    const around: Around = (step, take) => {
      if (step === 'updateOne webhook_endpoints') writes += 1;
      return writes === 2 ? look.around(step, take) : take();
    };
    const ending = life.process({ around }).lookAtReceiver(true);
    await look.reached;
    await life.process({ isCommand: true }).happen('A1');
    look.goOn();
    t.deepEqual(await ending, { kind: 'ended' });
    t.like(await life.target(), { startAt: null });
    await awaitMajority(store);
    await life.process().relay();
    t.true(life.receivers.includes(life.targetKey));
    await life.process().work();
    t.deepEqual(life.arrived, ['A1']);
  },
);

const lost = (): Error => new mongo.MongoNetworkError('connection closed');

for (const step of ['insertMany delivery_attempts', 'bulkWrite deliveries'])
  for (const side of ['before', 'after'] as const)
    // specification: 15-an-answer-that
    test.serial(`a connection that is cut ${side} ${step}: the attempt is made once and recorded once`, async (t) => {
      const life = await openLife(t);
      await life.process({ isCommand: true }).happen('A1');
      let cuts = 1;
      const around = at(step, async (take) => {
        const isCut = cuts > 0;
        cuts -= 1;
        if (isCut && side === 'before') throw lost();
        const result = await take();
        if (isCut) throw lost();
        return result;
      });
      await life.process({ around }).work();
      t.like(await life.deliveries(), [{ state: 'succeeded', attempts: 1, startAt: null }]);
      t.deepEqual(await life.log(), ['1 success']);
      t.is(life.arrived.length, 1);
    });

test.serial('what can’t be signed is never sent: when its lease is over its workflow shows why', async (t) => {
  const life = await openLife(t);
  const strange = createEncryption([{ id: 'other', secret: Buffer.alloc(32, 8).toString('base64') }]);
  await life.process({ encryption: strange }).happen('A1');
  life.pass(leaseMs);
  const process = life.process({ encryption: strange });
  await process.relay();
  t.is(new Set(life.started.map(({ deliveryId }) => deliveryId)).size, 1);
  life.pass(1_000);
  await t.throwsAsync(process.attempt());
  await t.throwsAsync(process.attempt());
  t.like(await life.deliveries(), [{ state: 'pending', attempts: 1 }], 'a try that sends nothing uses no attempt up');
  t.deepEqual(life.arrived, []);
});
