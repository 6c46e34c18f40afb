import { randomUUID } from 'node:crypto';
import test from 'ava';
import {
  accountId,
  deliveryId,
  endpointId,
  eventId,
  itemId,
  type AccountId,
  type ItemId,
} from '../../features/rules/ids.ts';
import { Relay } from '../../features/relay/relay.ts';
import { WorkflowStarts } from '../../features/relay/start-workflows.ts';
import { OrchestratorUnavailable, type Orchestrator, type SignalledItem } from '../../gateways/orchestrator/port.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import {
  deliveryRows,
  insertDeliveries,
  newDelivery,
  type Delivery,
} from '../../features/webhooks/store/deliveries.ts';
import { rowFromItem } from '../../features/items/store/item-row.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { anItem, later, noon } from '../support/an-item.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import type { Item } from '../../features/items/rules/item.ts';

let store: StoreConnection;
test.beforeEach(async () => {
  store = await openTestStore();
});
test.afterEach.always(() => closeTestStore(store));

const nothing = (): Promise<void> => Promise.resolve();
const noEngine: Orchestrator = {
  signalItem: nothing,
  startDelivery: nothing,
  startReceiver: nothing,
  signalReceiver: nothing,
  startBulkSync: nothing,
};
const anAccount = (): AccountId => accountId(randomUUID());

/** The relay of a worker. What it starts is noted. */
function aWorker(answer: () => Promise<void> = nothing) {
  const started: SignalledItem[] = [];
  const others: (readonly [kind: string, names: object])[] = [];
  const note = (kind: string) => (names: object) => {
    others.push([kind, names]);
    return answer();
  };
  const clock = { ms: 10_000 };
  const now = (): Date => later(clock.ms);
  const orchestrator = {
    startDelivery: note('delivery'),
    startReceiver: note('receiver'),
    signalReceiver: note('changed receiver'),
    startBulkSync: note('bulk sync'),
    signalItem: (item: SignalledItem) => {
      started.push(item);
      return answer();
    },
  };
  const starts = new WorkflowStarts({ orchestrator, logger: { warn: () => undefined } });
  const relay = new Relay({ store, starts, beginRecoveries: nothing, sendMails: nothing, now });
  return { started, others, clock, round: () => relay.round() };
}

/** Items of an account that owe work, in this order. */
type Owed = Pick<Item, 'startAt' | 'starts' | 'bulk'>;

async function addItems(account: AccountId, count: number, owed: (n: number) => Owed): Promise<ItemId[]> {
  const rows = Array.from({ length: count }, (_, n) =>
    rowFromItem(anItem({ id: itemId(randomUUID()), accountId: account, externalId: `A${n}`, ...owed(n) })),
  );
  await itemCollection(store).insertMany(rows);
  return rows.map(({ _id }) => itemId(_id));
}

async function owedOf(id: ItemId | undefined): Promise<Partial<Owed>> {
  const row = id && (await itemCollection(store).findOne({ _id: id }));
  return row ? { startAt: row.startAt, starts: row.starts } : {};
}

const bulk = (n: number): Owed => ({ startAt: later(n), starts: 0, bulk: 'waits' });
const owed = (n: number): Owed => ({ startAt: later(n), starts: 0, bulk: null });

// specification: an-engine-that-is
test.serial('what was not started is started when its date has passed, and looked after again', async (t) => {
  const [account, worker] = [anAccount(), aWorker()];
  const [first] = await addItems(account, 3, owed);
  await addItems(anAccount(), 1, () => owed(3_600_000));
  t.false(await worker.round());
  t.deepEqual(
    worker.started.map(({ externalId }) => externalId),
    ['A0', 'A1', 'A2'],
  );
  t.deepEqual(await owedOf(first), { startAt: later(12_000), starts: 1 });
  await worker.round();
  t.is(worker.started.length, 3);
  worker.clock.ms += 3_000;
  await worker.round();
  t.is(worker.started.length, 6);
});

test.serial('of three relays at once one starts each item', async (t) => {
  await addItems(anAccount(), 100, owed);
  const workers = [aWorker(), aWorker(), aWorker()];
  await Promise.all(workers.map((worker) => worker.round()));
  const ids = workers.flatMap(({ started }) => started.map((item) => item.itemId));
  t.is(ids.length, 100);
  t.is(new Set(ids).size, 100);
});

test.serial('of three relays at once one signals each target, and starts each bulk sync', async (t) => {
  const [account, count] = [anAccount(), 20];
  const rowsIn = (collection: string, row: object) =>
    store.connection
      .collection<{ _id: string }>(collection)
      .insertMany(Array.from({ length: count }, () => ({ _id: randomUUID(), startAt: later(9_000), ...row })));
  await rowsIn('webhook_endpoints', { accountId: account });
  await rowsIn('webhook_settings', {});
  await rowsIn('bulk_syncs', { actingAccountId: account, starts: 0 });
  const workers = [aWorker(), aWorker(), aWorker()];
  await Promise.all(workers.map((worker) => worker.round()));
  const started = workers.flatMap(({ others }) => others);
  t.is(started.length, 3 * count);
  t.is(new Set(started.map(([kind, names]) => JSON.stringify([kind, names]))).size, 3 * count);
});

test.serial('rows that a dead process keeps locked are left out, and everything beside them is started', async (t) => {
  const [account, worker] = [anAccount(), aWorker()];
  const [locked] = await addItems(account, 12, owed);
  const delivery = await addDelivery(account, { attempts: 1 });
  const other = await addDelivery(account, { attempts: 1 });
  const target = { _id: 'e1', accountId: account, startAt: later(9_000) } as { _id: string };
  await store.connection.collection<{ _id: string }>('webhook_endpoints').insertOne(target);
  await withLocked({ items: String(locked), deliveries: delivery._id, webhook_endpoints: 'e1' }, async () => {
    await worker.round();
    t.false(worker.started.some(({ itemId: started }) => started === locked));
    t.is(worker.started.length, 11);
    t.like(worker.others, { length: 1, 0: ['delivery', { deliveryId: other._id }] });
  });
  await worker.round();
  t.is(worker.started.at(-1)?.itemId, locked, 'it is due as before');
  t.deepEqual(
    worker.others
      .map(([kind]) => kind)
      .slice(1)
      .toSorted(),
    ['changed receiver', 'delivery'],
  );
});

/** Until `work` has ended, a transaction holds a row of each collection, as that of a process that died does. */
async function withLocked(rows: Readonly<Record<string, string>>, work: () => Promise<void>): Promise<void> {
  const session = await store.connection.startSession();
  session.startTransaction();
  try {
    for (const [collection, _id] of Object.entries(rows))
      await store.connection
        .collection<{ _id: string }>(collection)
        .updateOne({ _id }, { $set: { touched: true } }, { session });
    await work();
  } finally {
    await session.abortTransaction();
    await session.endSession();
  }
}

// specification: an-engine-that-is
test.serial('while the engine is away an item is due again in 2 s, however long that is', async (t) => {
  const worker = aWorker(() => Promise.reject(new OrchestratorUnavailable(new Error('away'))));
  const [id] = await addItems(anAccount(), 1, owed);
  for (let round = 0; round < 3; round += 1) {
    await worker.round();
    t.deepEqual(await owedOf(id), { startAt: later(worker.clock.ms + 2_000), starts: 0 });
    worker.clock.ms += 2_001;
  }
});

test.serial('a large file stands before no lost start', async (t) => {
  await addItems(anAccount(), 300, bulk);
  await addItems(anAccount(), 1, owed);
  const worker = aWorker();
  await worker.round();
  t.is(worker.started.filter(({ isBacklog }) => isBacklog === undefined).length, 1);
});

// specification: fair-across-members-single
test.serial('bulk work is started account by account, and only so much is under way at once', async (t) => {
  const [large, small] = [anAccount(), anAccount()];
  await addItems(large, 60, bulk);
  await addItems(small, 3, bulk);
  const worker = aWorker();
  t.true(await worker.round());
  const startedOf = (account: AccountId) => worker.started.filter((item) => item.accountId === account);
  t.deepEqual([startedOf(large).length, startedOf(small).length], [16, 3]);
  t.true(worker.started.every(({ isBacklog }) => isBacklog));
  await worker.round();
  t.is(worker.started.length, 32);
  await worker.round();
  t.is(worker.started.length, 32, 'as many as may be');
  const [ended, waiting] = startedOf(large);
  await itemCollection(store).updateOne({ _id: ended?.itemId ?? '' }, { $set: { startAt: null, bulk: null } });
  await itemCollection(store).updateOne({ _id: waiting?.itemId ?? '' }, { $set: { bulk: null } });
  await worker.round();
  t.is(worker.started.length, 34);
});

test.serial('nothing that waits for its date is started', async (t) => {
  await addItems(anAccount(), 2, () => owed(3_600_000));
  await itemCollection(store).insertOne(rowFromItem(anItem()));
  const worker = aWorker();
  t.false(await worker.round());
  t.deepEqual(worker.started, []);
  t.true(noon < later(worker.clock.ms));
});

/** A delivery to an endpoint of an account. */
async function addDelivery(account: AccountId, change: Partial<Delivery>): Promise<Delivery> {
  const target = endpointId(randomUUID());
  const delivery = newDelivery({
    _id: deliveryId(`dlv_${randomUUID()}`),
    accountId: account,
    aboutAccountId: account,
    endpointId: target,
    target,
    eventId: eventId(`evt_${randomUUID()}`),
    eventType: 'item.created',
    externalId: 'A1',
    scope: 'self',
    purpose: 'event',
    sequence: 1,
    state: 'pending',
    missed: false,
    waits: false,
    startAt: noon,
    body: Buffer.from('{}'),
    eventAt: noon,
    createdAt: noon,
  });
  const row = { ...delivery, ...change };
  await inTransaction(store, (session) => insertDeliveries(store, [row], session));
  return row;
}

const startAtOf = async ({ _id }: Delivery): Promise<Date | null | undefined> =>
  (await deliveryRows(store).findOne({ _id }))?.startAt;

test.serial(
  'a delivery whose date has passed is started with its next attempt, again after a pause that doubles',
  async (t) => {
    const [account, worker] = [anAccount(), aWorker()];
    const delivery = await addDelivery(account, { attempts: 1, startAt: later(5_000), updatedAt: later(5_000) });
    await addDelivery(account, { attempts: 1, startAt: later(3_600_000) });
    await addDelivery(account, { state: 'succeeded', startAt: null });
    await worker.round();
    t.like(worker.others, [['delivery', { deliveryId: delivery._id, attempt: 2, accountId: account }]]);
    t.deepEqual(await startAtOf(delivery), later(10_000 + 5_000), 'nothing was written for 5 s');
    await worker.round();
    t.is(worker.others.length, 1);
    worker.clock.ms = 20_000;
    await worker.round();
    t.is(worker.others.length, 2);
    t.deepEqual(await startAtOf(delivery), later(20_000 + 15_000));
  },
);

test.serial('while the engine is away a delivery is due again in 2 s', async (t) => {
  const worker = aWorker(() => Promise.reject(new OrchestratorUnavailable(new Error('away'))));
  const delivery = await addDelivery(anAccount(), { attempts: 1, updatedAt: later(-600_000) });
  await worker.round();
  t.deepEqual(await startAtOf(delivery), later(12_000));
});

test.serial('of three relays at once one starts each delivery', async (t) => {
  const deliveries = await Promise.all(Array.from({ length: 30 }, () => addDelivery(anAccount(), { attempts: 1 })));
  const workers = [aWorker(), aWorker(), aWorker()];
  await Promise.all(workers.map((worker) => worker.round()));
  t.is(workers.flatMap(({ others }) => others).length, deliveries.length);
});

test.serial('the workflow of each receiver for which deliveries wait is started, once in ten seconds', async (t) => {
  const [account, worker] = [anAccount(), aWorker()];
  const { target } = await addDelivery(account, { waits: true });
  const one = { target, endpointId: endpointId(target) };
  await addDelivery(account, { ...one, waits: true, startAt: later(3_600_000) });
  const other = await addDelivery(anAccount(), { waits: true });
  await worker.round();
  const started = worker.others.map(([kind, names]) => [kind, 'target' in names ? names.target : null]);
  t.deepEqual(
    started.toSorted(),
    [
      ['receiver', target],
      ['receiver', other.target],
    ].toSorted(),
  );
  await worker.round();
  t.is(worker.others.length, 2);
  worker.clock.ms += 10_001;
  await worker.round();
  t.is(worker.others.length, 4);
});

// It looks again only after ten minutes, so a start that finds it running is not enough.
test.serial('the workflow of a receiver that rests with a problem is signalled when deliveries wait', async (t) => {
  const [account, worker] = [anAccount(), aWorker()];
  for (const [endpoint, startsInMs] of [
    ['rests', 660_000],
    ['works', 120_000],
  ] as const) {
    await addDelivery(account, {
      waits: true,
      target: endpoint,
      endpointId: endpointId(endpoint),
      startAt: later(3_600_000),
    });
    const row = { _id: endpoint, accountId: account, startAt: later(10_000 + startsInMs) };
    await store.connection.collection<{ _id: string }>('webhook_endpoints').insertOne(row);
  }
  await worker.round();
  const started = worker.others.map(([kind, names]) => [kind, 'target' in names ? names.target : null]);
  t.deepEqual(started.toSorted(), [
    ['changed receiver', 'rests'],
    ['receiver', 'works'],
  ]);
});

test.serial('a target that is owed a look is signalled, whether an endpoint or the URL of an account', async (t) => {
  const [account, worker] = [anAccount(), aWorker()];
  const insert = (collection: string, row: { readonly _id: string }) =>
    store.connection.collection<{ _id: string }>(collection).insertOne(row);
  await insert('webhook_endpoints', { _id: 'e1', accountId: account, startAt: later(9_000) } as { _id: string });
  await insert('webhook_endpoints', { _id: 'e2', accountId: account, startAt: later(11_000) } as { _id: string });
  await insert('webhook_settings', { _id: account, startAt: later(9_000) } as { _id: string });
  await worker.round();
  const signalled = [
    ['changed receiver', { target: 'e1', accountId: account }],
    ['changed receiver', { target: `account-${account}`, accountId: account }],
  ];
  t.deepEqual(worker.others.toSorted().map(String), signalled.toSorted().map(String));
  await worker.round();
  t.is(worker.others.length, 2);
});

test.serial('a kind that fails stands before no other', async (t) => {
  const worker = aWorker();
  const [id] = await addItems(anAccount(), 1, owed);
  const now = (): Date => later(worker.clock.ms);
  const starts = new WorkflowStarts({
    orchestrator: { ...noEngine, signalItem: async (item) => void worker.started.push(item) },
    logger: { warn: () => undefined },
  });
  const mail = { _id: 'm1', queue: 'q1', startAt: later(0) } as { _id: string };
  await store.connection.collection<{ _id: string }>('mails').insertOne(mail);
  const failing = () => Promise.reject(new Error('no mail today'));
  const relay = new Relay({ store, starts, beginRecoveries: nothing, sendMails: failing, now });
  await t.throwsAsync(relay.round(), { message: 'no mail today' });
  t.deepEqual(
    worker.started.map(({ itemId: started }) => started),
    [id],
  );
});
