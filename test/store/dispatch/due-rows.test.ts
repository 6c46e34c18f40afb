import { randomUUID } from 'node:crypto';
import test from 'ava';
import { dueFrom, type Due, type DueBy } from '../../../core/due.ts';
import { accountId, type AccountId } from '../../../core/ids.ts';
import type { StoreConnection } from '../../../store/database/connection.ts';
import {
  changeDue,
  claimDue,
  dueKinds,
  dueQueue,
  findDue,
  findOldestDue,
  listDueQueues,
  targetQueue,
  type DueKind,
  type DueRow,
} from '../../../store/dispatch/due-rows.ts';
import { later, noon } from '../../support/an-item.ts';
import { awaitMajority, closeTestStore, openTestStore } from '../../support/open-test-store.ts';

let store: StoreConnection;
test.beforeEach(async () => {
  store = await openTestStore();
});
test.afterEach.always(() => closeTestStore(store));

const [one, other] = [accountId('a-one'), accountId('b-other')];
type Row = DueRow & Readonly<Record<string, unknown>>;
const rowsOf = (kind: DueKind) => store.connection.collection<Row>(dueKinds[kind].collection);

/** A row of the kind that has what the dispatcher knows of it, and nothing else. */
async function add(
  kind: DueKind,
  of: AccountId | (Readonly<Record<string, string>> & { readonly account: AccountId }),
  due: Due | null,
) {
  const { owner } = dueKinds[kind];
  const { account, ...names } = typeof of === 'string' ? { account: of } : of;
  const row = { _id: randomUUID(), [owner]: account, ...names, externalId: randomUUID(), uploadId: randomUUID(), due };
  await rowsOf(kind).insertOne(row);
  return row;
}

const due = (by: DueBy, ms: number): Due => dueFrom(by, later(ms));
/** Claims wait for no majority. */
const read = async (kind: DueKind, _id: string): Promise<Due | null | undefined> =>
  (await rowsOf(kind).findOne({ _id }, { readConcern: { level: 'local' } }))?.due;

test.serial('a look names each queue with due work once, of whatever kind, and none else', async (t) => {
  for (const ms of [0, -5, 10]) await add('items', one, due('backlog', ms));
  await add('items', one, due('workflow', 1));
  await add('items', other, due('workflow', 0));
  await add('items', other, null);
  await add('deliveries', { account: one, target: 'whk_1' }, due('worker', 0));
  await add('deliveries', { account: one, target: 'whk_1' }, due('workflow', -1));
  await add('deliveries', { account: one, target: 'whk_2' }, due('worker', 1));
  await add('recoveries', { account: other, target: 'whk_3' }, due('workflow', 0));
  await add('bulkSyncs', { account: other, accountId: one }, due('workflow', 0));
  await add('receivers', other, due('workflow', 0));
  const queues = await listDueQueues(store, noon);
  const names = (queue: object): string => JSON.stringify(Object.entries(queue).toSorted());
  t.deepEqual(
    queues.map(names).toSorted(),
    [
      ...(['worker', 'workflow'] as const).map((by) => targetQueue(by, { accountId: one, target: 'whk_1' })),
      ...(['recoveries', 'bulkSyncs', 'receivers'] as const).map((kind) => dueQueue(kind, 'workflow', other)),
    ]
      .map(names)
      .toSorted(),
  );
});

test.serial('due rows come queue by queue, the longest due first, no more than asked for', async (t) => {
  const rows: Row[] = [];
  for (const [account, ms] of [
    [other, -9],
    [one, -1],
    [one, -3],
    [one, 1],
    [other, 0],
  ] as const)
    rows.push(await add('items', account, due('worker', ms)));
  await add('items', one, due('backlog', -20));
  const query = { kind: 'items', by: 'worker', keys: [one, other], now: noon, limit: 3 } as const;
  const found = await findDue(store, query);
  t.deepEqual(
    found.map(({ _id }) => _id),
    [2, 1, 0].map((index) => rows[index]?._id),
  );
  t.is((await findDue(store, { ...query, keys: [one], limit: 9 })).length, 2);
});

test.serial('the longest due row of all queues is known', async (t) => {
  t.is(await findOldestDue(store, 'items', 'worker'), null);
  for (const [account, ms] of [
    [one, 5],
    [other, -7],
    [other, 9],
  ] as const)
    await add('items', account, due('worker', ms));
  await add('items', one, due('backlog', -90));
  t.deepEqual(await findOldestDue(store, 'items', 'worker'), later(-7));
});

test.serial('a claimed row is due again after a pause that doubles with each claim', async (t) => {
  const trace = { traceparent: '00-1-2-01' };
  const row = await add('items', one, { ...due('workflow', 0), trace });
  let rows: readonly Row[] = [row];
  for (const [tries, pauseMs] of [
    [1, 2_000],
    [2, 4_000],
    [3, 8_000],
  ] as const) {
    rows = await claimDue(store, 'items', { rows, now: noon });
    t.deepEqual(await read('items', row._id), { by: 'workflow', at: later(pauseMs), tries, trace });
    t.deepEqual(rows[0]?.due, await read('items', row._id));
  }
});

test.serial('of two that claim the same rows at once one has its claim stored: the pause grows once', async (t) => {
  const rows = [await add('items', one, due('workflow', 0)), await add('items', one, due('workflow', -1))];
  await Promise.all([1, 2, 3, 4].map((ms) => claimDue(store, 'items', { rows, now: later(ms) })));
  for (const { _id } of rows) {
    const claimed = await read('items', _id);
    t.is(claimed?.tries, 1);
    t.true([1, 2, 3, 4].includes((claimed?.at.getTime() ?? 0) - noon.getTime() - 2_000));
  }
  await awaitMajority(store);
  t.deepEqual(await listDueQueues(store, later(1_000)), []);
});

test.serial('a row that was written since it was read keeps its own date, whoever claims or changes it', async (t) => {
  const row = await add('items', one, due('workflow', 0));
  for (const written of [due('worker', 0), due('workflow', 5), null]) {
    await rowsOf('items').updateOne({ _id: row._id }, { $set: { due: written } });
    await claimDue(store, 'items', { rows: [row], now: noon });
    await changeDue(store, 'items', { rows: [row], due: due('workflow', 99) });
    t.deepEqual(await read('items', row._id), written);
  }
});

test.serial('a row that is given to another part keeps the trace of its write', async (t) => {
  const trace = { traceparent: '00-1-2-01' };
  const rows = [await add('items', one, { ...due('worker', 0), trace }), await add('items', one, due('worker', 0))];
  await changeDue(store, 'items', { rows, due: due('workflow', 7) });
  t.deepEqual(await read('items', rows[0]?._id ?? ''), { ...due('workflow', 7), trace });
  t.deepEqual(await read('items', rows[1]?._id ?? ''), due('workflow', 7));
});

test.serial('nothing is asked of the database for no rows', async (t) => {
  t.deepEqual(await claimDue(store, 'items', { rows: [], now: noon }), []);
  await t.notThrowsAsync(changeDue(store, 'items', { rows: [], due: due('worker', 0) }));
});
