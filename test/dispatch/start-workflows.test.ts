import { randomUUID } from 'node:crypto';
import test from 'ava';
import { dueFrom, type Due } from '../../core/due.ts';
import { accountId, deliveryId, itemId, type AccountId } from '../../core/ids.ts';
import { WorkflowStarts } from '../../dispatch/start-workflows.ts';
import type { OwedItem } from '../../store/items/owed-items.ts';
import { OrchestratorUnavailable, type Orchestrator } from '../../gateways/orchestrator/port.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { dueKinds, type DueKind } from '../../store/dispatch/due-rows.ts';
import { aGate } from '../support/a-gate.ts';
import { later, noon } from '../support/an-item.ts';
import { awaitMajority, closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { until } from '../support/until.ts';

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(() => closeTestStore(store));

type Call = readonly [name: keyof Orchestrator, names: object];

/** Starts whose engine answers as the test says. */
function aProcess(answer: () => Promise<void> = () => Promise.resolve()) {
  const calls: Call[] = [];
  const lost: true[] = [];
  let nowMs = 0;
  const called = (name: keyof Orchestrator) => (names: object) => {
    calls.push([name, names]);
    return answer();
  };
  const starts = new WorkflowStarts({
    ...{ store, logger: { warn: () => undefined }, now: () => later(nowMs) },
    orchestrator: {
      signalItem: called('signalItem'),
      startDelivery: called('startDelivery'),
      startRecovery: called('startRecovery'),
      startBulkSync: called('startBulkSync'),
      signalReceiver: called('signalReceiver'),
    },
    onLost: () => lost.push(true),
  });
  return { starts, calls, lost, pass: (ms: number) => (nowMs += ms) };
}

const anAccount = (): AccountId => accountId(randomUUID());

/** A due row that has what its start needs. */
async function add(kind: DueKind, account: AccountId, change: Readonly<Record<string, unknown>> = {}) {
  const { collection, owner } = dueKinds[kind];
  const row = {
    _id: randomUUID(),
    [owner]: account,
    externalId: randomUUID(),
    due: dueFrom('workflow', noon),
    ...change,
  };
  await store.connection.collection<{ _id: string }>(collection).insertOne(row);
  return row._id;
}

const dueOf = async (kind: DueKind, _id: string): Promise<Due | undefined> =>
  (
    await store.connection
      .collection<{ _id: string; due: Due }>(dueKinds[kind].collection)
      .findOne({ _id }, { readConcern: { level: 'local' } })
  )?.due;

const anItem = (): OwedItem => ({
  ...{ _id: itemId(randomUUID()), accountId: anAccount(), externalId: 'A1', requestId: 'request-1' },
  ...{ startAt: noon, starts: 0, trace: null },
});

test('each kind of due row is started by its own call, and looked after again', async (t) => {
  const { starts, calls } = aProcess();
  const account = anAccount();
  const recovery = await add('recoveries', account, { target: 'whk_1', state: 'running' });
  const bulk = await add('bulkSyncs', account, { accountId: anAccount(), uploadId: randomUUID() });
  const receiver = await add('receivers', account);
  const of = anAccount();
  const wanted = { aboutAccountId: of, eventType: 'item.sold', target: 'whk_1', retryAt: later(1_500) };
  const delivery = await add('deliveries', account, wanted);
  for (const kind of ['recoveries', 'bulkSyncs', 'receivers'] as const) starts.add({ kind, key: account });
  starts.add({ kind: 'deliveries', key: 'whk_1' });
  await until('all are started', async () => calls.length === 4);
  const named = new Map(calls);
  t.deepEqual(named.get('startRecovery'), { recoveryId: recovery, accountId: account, target: 'whk_1' });
  t.deepEqual(named.get('startBulkSync'), { bulkId: bulk, accountId: account });
  t.deepEqual(named.get('signalReceiver'), { target: receiver, accountId: account });
  t.like(named.get('startDelivery'), { deliveryId: delivery, accountId: of, target: 'whk_1', delayMs: 1_500 });
  await starts.close();
  t.deepEqual(await dueOf('receivers', receiver), { by: 'workflow', at: later(2_000), tries: 1 });
});

test('a delivery whose wait is over is tried at once', async (t) => {
  const { starts, calls } = aProcess();
  const names = { aboutAccountId: anAccount(), externalId: 'A1', eventType: 'item.sold', target: 'whk_1' };
  for (const retryAt of [null, later(-5)]) starts.deliverySoon({ ...names, _id: deliveryId('dlv_1'), retryAt });
  await until('both are started', async () => calls.length === 2);
  for (const [, given] of calls) t.like(given, { delayMs: 0 });
});

// specification: an-engine-that-is
test('while the engine is away rows are due again every 2 s, however long that is: their pause does not grow', async (t) => {
  let isAway = true;
  let begun = 0;
  const { starts, calls, lost, pass } = aProcess(async () => {
    if (isAway) throw new OrchestratorUnavailable(new Error('away'));
    begun += 1;
  });
  const account = anAccount();
  const item = await add('receivers', account);
  for (const attempt of [1, 2]) {
    // For 2 s nothing is asked of the engine.
    await until('it is tried', async () => {
      starts.add({ kind: 'receivers', key: account });
      return calls.length === attempt;
    });
    await until('it is due again', async () => (await dueOf('receivers', item))?.tries === 0);
    t.deepEqual(await dueOf('receivers', item), { by: 'workflow', at: later(attempt * 2_000), tries: 0 });
    starts.itemSoon(anItem());
    t.is(calls.length, attempt);
    pass(2_000);
    await awaitMajority(store);
  }
  t.is(lost.length, 4);
  isAway = false;
  await until('it is started', async () => {
    starts.add({ kind: 'receivers', key: account });
    return begun > 0;
  });
});

test('after any other error a row keeps its growing pause: its start may have happened', async (t) => {
  const { starts, lost } = aProcess(() => Promise.reject(new Error('deadline exceeded')));
  const account = anAccount();
  const item = await add('receivers', account);
  starts.add({ kind: 'receivers', key: account });
  await until('it was tried', async () => lost.length === 1);
  await starts.close();
  t.deepEqual(await dueOf('receivers', item), { by: 'workflow', at: later(2_000), tries: 1 });
});

test('no more than 32 starts are under way at once: the rest is found as due', async (t) => {
  const { opened, open } = aGate();
  const { starts, calls, lost } = aProcess(() => opened);
  for (let n = 0; n < 40; n += 1) starts.itemSoon(anItem());
  await until('32 are under way', async () => calls.length === 32);
  t.is(lost.length, 8);
  open();
  await until('there is room again', async () => {
    starts.itemSoon(anItem());
    return calls.length > 32;
  });
});

test('closing gives up what waits, counts each as lost, and does not wait for it', async (t) => {
  const { opened, open } = aGate();
  const { starts, calls, lost } = aProcess(() => opened);
  const account = anAccount();
  for (let n = 0; n < 40; n += 1) await add('receivers', account);
  starts.add({ kind: 'receivers', key: account });
  await until('32 of its rows are under way', async () => calls.length === 32);
  const closed = starts.close();
  open();
  await closed;
  t.is(calls.length, 32);
  t.is(lost.length, 8);
});
