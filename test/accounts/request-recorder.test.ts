import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, type AccountId } from '../../features/rules/ids.ts';
import { insertCalls, readCalls, trimCalls, type LoggedCall } from '../../features/accounts/store/request-log.ts';
import { createRequestRecorder, waitingMax } from '../../features/accounts/request-log.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { awaitMajority, closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { present } from '../support/clock.ts';

let store: StoreConnection;
test.before('the database opens', async () => {
  store = await openTestStore();
});
test.after.always('the database closes', () => closeTestStore(store));

const silent = { warn: () => undefined };
const readAll = async (account: AccountId) => {
  await awaitMajority(store);
  return readCalls(store, account, { filter: {}, before: null, limit: 1_000 });
};

const aCall = (account: AccountId, change: Partial<LoggedCall> = {}): LoggedCall => ({
  accountId: account,
  keyId: 'key',
  memberId: null,
  at: present(),
  method: 'GET',
  path: '/',
  status: 200,
  code: null,
  fields: [],
  requestId: 'r',
  durationMs: 1,
  ...change,
});
const anAccount = () => accountId(randomUUID());

test('more calls than may wait are dropped and counted', async (t) => {
  const account = anAccount();
  let dropped = 0;
  const onDropped = (count: number): void => void (dropped += count);
  const recorder = createRequestRecorder({ store, logger: silent, onDropped });
  for (let n = 0; n < waitingMax + 3; n += 1) recorder.note(aCall(account));
  await recorder.settle();
  t.is(dropped, 3);
  t.is((await readAll(account)).length, 1_000);
});

test('a write that fails drops and counts its calls, and the next one is written', async (t) => {
  const account = anAccount();
  let dropped = 0;
  let isBroken = true;
  const whileBroken = new Proxy(store, {
    get: (of, name) => {
      if (isBroken && name === 'connection') throw new Error('out of reach');
      return Reflect.get(of, name) as unknown;
    },
  });
  const onDropped = (count: number): void => void (dropped += count);
  const recorder = createRequestRecorder({ store: whileBroken, logger: silent, onDropped });
  recorder.note(aCall(account));
  await recorder.settle();
  isBroken = false;
  recorder.note(aCall(account));
  await recorder.settle();
  t.is(dropped, 1);
  t.is((await readAll(account)).length, 1);
});

test('the newest calls of an account stay, refused ones apart from the others, and of other accounts all', async (t) => {
  const [full, other] = [anAccount(), anAccount()];
  const at = (n: number) => present(-60_000 + n);
  const answered = Array.from({ length: 8 }, (_, n) => aCall(full, { at: at(n + 10), path: `/${n}` }));
  const refused = Array.from({ length: 2 }, (_, n) => aCall(full, { at: at(n), status: n === 0 ? 422 : null }));
  await insertCalls(store, [...answered, ...refused, aCall(other, { at: at(0) })]);
  await trimCalls(store, full, 3);
  const kept = await readAll(full);
  t.deepEqual(
    kept.map(({ path, status }) => [path, status]),
    [
      ['/7', 200],
      ['/6', 200],
      ['/5', 200],
      ['/', null],
      ['/', 422],
    ],
  );
  t.is((await readAll(other)).length, 1);
});

test('the log of an account is trimmed at random, about once in a thousand calls', async (t) => {
  const account = anAccount();
  const drawn = [1, 1, 1, 0.0011, 1, 1, 1, 0.0009];
  const random = () => drawn.shift() ?? 1;
  const recorder = createRequestRecorder({ store, logger: silent, onDropped: () => undefined, keptMax: 2, random });
  const noteFour = async () => {
    for (let n = 0; n < 4; n += 1) recorder.note(aCall(account, { at: present(n) }));
    await recorder.settle();
    return (await readAll(account)).length;
  };
  t.is(await noteFour(), 4);
  t.is(await noteFour(), 2);
});
