import test, { type ExecutionContext } from 'ava';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { describeTrouble } from '../../features/webhooks/look-at-receiver.ts';
import { endpointId } from '../../features/rules/ids.ts';
import type { Around } from '../support/around-store.ts';
import { withDatabase } from '../support/with-database.ts';
import { ok, refusal, startDeliveryLife, type DeliveryLife } from '../support/delivery-life.ts';

// What the workflow of a receiver finds, what it tells operators, and when its target's row says that nothing is owed.

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

const gone = { ...refusal, gone: true, httpStatus: 410, error: 'HTTP 410' };

async function openLife(t: ExecutionContext): Promise<DeliveryLife> {
  const life = await startDeliveryLife(store);
  t.teardown(() => life.close());
  return life;
}

async function giveUp(life: DeliveryLife, ...names: string[]): Promise<void> {
  life.answer = () => gone;
  const process = life.process();
  await process.happen(...names);
  await process.work();
}

const nameOf = ({ account, targetKey }: DeliveryLife) => ({
  target: targetKey,
  accountId: account,
  endpointId: endpointId(targetKey),
  troubleSince: noTime,
});
const noTime = new Date(0);

test('a target that nothing is owed to ends with the last look, and its row stays as it is', async (t) => {
  const life = await openLife(t);
  t.deepEqual(await life.process().lookAtReceiver(), { kind: 'quiet' });
  t.deepEqual(await life.process().lookAtReceiver(true), { kind: 'ended' });
  t.like(await life.target(), { startAt: null, queue: false });
});

test('what comes while a look has found nothing is sent by the same call', async (t) => {
  const life = await openLife(t);
  const command = life.process({ isCommand: true });
  let pauses = 0;
  const step = await life.process().lookAtReceiver(false, async () => {
    pauses += 1;
    if (pauses === 1) await command.happen('A1', 'A2');
  });
  t.deepEqual(step, { kind: 'quiet' });
  t.is((await life.deliveries({ state: 'succeeded' })).length, 2);
});

test('trouble is shown when it has lasted: what is missed, why, and how near disabling is', async (t) => {
  const life = await openLife(t);
  await giveUp(life, 'A1');
  t.like(await life.process().lookAtReceiver(), { kind: 'quiet' }, 'most failures are over by then');
  life.pass(10_000);
  const step = await life.process().lookAtReceiver();
  t.like(step, { kind: 'rests', lookAgainMs: 600_000 });
  t.like('trouble' in step ? step.trouble : null, {
    reason: 'receiver',
    missed: 1,
    waiting: 0,
    retrying: 0,
    lastError: 'HTTP 410',
    failCount: 1,
    disabledAt: 15,
    nextAttemptAt: null,
    oldestAt: null,
  });
  const startAt = (await life.target())?.['startAt'] as Date;
  t.true(startAt.getTime() > life.now().getTime() + 600_000, 'its own timer comes before a relay');
});

test('what waits and what is tried again is told: how many, since when, and when the next attempt is', async (t) => {
  const life = await openLife(t);
  life.answer = () => refusal;
  const process = life.process();
  await process.happen('A1');
  await process.work();
  const oldestAt = life.now().toISOString();
  await life.process({ isCommand: true }).happen('A2', 'A3');
  const [{ retryAt } = { retryAt: null }] = await life.deliveries({ waits: false });
  t.like(await describeTrouble({ store, now: life.now }, nameOf(life)), {
    reason: 'receiver',
    waiting: 2,
    retrying: 1,
    oldestAt,
    lastError: 'HTTP 500',
    nextAttemptAt: retryAt?.toISOString(),
  });
});

test('deliveries that have waited for long are a slow receiver’s; a moment is no trouble', async (t) => {
  const life = await openLife(t);
  await life.process({ isCommand: true }).happen('A1');
  const told = () => describeTrouble({ store, now: life.now }, nameOf(life));
  t.is(await told(), null);
  life.pass(10_001);
  t.like(await told(), { reason: 'receiver_slow', waiting: 1, missed: 0 });
});

test('a receiver that answers, too slowly for what waits, is shown until all of it is sent', async (t) => {
  const life = await openLife(t);
  life.answer = () => {
    life.pass(20_000);
    return ok;
  };
  const names = Array.from({ length: 40 }, (_, n) => `A${n}`);
  await life.process({ isCommand: true }).happen(...names);
  const step = await life.process().lookAtReceiver();
  t.like(step, { kind: 'sends' });
  // Whether one is under way at this moment, which the reason tells, is the sender's pace.
  t.like('trouble' in step ? step.trouble : null, { lastError: null, failCount: 0 });
  t.not((await life.target())?.['troubleSince'], null);
  life.answer = () => ok;
  const process = life.process();
  await process.work();
  t.deepEqual(await process.lookAtReceiver(true), { kind: 'ended' });
  t.like(await life.target(), { troubleSince: null, startAt: null });
});

test('a disabled endpoint stays in trouble until it is enabled and has all it missed; then nothing is owed', async (t) => {
  const life = await openLife(t);
  await giveUp(life, 'A1');
  await life.process().work();
  life.pass(10_000);
  await life.changeTarget({ active: false });
  const look = (mayEnd = false) => life.process().lookAtReceiver(mayEnd);
  t.like(await look(), { kind: 'rests', trouble: { reason: 'endpoint_disabled', missed: 1 } });
  await life.changeTarget({ active: true, failCount: 0 });
  t.like(await look(), { kind: 'rests', trouble: { reason: 'events_missed', missed: 1 } });
  await store.connection.collection('deliveries').updateMany({ accountId: life.account }, { $set: { missed: false } });
  t.like(await look(), { kind: 'quiet' });
  t.like(await look(true), { kind: 'ended' });
  t.like(await life.target(), { troubleSince: null, startAt: null, queue: false });
});

test('the workflow of a deleted endpoint ends', async (t) => {
  const life = await openLife(t);
  await giveUp(life, 'A1');
  await store.connection.collection('webhook_endpoints').deleteMany({ accountId: life.account });
  t.like(await life.process().lookAtReceiver(true), { kind: 'ended' });
});

test('a failure that is stored while a look is about to end is not lost: it is looked again', async (t) => {
  const life = await openLife(t);
  life.answer = () => refusal;
  const first = life.process();
  await first.happen('A1');
  life.answer = () => ok;
  life.pass(1_000);
  await first.work();
  await first.attempt();
  await first.work();
  t.like(await life.target(), { queue: false });
  let isEnding = false;
  const around: Around = async (step, take) => {
    if (step === 'updateOne webhook_endpoints' && !isEnding) {
      isEnding = true;
      life.pass(1);
      life.answer = () => refusal;
      await first.happen('A2');
      await first.work();
    }
    return take();
  };
  t.not((await life.process({ around }).lookAtReceiver(true)).kind, 'ended');
  t.true(isEnding);
  t.like(await life.target(), { queue: true });
  t.true((await life.target())?.['startAt'] instanceof Date);
});

test('a workflow that works holds the row: a relay starts it only when it has not come again', async (t) => {
  const life = await openLife(t);
  life.answer = () => refusal;
  const process = life.process();
  await process.happen('A1');
  await process.work();
  const startAt = (await life.target())?.['startAt'] as Date;
  t.is(startAt.getTime() - life.now().getTime(), 120_000);
});

test('a success after trouble has the workflow look at once', async (t) => {
  const life = await openLife(t);
  await life.changeTarget({
    failCount: 3,
    troubleSince: life.now(),
    startAt: new Date(life.now().getTime() + 600_000),
  });
  const process = life.process();
  await process.happen('A1');
  await process.work();
  t.is(await life.failCount(), 0);
  const startAt = (await life.target())?.['startAt'] as Date;
  t.true(startAt.getTime() <= life.now().getTime() + 120_000);
});
