import test, { type ExecutionContext } from 'ava';
import { hintsOfCommand } from '../../compose/starts.ts';
import { endpointId } from '../../features/rules/ids.ts';
import { listEndpoints } from '../../features/webhooks/store/webhook-endpoints.ts';
import { changeWebhook } from '../../features/webhooks/manage-webhooks.ts';
import { disableAfterFailures } from '../../features/webhooks/rules/disable-after-failures.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { ReceiverSlots } from '../../features/webhooks/receiver-slots.ts';
import { aGate } from '../support/a-gate.ts';
import { withDatabase } from '../support/with-database.ts';
import { until } from '../support/until.ts';
import { ok, refusal, startDeliveryLife, type DeliveryLife } from '../support/delivery-life.ts';

// What is sent at once, what waits for the workflow of its receiver, and what that sends: on a real database.

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

async function openLife(t: ExecutionContext, kind: 'endpoint' | 'url' = 'endpoint'): Promise<DeliveryLife> {
  const life = await startDeliveryLife(store, { kind });
  t.teardown(() => life.close());
  return life;
}

/** After twenty that got through, forty at once: 32 are under way until the gate opens, and eight are reserved ahead. */
async function openBurst(t: ExecutionContext) {
  const life = await openLife(t);
  const process = life.process();
  await process.happen(...names(20));
  await process.work();
  const gate = aGate();
  life.answer = () => gate.opened.then(() => ok);
  await process.happen(...names(40, 'B'));
  await until('32 are under way', async () => life.arrived.length === 20 + 32);
  return { life, process, gate };
}

const names = (count: number, prefix = 'A'): string[] => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
const gone = { ...refusal, gone: true, httpStatus: 410 };
const waiting = { waits: true, attempts: 0, state: 'pending' };
const underWay = { waits: false, state: 'pending' };
const recorded = { ...underWay, retryAt: { $ne: null } };

/** The workflows of all that failed make their attempts, as their times come, until nothing is between two attempts. */
async function retryAll(life: DeliveryLife): Promise<void> {
  const process = life.process();
  for (;;) {
    const retrying = await life.deliveries(underWay);
    if (retrying.length === 0) return;
    life.pass(8_000);
    for (const { _id } of retrying) await process.attempt(_id);
  }
}

test('an event is sent at once by the process that has stored it, and needs no workflow', async (t) => {
  const life = await openLife(t);
  await life.process().happen('A0');
  await until('it has arrived', async () => (await life.deliveries({ state: 'succeeded' })).length === 1);
  t.deepEqual([life.arrived, life.started], [['A0'], []]);
  t.like(await life.deliveries(), [{ attempts: 1, waits: null, startAt: null }]);
});

test('what a command stores waits, and is sent in its order', async (t) => {
  const life = await openLife(t);
  await life.process({ isCommand: true }).happen(...names(12));
  t.is((await life.deliveries(waiting)).length, 12);
  t.deepEqual(life.arrived, []);
  await life.process().work();
  t.deepEqual(life.arrived, names(12));
});

test('what finds no slot waits; the others are sent at once', async (t) => {
  const life = await openLife(t);
  const gate = aGate();
  life.answer = () => gate.opened.then(() => ok);
  const process = life.process();
  await process.happen(...names(6));
  life.pass(10);
  await process.happen(...names(6, 'B'));
  t.is((await life.deliveries(waiting)).length, 8, 'a receiver that nothing is known of has 4 slots');
  gate.open();
  await process.work();
  t.deepEqual(life.arrived, [...names(6), ...names(6, 'B')]);
  t.deepEqual(life.started, []);
});

// specification: webhook-attempts-5-after
test('a dead receiver costs as many workflows as disable it, however many events it misses; its trouble is noted', async (t) => {
  const life = await openLife(t);
  life.answer = () => refusal;
  const process = life.process();
  for (let round = 0; round < 8; round += 1) {
    await process.happen(...names(5, `${round}-`));
    await process.work();
  }
  t.is((await life.deliveries(underWay)).length, disableAfterFailures);
  t.is(life.started.length, disableAfterFailures);
  t.is(life.arrived.length, disableAfterFailures);
  t.is((await life.deliveries(waiting)).length, 40 - disableAfterFailures);
  t.like(await life.target(), { queue: true, troubleSince: life.now() });
});

// specification: auto-disable-15-failures
test('when a dead receiver is disabled, what waited untried becomes missed, and nothing of it is sent', async (t) => {
  const life = await openLife(t);
  await life.changeTarget({ failCount: 14 });
  life.answer = () => refusal;
  const process = life.process();
  await process.happen('last');
  await process.work();
  life.answer = () => gone;
  await process.happen(...names(60, 'B'));
  t.is((await life.deliveries(waiting)).length, 60, 'the mark holds back what comes after the first failure');
  await retryAll(life);
  t.like(await life.target(), { active: false, failCount: 15 });
  const before = life.arrived.length;
  await life.process().work();
  t.is(life.arrived.length, before);
  const held = await life.deliveries({ state: 'held' });
  t.is(held.length, 60);
  t.true(held.every(({ missed, attempts, startAt, waits }) => missed && attempts === 0 && startAt === null && !waits));
});

test('when a retry gets through, what waits flows again, in its order, and the mark goes when nothing waits', async (t) => {
  const life = await openLife(t);
  life.answer = () => refusal;
  const process = life.process();
  await process.happen(...names(30));
  await process.work();
  const tried = life.arrived.length;
  life.answer = () => ok;
  await retryAll(life);
  await process.work();
  t.is((await life.deliveries({ state: 'succeeded' })).length, 30);
  t.deepEqual([...new Set(life.arrived)], names(30));
  t.true(tried < 30);
  await process.work();
  t.like(await life.target(), { queue: false });
  await process.happen('next');
  await process.work();
  t.is((await life.deliveries({ state: 'succeeded' })).length, 31);
});

test('a URL of an account is never disabled: after 15 given up in a row it is asked with one delivery at a time', async (t) => {
  const life = await openLife(t, 'url');
  await life.changeTarget({ failCount: 15, queue: true });
  life.answer = () => refusal;
  const process = life.process();
  await process.happen(...names(20));
  await process.work();
  await process.work();
  t.deepEqual(life.arrived, ['A0']);
  t.is((await life.deliveries(waiting)).length, 19);
  life.answer = () => ok;
  await retryAll(life);
  await process.work();
  t.is((await life.deliveries({ state: 'succeeded' })).length, 20);
  t.is(await life.failCount(), 0);
});

test('what has waited untried for an hour for a URL that fails is missed, and only that', async (t) => {
  const life = await openLife(t, 'url');
  await life.changeTarget({ failCount: 15 });
  await life.process({ isCommand: true }).happen('old');
  life.pass(3_600_001);
  await life.process({ isCommand: true }).happen('new');
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
  for (const life of [deleted, rescoped]) await life.process({ isCommand: true }).happen(...names(3));
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

// specification: a-hanging-receiver-delays
test('what was reserved for a receiver that begins to hang waits again, untried, and is sent once', async (t) => {
  const life = await openLife(t);
  const slots = new ReceiverSlots({ now: () => life.now().getTime() });
  const process = life.process({ slots });
  await process.happen(...names(20));
  await process.work();
  const gate = aGate();
  life.answer = () => gate.opened.then(() => ({ ...refusal, durationMs: 10_000, httpStatus: null }));
  await process.happen(...names(80, 'B'));
  await until('32 are under way', async () => life.arrived.length === 20 + 32);
  t.is((await life.deliveries(underWay)).length, 80, 'the others are reserved');
  life.pass(10_000);
  life.answer = () => ok;
  gate.open();
  await until('the others wait again', async () => (await life.deliveries(waiting)).length === 48);
  await until('the failures of the 32 are recorded', async () => (await life.deliveries(recorded)).length === 32);
  await retryAll(life);
  await process.work();
  t.is((await life.deliveries({ state: 'succeeded' })).length, 100);
  t.is(life.arrived.length, 100 + 32, 'only those that failed came twice');
  t.deepEqual(
    (await life.log()).filter((line) => line.includes('interrupted')),
    [],
  );
});

// specification: 15-reserved-before-it
test('an attempt that would be sent too late for its lease is not sent: the delivery waits again', async (t) => {
  const { life, process, gate } = await openBurst(t);
  // As in a process that was stopped for a moment.
  life.pass(4_001);
  gate.open();
  await until('the rest waits', async () => (await life.deliveries(waiting)).length === 8);
  await process.work();
  t.is(life.arrived.length, 60);
  t.is(new Set(life.arrived).size, 60);
});

test('when a process is closed, what it had reserved and not sent waits for others at once', async (t) => {
  const { life, process, gate } = await openBurst(t);
  const closed = process.close();
  await until('the rest waits', async () => (await life.deliveries(waiting)).length === 8);
  gate.open();
  await closed;
  t.is((await life.deliveries(underWay)).length, 0);
  await process.happen('late');
  t.is((await life.deliveries(waiting)).length, 9, 'it begins nothing more');
  await life.process().work();
  t.is(life.arrived.length, 61);
  t.is(new Set(life.arrived).size, 61);
});

test('an address that has never answered with success is sent little, by its workflow alone, until it does', async (t) => {
  const life = await startDeliveryLife(store, { isProven: false });
  t.teardown(() => life.close());
  life.answer = () => refusal;
  const process = life.process();
  await process.happen(...names(20));
  t.is((await life.deliveries(waiting)).length, 20, 'nothing is sent by the process that stored it');
  const paused: number[] = [];
  await process.lookAtReceiver(false, (ms) => paused.push(ms));
  t.is(life.arrived.length, disableAfterFailures);
  t.true(
    paused.slice(0, disableAfterFailures).every((ms) => ms === 500),
    'two a second',
  );
  life.answer = () => ok;
  await retryAll(life);
  await process.work();
  t.like(await life.target(), { isProven: true });
  await process.work();
  t.like(await life.target(), { queue: false });
  await process.happen('direct');
  await process.work();
  t.is((await life.deliveries({ state: 'succeeded' })).length, 21);
});

test('an address that has never answered with success is in trouble, too, when its deliveries are given up', async (t) => {
  const life = await startDeliveryLife(store, { isProven: false });
  t.teardown(() => life.close());
  life.answer = () => gone;
  const process = life.process();
  await process.happen(...names(disableAfterFailures));
  t.like(await life.target(), { troubleSince: undefined });
  const failedAt = life.now();
  await process.work();
  t.like(await life.target(), { active: false, failCount: disableAfterFailures, troubleSince: failedAt });
  life.pass(10_000);
  t.like(await process.lookAtReceiver(true), { kind: 'rests', trouble: { reason: 'endpoint_disabled' } });
});

test('a proven endpoint that gets another address has to prove it anew', async (t) => {
  const life = await openLife(t);
  const [endpoint] = await listEndpoints(store, life.account);
  const scope = { accountId: life.account, actingAccountId: life.account, credential: { kind: 'system' } } as const;
  const context = { store, addressPolicy: { allowPrivateNetworks: false }, hints: hintsOfCommand, now: life.now };
  const change = (url: string) =>
    changeWebhook({ ...context, confirmCredential: () => Promise.resolve() }, scope, {
      endpointId: endpointId(endpoint?._id ?? ''),
      change: { url },
    });
  await change(endpoint?.url ?? '');
  t.like(await life.target(), { isProven: true, queue: false }, 'the same address');
  await change('https://stranger.example/hooks');
  t.like(await life.target(), { isProven: false, queue: true });
});
