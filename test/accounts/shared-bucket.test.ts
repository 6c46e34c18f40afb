import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { RateRule } from '../../features/accounts/rules/token-bucket.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { takeSharedTokens } from '../../features/accounts/store/shared-bucket.ts';
import { closeTestStore, openBeside, openTestStore } from '../support/open-test-store.ts';
import { present } from '../support/clock.ts';

const login: RateRule = { name: 'login', capacity: 5, perSecond: 5 / 900 };

let first: StoreConnection;
let stores: StoreConnection[] = [];
test.before(async () => {
  first = await openTestStore();
  stores = [first, await openBeside(first), await openBeside(first)];
});
test.after.always(async () => {
  await Promise.all(stores.slice(1).map((store) => store.close()));
  await closeTestStore(first);
});
const storeOf = (process: number): StoreConnection => stores[process % stores.length] as StoreConnection;

/** Far enough in the future that the database removes no row. */
const begin = present(3_600_000).getTime();
const after = (seconds: number): Date => new Date(begin + seconds * 1000);

test('calls that three processes make at once for a new key are allowed as one bucket would', async (t) => {
  for (let round = 0; round < 5; round += 1) {
    const key = randomUUID();
    const calls = Array.from({ length: 30 }, (_, n) => takeSharedTokens(storeOf(n), login, { key, points: 1 }));
    const verdicts = await Promise.all(calls);
    t.is(verdicts.filter(({ allowed }) => allowed).length, 5);
  }
});

test('a refused call takes nothing and gets through after the seconds it was told, in whichever process', async (t) => {
  const key = randomUUID();
  const take = (process: number, seconds: number, points = 1) =>
    takeSharedTokens(storeOf(process), login, { key, points, now: after(seconds) });
  for (let n = 0; n < 5; n += 1) t.true((await take(n, 0)).allowed);
  const refused = await take(1, 10);
  t.deepEqual(refused, { allowed: false, limit: 5, remaining: 0, resetSeconds: 170 });
  for (let n = 0; n < 9; n += 1) t.false((await take(n, 10 + n)).allowed);
  t.false((await take(2, 179)).allowed);
  t.true((await take(0, 180)).allowed);
  t.false((await take(1, 180)).allowed);
});

test('a clock that is set back adds nothing, and a full bucket holds its capacity', async (t) => {
  const key = randomUUID();
  const take = async (seconds: number) =>
    (await takeSharedTokens(storeOf(0), login, { key, points: 1, now: after(seconds) })).remaining;
  t.is(await take(0), 4);
  t.is(await take(100_000), 4);
  t.is(await take(0), 3);
  t.is(await take(100_000), 2);
});

test('a call that is worth more than the capacity is worth the capacity: it gets through some day', async (t) => {
  const key = randomUUID();
  const take = (seconds: number) => takeSharedTokens(storeOf(0), login, { key, points: 9, now: after(seconds) });
  t.true((await take(0)).allowed);
  t.is((await take(1)).resetSeconds, 899);
  t.true((await take(900)).allowed);
});
