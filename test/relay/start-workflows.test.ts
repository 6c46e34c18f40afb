import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, bulkSyncId, deliveryId, itemId, type AccountId } from '../../features/rules/ids.ts';
import { WorkflowStarts } from '../../features/relay/start-workflows.ts';
import type { OwedItem } from '../../features/items/store/owed-items.ts';
import { OrchestratorUnavailable, type Orchestrator } from '../../gateways/orchestrator/port.ts';
import { aGate } from '../support/a-gate.ts';
import { noon } from '../support/an-item.ts';
import { until } from '../support/until.ts';

type Call = readonly [name: keyof Orchestrator, names: object];

/** Starts whose engine answers as the test says. */
function aProcess(answer: () => Promise<void> = () => Promise.resolve()) {
  const calls: Call[] = [];
  const lost: true[] = [];
  const called = (name: keyof Orchestrator) => (names: object) => {
    calls.push([name, names]);
    return answer();
  };
  const starts = new WorkflowStarts({
    logger: { warn: () => undefined },
    orchestrator: {
      signalItem: called('signalItem'),
      startDelivery: called('startDelivery'),
      startReceiver: called('startReceiver'),
      signalReceiver: called('signalReceiver'),
      startBulkSync: called('startBulkSync'),
    },
    onLost: () => lost.push(true),
  });
  return { starts, calls, lost };
}

const anAccount = (): AccountId => accountId(randomUUID());

const anItem = (): OwedItem => ({
  _id: itemId(randomUUID()),
  accountId: anAccount(),
  externalId: 'A1',
  requestId: 'request-1',
  startAt: noon,
  starts: 0,
  trace: null,
});

test('each kind of work is started by its own call', async (t) => {
  const { starts, calls } = aProcess();
  const account = anAccount();
  const owner = anAccount();
  const names = {
    accountId: owner,
    aboutAccountId: account,
    externalId: 'A1',
    eventType: 'item.sold',
    target: 'whk_1',
  };
  starts.deliverySoon({ ...names, _id: deliveryId('dlv_1'), attempts: 1 });
  starts.signalReceiver({ target: 'whk_1', accountId: account });
  starts.bulkSyncSoon({ bulkId: bulkSyncId('blk_1'), accountId: account });
  await until('all are started', async () => calls.length === 3);
  const named = new Map(calls);
  t.like(named.get('startDelivery'), { deliveryId: 'dlv_1', ownerId: owner, accountId: account, attempt: 2 });
  t.deepEqual(named.get('signalReceiver'), { target: 'whk_1', accountId: account });
  t.deepEqual(named.get('startBulkSync'), { bulkId: 'blk_1', accountId: account });
});

test('a burst of deliveries wakes the workflow of its receiver once', async (t) => {
  const { starts, calls } = aProcess();
  for (let n = 0; n < 100; n += 1) starts.wakeReceiver({ target: 'whk_1', accountId: anAccount() });
  starts.wakeReceiver({ target: 'whk_2', accountId: anAccount() });
  await until('both are woken', async () => calls.length >= 2);
  t.deepEqual(
    calls.map(([name]) => name),
    ['signalReceiver', 'signalReceiver'],
  );
  for (let n = 0; n < 100; n += 1) starts.receiverSoon({ target: 'whk_1', accountId: anAccount() });
  await until('a failing one is started beside it', async () => calls.length >= 3);
  t.is(calls[2]?.[0], 'startReceiver');
  t.is(calls.length, 3);
});

// specification: an-engine-that-is
test('while the engine is away nothing is asked of it for 2 s, and each start counts as lost', async (t) => {
  const { starts, calls, lost } = aProcess(() => Promise.reject(new OrchestratorUnavailable(new Error('away'))));
  starts.itemSoon(anItem());
  await until('the first was lost', async () => lost.length === 1);
  starts.itemSoon(anItem());
  t.is(calls.length, 1);
  t.is(lost.length, 2);
});

test('a relay is told which starts certainly did not happen; after any other error they may have', async (t) => {
  let nth = 0;
  const { starts, lost } = aProcess(async () => {
    nth += 1;
    if (nth === 2) throw new OrchestratorUnavailable(new Error('away'));
    if (nth === 3) throw new Error('deadline exceeded');
  });
  t.deepEqual(await starts.startAll([1, 2, 3, 4].map(() => starts.ofItem(anItem()))), [1]);
  t.is(lost.length, 2);
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
  starts.startAll(Array.from({ length: 40 }, () => starts.ofItem(anItem()))).catch(() => undefined);
  await until('32 are under way', async () => calls.length === 32);
  starts.close();
  open();
  t.is(calls.length, 32);
  t.is(lost.length, 8);
});
