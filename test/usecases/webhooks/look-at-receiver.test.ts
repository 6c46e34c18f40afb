import test, { type ExecutionContext } from 'ava';
import type { AccountId } from '../../../core/ids.ts';
import type { StoreConnection } from '../../../store/database/connection.ts';
import { hurryTrouble, noteTrouble } from '../../../store/webhooks/receivers-in-trouble.ts';
import { lookAtReceiver, type ReceiverContext } from '../../../usecases/webhooks/look-at-receiver.ts';
import { aroundStore, type Around } from '../../support/around-store.ts';
import { closeTestStore, openTestStore } from '../../support/open-test-store.ts';
import { refusal, startDeliveryLife, type DeliveryLife } from '../support/delivery-life.ts';

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(() => closeTestStore(store));

const gone = { ...refusal, gone: true, httpStatus: 410, error: 'HTTP 410' };
const memberOf: ReceiverContext['memberOf'] = (account: AccountId) => Promise.resolve(`member ${account}`);

async function openLife(t: ExecutionContext) {
  const life = await startDeliveryLife(store);
  t.teardown(() => life.close());
  const target = String((await life.target())?.['_id']);
  const look = () => lookAtReceiver({ store, memberOf, now: life.now }, target);
  const rows = store.connection.collection<{ _id: string; due: { at: Date }; since: Date }>('receivers_in_trouble');
  return { life, target, look, row: () => rows.findOne({ _id: target }), rows };
}

async function giveUp(life: DeliveryLife, ...names: string[]): Promise<void> {
  life.answer = () => gone;
  const process = life.process();
  await process.happen(...names);
  await process.work();
}

const note = (life: DeliveryLife, target: string) =>
  noteTrouble(store, { target, accountId: life.account, endpointId: target as never }, { now: life.now() });

test('a target that nothing was noted of is in no trouble', async (t) => {
  const { look } = await openLife(t);
  t.is(await look(), null);
});

test('the first delivery that is given up begins the trouble; it says what is missed, why, and how near disabling is', async (t) => {
  const { life, look, row } = await openLife(t);
  await giveUp(life, 'A1');
  const trouble = await look();
  t.like(trouble, { reason: 'receiver', missed: 1, waiting: 0, retrying: 0, lastError: 'HTTP 410', failCount: 1 });
  t.like(trouble, { disabledAt: 15, member: `member ${life.account}`, nextAttemptAt: null, oldestAt: null });
  t.is(trouble?.since, life.now().toISOString());
  const due = (await row())?.due.at.getTime() ?? 0;
  t.true(
    due > life.now().getTime() + (trouble?.lookAgainMs ?? 0),
    'the workflow’s own timer comes before the dispatcher',
  );
});

test('what waits and what is tried again is shown: how many, since when, and when the next attempt is', async (t) => {
  const { life, target, look } = await openLife(t);
  life.answer = () => refusal;
  const process = life.process();
  await process.happen('A1');
  await process.work();
  const oldestAt = life.now().toISOString();
  await life.process({ owns: false }).happen('A2', 'A3');
  await note(life, target);
  const [{ retryAt } = { retryAt: null }] = await life.deliveries({ 'due.by': 'workflow' });
  t.like(await look(), {
    ...{ reason: 'receiver', waiting: 2, retrying: 1, oldestAt, lastError: 'HTTP 500' },
    nextAttemptAt: retryAt?.toISOString(),
    lookAgainMs: 10_000,
  });
});

test('a line that is late is a slow receiver’s; one that has waited for a moment is no trouble', async (t) => {
  const { life, target, look, row } = await openLife(t);
  await life.process({ owns: false }).happen('A1');
  await note(life, target);
  life.pass(10_001);
  t.like(await look(), { reason: 'receiver_slow', waiting: 1, missed: 0 });
  await life.process().work();
  await life.process({ owns: false }).happen('A2');
  t.is(await look(), null);
  t.is(await row(), null);
});

test('a disabled endpoint stays in trouble until it is enabled and has all it missed', async (t) => {
  const { life, look, row } = await openLife(t);
  await giveUp(life, 'A1');
  await life.changeTarget({ active: false });
  t.like(await look(), { reason: 'endpoint_disabled', missed: 1, lookAgainMs: 600_000 });
  await life.changeTarget({ active: true, failCount: 0 });
  t.like(await look(), { reason: 'events_missed', missed: 1 });
  await store.connection.collection('deliveries').updateMany({ accountId: life.account }, { $set: { missed: false } });
  t.is(await look(), null);
  t.is(await row(), null);
});

test('the trouble of a deleted endpoint ends', async (t) => {
  const { life, look, row } = await openLife(t);
  await giveUp(life, 'A1');
  await store.connection.collection('webhook_endpoints').deleteMany({ accountId: life.account });
  t.is(await look(), null);
  t.is(await row(), null);
});

test('trouble that is noted while a look is about to end it is looked at, not lost', async (t) => {
  const { life, target, row } = await openLife(t);
  await note(life, target);
  let isEnding = false;
  const around: Around = async (step, take) => {
    if (step === 'deleteOne receivers_in_trouble' && !isEnding) {
      isEnding = true;
      life.pass(1);
      await giveUp(life, 'A1');
    }
    return take();
  };
  const found = await lookAtReceiver({ store: aroundStore(store, around), memberOf, now: life.now }, target);
  t.true(isEnding);
  t.like(found, { reason: 'receiver', missed: 1 });
  t.not(await row(), null);
});

test('trouble keeps its beginning, and is due at once when it is noted again or hurried', async (t) => {
  const { life, target, look, row } = await openLife(t);
  await giveUp(life, 'A1');
  const since = (await row())?.since;
  await look();
  life.pass(5_000);
  await note(life, target);
  t.deepEqual((await row())?.since, since);
  t.deepEqual((await row())?.due.at, life.now());
  await look();
  t.true(await hurryTrouble(store, target, { now: life.now() }));
  t.deepEqual((await row())?.due.at, life.now());
});
