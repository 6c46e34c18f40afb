import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { dueFrom } from '../../core/due.ts';
import { accountId, type AccountId } from '../../core/ids.ts';
import type { DeliveryQueues } from '../../dispatch/delivery-queues.ts';
import { Dispatcher, type DispatcherParts } from '../../dispatch/dispatcher.ts';
import type { WorkflowStarts } from '../../dispatch/start-workflows.ts';
import { Turns } from '../../dispatch/turns.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { createDoorbell } from '../../store/dispatch/doorbell.ts';
import { dueQueue, targetQueue, type DueQueue } from '../../store/dispatch/due-rows.ts';
import { aGate } from '../support/a-gate.ts';
import { later, noon } from '../support/an-item.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { until } from '../support/until.ts';

let store: StoreConnection;
test.beforeEach(async () => {
  store = await openTestStore();
});
test.afterEach.always(() => closeTestStore(store));

const [mine, theirs] = [accountId('mine'), accountId('theirs')];

/** A dispatcher whose parts note what they are given. */
function aProcess(t: ExecutionContext, change: Partial<DispatcherParts> = {}) {
  const taken: (readonly [part: string, what: unknown])[] = [];
  const note = (part: string) => (what: unknown) => void taken.push([part, what]);
  const turns = (part: string): Turns =>
    new Turns({
      ...{ atOnce: 1, together: 1, onFailure: () => undefined },
      work: async ([key]) => {
        note(part)(key);
        return [];
      },
    });
  const closed = () => Promise.resolve();
  const dispatcher = new Dispatcher({
    ...{ store, ownership: { owns: (account: AccountId) => account !== theirs }, now: () => noon },
    ...{ mails: turns('mails'), logger: { warn: note('warned') } },
    deliveries: { add: note('deliveries'), close: closed } as unknown as DeliveryQueues,
    starts: { add: note('starts'), close: closed } as unknown as WorkflowStarts,
    ...change,
  });
  t.teardown(() => dispatcher.close());
  return { dispatcher, taken };
}

/** A mail of the account that is due. */
async function addDue(account: AccountId, at: Date): Promise<void> {
  const row = { _id: randomUUID(), queue: account, due: dueFrom('worker', at) };
  await store.connection.collection<{ _id: string }>('mails').insertOne(row);
}

test.serial('each queue is given to the part that does its work', (t) => {
  const { dispatcher, taken } = aProcess(t);
  const target = targetQueue('worker', { accountId: mine, target: 'whk_1' });
  const url = targetQueue('worker', { accountId: mine, target: `account-${mine}` });
  const forWorkflows: DueQueue[] = [
    ...(['recoveries', 'bulkSyncs', 'receivers'] as const).map((kind) => dueQueue(kind, 'workflow', mine)),
    targetQueue('workflow', { accountId: mine, target: 'whk_1' }),
  ];
  const queues = [dueQueue('mails', 'worker', mine), dueQueue('mails', 'worker', mine), target, url, ...forWorkflows];
  for (const queue of queues) dispatcher.take(queue);
  t.deepEqual(taken, [
    ['mails', mine],
    ['deliveries', { target: 'whk_1', accountId: mine, endpointId: 'whk_1' }],
    ['deliveries', { target: `account-${mine}`, accountId: mine, endpointId: null }],
    ...forWorkflows.map(({ kind, key }) => ['starts', { kind, key }] as const),
  ]);
});

test.serial('queues of accounts that are another process’s are left to that, rung or found', async (t) => {
  const { dispatcher, taken } = aProcess(t);
  dispatcher.take(dueQueue('mails', 'worker', theirs));
  await addDue(theirs, noon);
  t.true(await dispatcher.look());
  t.deepEqual(taken, []);
});

test.serial('a look takes what is due by now, whether or not it was rung for', async (t) => {
  const { dispatcher, taken } = aProcess(t);
  t.false(await dispatcher.look());
  await addDue(mine, later(1));
  t.false(await dispatcher.look());
  await addDue(mine, noon);
  t.true(await dispatcher.look());
  t.deepEqual(taken, [['mails', mine]]);
});

test.serial('once started it hears what others ring, and looks for what was rung before it heard', async (t) => {
  await addDue(mine, noon);
  const { dispatcher, taken } = aProcess(t);
  dispatcher.start();
  await until('it has looked', async () => taken.length === 1);
  const { ring, close } = createDoorbell(store);
  t.teardown(close);
  const heard = accountId('heard');
  ring(dueQueue('mails', 'worker', heard));
  await until('it has heard', async () => taken.length === 2);
  t.deepEqual(taken, [
    ['mails', mine],
    ['mails', heard],
  ]);
});

test.serial('closing waits for the turns under way, and then for the starts that they left', async (t) => {
  const { opened, open } = aGate();
  const order: string[] = [];
  const mails = new Turns({
    ...{ atOnce: 1, together: 1, onFailure: () => undefined },
    work: async () => {
      await opened;
      order.push('turn');
      return [];
    },
  });
  const starts = { close: async () => void order.push('starts') } as unknown as WorkflowStarts;
  const { dispatcher } = aProcess(t, { mails, starts });
  dispatcher.start();
  dispatcher.take(dueQueue('mails', 'worker', mine));
  const closing = dispatcher.close().then(() => order.push('closed'));
  dispatcher.take(dueQueue('mails', 'worker', accountId('too late')));
  open();
  await closing;
  t.deepEqual(order, ['turn', 'starts', 'closed']);
});
