import test, { type ExecutionContext } from 'ava';
import { newQueue, roomOf, type Queue } from '../../dispatch/delivery-queue.ts';
import { accountId, endpointId } from '../../core/ids.ts';
import { disableAfterFailures } from '../../core/webhooks/delivery.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { ReceiverSlots } from '../../usecases/deliveries/receiver-slots.ts';
import { aGate } from '../support/a-gate.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { until } from '../support/until.ts';
import { ok, refusal, startDeliveryLife, type DeliveryLife } from '../usecases/support/delivery-life.ts';

// The queues of webhook targets, on a real database: who is sent what, in which order, and what waits.

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(() => closeTestStore(store));

async function openLife(t: ExecutionContext, kind: 'endpoint' | 'url' = 'endpoint'): Promise<DeliveryLife> {
  const life = await startDeliveryLife(store, { kind });
  t.teardown(() => life.close());
  return life;
}

const names = (count: number, prefix = 'A'): string[] => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
const gone = { ...refusal, gone: true, httpStatus: 410 };
const untried = { attempts: 0, state: 'pending' };

const troubleOf = ({ account }: DeliveryLife) =>
  store.connection.collection('receivers_in_trouble').findOne({ accountId: account });

/** The workflows of all that failed make their attempts, as their times come, until nothing is between two attempts. */
async function retryAll(life: DeliveryLife): Promise<void> {
  const process = life.process();
  for (;;) {
    const retrying = await life.deliveries({ 'due.by': 'workflow' });
    if (retrying.length === 0) return;
    life.pass(8_000);
    for (const { _id } of retrying) await process.attempt(_id);
  }
}

test('a queue is sent in its order, and what happens meanwhile goes behind it', async (t) => {
  const life = await openLife(t);
  const gate = aGate();
  life.answer = () => gate.opened.then(() => ok);
  const process = life.process();
  await process.happen(...names(6));
  await process.happen(...names(6, 'B'));
  t.is((await life.deliveries(untried)).length, 8, 'a receiver that nothing is known of has 4 slots');
  gate.open();
  await process.work();
  t.deepEqual(life.arrived, [...names(6), ...names(6, 'B')]);
  t.deepEqual(life.started, []);
});

test('an event that comes while its queue is being read is not overtaken by later ones', async (t) => {
  const life = await openLife(t);
  const claims = [0, 1, 2].map(() => ({ begun: aGate(), held: aGate() }));
  let count = 0;
  const process = life.process({
    around: async (step, take) => {
      if (step === 'updateMany deliveries') {
        const claim = claims[count];
        count += 1;
        claim?.begun.open();
        await claim?.held.opened;
      }
      return take();
    },
  });
  await life.process({ owns: false }).happen('A0');
  await process.look();
  for (const [n, { begun, held }] of claims.slice(0, 2).entries()) {
    await begun.opened;
    await process.happen(`A${n + 1}`);
    held.open();
  }
  claims[2]?.held.open();
  await process.work();
  t.deepEqual(life.arrived, names(3));
});

test('a slot that becomes free is given to the queue at once, without a look', async (t) => {
  const life = await openLife(t);
  const gates = [aGate(), aGate()];
  const [first, rest] = gates;
  life.answer = (name) => (name === 'A0' ? first : rest)?.opened.then(() => ok) ?? ok;
  const process = life.process();
  await process.happen(...names(5));
  // The queue is known: all slots are taken.
  await process.look();
  await until('4 were sent', async () => life.arrived.length === 4);
  first?.open();
  await until('the fifth was sent', async () => life.arrived.length === 5);
  t.pass();
  rest?.open();
  await process.work();
});

// specification: webhook-attempts-5-after
test('a dead receiver costs as many workflows as disable it, however many events it misses; its trouble is noted', async (t) => {
  const life = await openLife(t);
  life.answer = () => refusal;
  const process = life.process();
  for (let round = 0; round < 8; round += 1) await process.happen(...names(5, `${round}-`));
  await until('as many as may be are between two attempts', async () => {
    await process.look();
    return (await life.deliveries({ 'due.by': 'workflow' })).length >= disableAfterFailures && (await troubleOf(life));
  });
  await process.close();
  t.true(life.started.length <= disableAfterFailures + 4, `${life.started.length} workflows`);
  t.is((await life.deliveries(untried)).length, 40 - life.started.length);
  t.is(life.arrived.length, life.started.length);
});

// specification: auto-disable-15-failures
test('when a dead receiver is disabled, what waited untried becomes missed, and nothing of it is sent', async (t) => {
  const life = await openLife(t);
  life.answer = () => gone;
  const process = life.process();
  await process.happen(...names(3));
  await process.work();
  await life.changeTarget({ failCount: 14 });
  life.answer = () => refusal;
  await process.happen('last');
  await process.work();
  life.answer = () => gone;
  await life.process({ owns: false }).happen(...names(60, 'B'));
  await retryAll(life);
  t.like(await life.target(), { active: false, failCount: 15 });
  const before = life.arrived.length;
  const fresh = life.process();
  await fresh.work();
  t.is(life.arrived.length, before);
  const held = await life.deliveries({ state: 'held' });
  t.is(held.length, 60);
  t.true(held.every(({ missed, attempts, due }) => missed && attempts === 0 && due === null));
});

test('when a retry gets through, the queue flows again, in its order', async (t) => {
  const life = await openLife(t);
  life.answer = () => refusal;
  const process = life.process();
  await process.happen(...names(30));
  await until('the queue is held', async () => {
    await process.look();
    return troubleOf(life);
  });
  const tried = life.arrived.length;
  life.answer = () => ok;
  await retryAll(life);
  await until('nothing waits', async () => {
    await process.look();
    return (await life.deliveries({ state: 'pending' })).length === 0;
  });
  t.is((await life.deliveries({ state: 'succeeded' })).length, 30);
  const firstOnes = [...new Set(life.arrived)];
  t.deepEqual(firstOnes, names(30));
  t.true(tried < 30);
});

test('a URL of an account is never disabled: after 15 given up in a row it is asked with one delivery at a time', async (t) => {
  const life = await openLife(t, 'url');
  await life.changeTarget({ failCount: 15 });
  life.answer = () => refusal;
  const process = life.process();
  await process.happen(...names(20));
  await until('the queue is held', async () => {
    await process.look();
    return troubleOf(life);
  });
  await until('the first has failed', async () => (await life.deliveries({ 'due.by': 'workflow' })).length === 1);
  await process.look();
  t.deepEqual(life.arrived, ['A0']);
  t.is((await life.deliveries(untried)).length, 19);
  life.answer = () => ok;
  await retryAll(life);
  await until('all are delivered', async () => {
    await process.look();
    return (await life.deliveries({ state: 'succeeded' })).length === 20;
  });
  t.is(await life.failCount(), 0);
});

test('what has waited untried for an hour for a URL that fails is missed, and only that', async (t) => {
  const life = await openLife(t, 'url');
  await life.changeTarget({ failCount: 15 });
  await life.process({ owns: false }).happen('old');
  life.pass(3_600_001);
  await life.process({ owns: false }).happen('new');
  await life.process().work();
  t.deepEqual(
    (await life.deliveries()).map(({ externalId, state, missed }) => [externalId, state, missed]),
    [
      ['old', 'held', true],
      ['new', 'succeeded', false],
    ],
  );
  t.deepEqual(life.arrived, ['new']);
});

test('what waits for an endpoint that was deleted, or lost its right, is stopped and never sent', async (t) => {
  const [deleted, rescoped] = [await openLife(t), await openLife(t)];
  for (const life of [deleted, rescoped]) await life.process({ owns: false }).happen(...names(3));
  await store.connection.collection('webhook_endpoints').deleteMany({ accountId: deleted.account });
  await rescoped.changeTarget({ scope: 'members' });
  for (const life of [deleted, rescoped]) {
    await life.process().work();
    t.deepEqual(
      (await life.deliveries()).map(({ state, missed }) => [state, missed]),
      names(3).map(() => ['stopped', false]),
    );
    t.deepEqual(life.arrived, []);
  }
});

// specification: 15-of-two-processes
test('a process that does not own the account reserves and sends nothing', async (t) => {
  const life = await openLife(t);
  const other = life.process({ owns: false });
  await other.happen('A0');
  await other.look();
  await other.close();
  t.like(await life.deliveries(), [{ ...untried, inFlightSince: null }]);
  t.deepEqual(life.arrived, []);
  await life.process().work();
  t.deepEqual(life.arrived, ['A0']);
});

// specification: a-hanging-receiver-delays
test('what was reserved for a receiver that begins to hang waits in its queue again, untried, and is sent once', async (t) => {
  const life = await openLife(t);
  const slots = new ReceiverSlots(() => life.now().getTime());
  const process = life.process({ slots });
  await process.happen(...names(20));
  await process.work();
  const gate = aGate();
  life.answer = () => gate.opened.then(() => ({ ...refusal, durationMs: 10_000, httpStatus: null }));
  await process.happen(...names(80, 'B'));
  await until('32 are under way', async () => life.arrived.length === 20 + 32);
  t.is((await life.deliveries({ inFlightSince: { $ne: null } })).length, 80, 'the others are reserved');
  life.pass(10_000);
  life.answer = () => ok;
  gate.open();
  await until(
    'the others wait again',
    async () => (await life.deliveries({ ...untried, inFlightSince: null })).length === 48,
  );
  await until('those that failed are between two attempts', async () => {
    return (await life.deliveries({ 'due.by': 'workflow' })).length === 32;
  });
  await retryAll(life);
  await until('all are delivered', async () => {
    await process.look();
    return (await life.deliveries({ state: 'succeeded' })).length === 100;
  });
  t.is(life.arrived.length, 100 + 32, 'only those that failed came twice');
  t.deepEqual(
    (await life.log()).filter((line) => line.includes('interrupted')),
    [],
  );
});

test('when a process is closed, what it had reserved and not sent is others’ at once', async (t) => {
  const life = await openLife(t);
  const process = life.process();
  await process.happen(...names(20));
  await process.work();
  const gate = aGate();
  life.answer = () => gate.opened.then(() => ok);
  await process.happen(...names(40, 'B'));
  await until('32 are under way', async () => life.arrived.length === 20 + 32);
  const closed = process.close();
  gate.open();
  await closed;
  t.is((await life.deliveries({ inFlightSince: { $ne: null } })).length, 0);
  t.is((await life.deliveries(untried)).length, 8);
  await life.process().work();
  t.is(life.arrived.length, 60);
  t.is(new Set(life.arrived).size, 60);
});

const aQueue = (change: Partial<Queue>): Queue => ({
  ...newQueue({ target: 'e1', accountId: accountId('a1'), endpointId: endpointId('e1') }),
  ...change,
});

test('while deliveries are between two attempts, there is room for as many as disable the endpoint, and more with its successes', (t) => {
  t.is(roomOf(aQueue({})), Infinity);
  t.is(roomOf(aQueue({ inFlight: 100 })), Infinity, 'all have got through so far');
  t.is(roomOf(aQueue({ retrying: 1 })), 14);
  t.is(roomOf(aQueue({ retrying: 5, inFlight: 4 })), 6);
  t.is(roomOf(aQueue({ retrying: 15 })), 0);
  t.is(roomOf(aQueue({ retrying: 15, credit: 4 })), 0);
  t.is(roomOf(aQueue({ retrying: 15, credit: 5 })), 1);
  t.is(roomOf(aQueue({ retrying: 15, credit: 10_000 })), 60);
  const url = { endpointId: null, retrying: 1 };
  t.is(roomOf(aQueue({ ...url, failCount: 14 })), 14);
  t.is(roomOf(aQueue({ ...url, failCount: 15 })), 0);
  t.is(roomOf(aQueue({ endpointId: null, failCount: 15 })), 1, 'also when the one before was given up');
});
