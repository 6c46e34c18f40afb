import test from 'ava';
import { accountId } from '../../features/rules/ids.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { insertCalls, readCalls, trimCalls, type LoggedCall } from '../../features/accounts/store/request-log.ts';
import { awaitMajority, closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { profileQueries } from '../support/profile-queries.ts';
import { present } from '../support/clock.ts';

let store: StoreConnection;
const mine = accountId('mine');
const now = present().getTime();
const aCall = (n: number): LoggedCall => ({
  accountId: n % 2 === 0 ? mine : accountId('other'),
  keyId: 'key',
  memberId: null,
  at: new Date(now + n),
  method: 'GET',
  path: `/${n}`,
  status: n % 10 === 0 ? 422 : 200,
  code: null,
  fields: [],
  requestId: 'r',
  durationMs: 1,
});

test.before('4,000 calls of two accounts, every tenth refused', async () => {
  store = await openTestStore();
  await insertCalls(
    store,
    Array.from({ length: 4_000 }, (_, n) => aCall(n)),
  );
  await awaitMajority(store);
});
test.after.always(() => closeTestStore(store));

test.serial('a page is read in the order of the index, whatever it is filtered by, without sorting', async (t) => {
  const newest = { filter: {}, before: null, limit: 50 };
  const refused = { ...newest, filter: { status: 'refused' as const } };
  const [edge] = await readCalls(store, mine, { ...newest, limit: 1 });
  if (edge === undefined) throw new Error('there are no calls');
  const next = { ...newest, before: { at: edge.at, id: edge._id.toHexString() } };
  for (const query of [newest, refused, next]) {
    const [profiled] = await profileQueries(store, () => readCalls(store, mine, query));
    t.not(profiled?.hasSortStage, true, profiled?.planSummary);
    t.true((profiled?.docsExamined ?? 1_000) <= 55, JSON.stringify(profiled));
    t.true((profiled?.keysExamined ?? 1_000) <= 60, JSON.stringify(profiled));
  }
});

test.serial('what is too old is found by keys alone', async (t) => {
  const profiled = await profileQueries(store, () => trimCalls(store, mine, 1_000));
  t.true(
    profiled.every(({ docsExamined }) => docsExamined === 0),
    JSON.stringify(profiled),
  );
  await awaitMajority(store);
  const left = await readCalls(store, mine, { filter: {}, before: null, limit: 5_000 });
  t.is(left.filter(({ status }) => status === 200).length, 1_000);
});
