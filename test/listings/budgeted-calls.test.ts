import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId } from '../../features/rules/ids.ts';
import type { CallLimit, CallMethod, CallPurpose } from '../../features/listings/rules/call-budget.ts';
import { createCallCounters, type CallCounters } from '../../features/accounts/store/call-counters.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { createCallBudget, uncountedFromCallsPerDay } from '../../features/listings/call-budget.ts';
import { withDatabase } from '../support/with-database.ts';
import { present } from '../support/clock.ts';

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

let daysUsed = 0;

/** A budget on days of the test's own, since the counters are shared by all that use the marketplace. */
function aBudget(callsPerDay: number, limit: CallLimit = 'per_method') {
  daysUsed += 2;
  // In the future, so that the rows don't expire under the test.
  const start = new Date(Date.UTC(2090, 0, daysUsed));
  let now = start;
  const counters = createCallCounters(store);
  // Two workers.
  const budgets = [0, 1].map(() => createCallBudget({ counters, callsPerDay, limit, now: () => now }));
  const [budget = createCallBudget({ counters, callsPerDay, limit, now: () => now })] = budgets;
  const claim = (account: string, method: CallMethod, purpose: CallPurpose = 'publish') => ({
    account: accountId(account),
    purpose,
    method,
  });
  return {
    budget,
    budgets,
    start,
    claim,
    advanceMs: (ms: number) => {
      now = new Date(now.getTime() + ms);
    },
    usedOf: async (method: string) => (await budget.readUse()).methods.find((use) => use.method === method)?.calls ?? 0,
  };
}

test('two workers that take at the same time never take more than the day has, and share it evenly', async (t) => {
  const { budgets, claim, usedOf } = aBudget(60);
  const accounts = Array.from({ length: 5 }, () => randomUUID());
  const granted = new Map(accounts.map((account) => [account, 0]));
  await Promise.all(
    Array.from({ length: 40 }, (_, round) =>
      accounts.map(async (account, index) => {
        const budget = budgets[(round + index) % 2];
        const decision = await budget?.take(claim(account, 'create'));
        if (decision?.kind === 'granted') granted.set(account, (granted.get(account) ?? 0) + 1);
      }),
    ).flat(),
  );
  const total = [...granted.values()].reduce((sum, calls) => sum + calls, 0);
  t.true(total <= 60 && total >= 45, `${total} of 60`);
  t.is(await usedOf('create'), total, 'what was refused was given back');
  for (const calls of granted.values()) t.true(calls >= 4, `${calls} calls`);
});

test('a check takes nothing, and names the longest wait of its methods', async (t) => {
  const { budget, usedOf, start } = aBudget(10);
  const claim = { account: accountId(randomUUID()), purpose: 'publish' } as const;
  t.is((await budget.check(claim, { create: 1, image: 2, commit: 1 })).kind, 'granted');
  t.is((await budget.check(claim, { create: 1, image: 12, commit: 1 })).kind, 'wait');
  t.is(await usedOf('image'), 0);
  await budget.learnExhausted('commit', 7_200_000);
  await budget.learnExhausted('image', 60_000);
  const decision = await budget.check(claim, { create: 1, image: 2, commit: 1 });
  t.deepEqual(decision, { kind: 'wait', until: new Date(start.getTime() + 7_200_000) });
});

test('where all calls are counted together, what one method used another does not have', async (t) => {
  const { budget, claim, usedOf } = aBudget(20, 'together');
  const account = randomUUID();
  for (let n = 0; n < 8; n += 1) t.is((await budget.take(claim(account, 'image'))).kind, 'granted');
  t.is(await usedOf('all'), 8);
  t.is((await budget.check(claim(account, 'create'), { create: 1, image: 12, commit: 1 })).kind, 'wait');
  for (const method of ['create', 'results', 'commit'] as const)
    t.is((await budget.take(claim(account, method))).kind, 'granted');
  await budget.learnExhausted('image', 60_000);
  t.is((await budget.take(claim(account, 'end', 'take_down'))).kind, 'wait', 'one word counts for all');
});

test('what is given back can be taken again, and midnight frees everything', async (t) => {
  const { budget, claim, advanceMs } = aBudget(1);
  const [one, two] = [randomUUID(), randomUUID()];
  t.is((await budget.take(claim(one, 'price', 'price'))).kind, 'granted');
  t.is((await budget.take(claim(two, 'price', 'price'))).kind, 'wait');
  await budget.giveBack(claim(one, 'price', 'price'));
  t.is((await budget.take(claim(two, 'price', 'price'))).kind, 'granted');
  await budget.learnExhausted('price', 10 * 86_400_000);
  advanceMs(86_399_000);
  t.is((await budget.take(claim(one, 'price', 'price'))).kind, 'wait');
  advanceMs(1_000);
  t.is((await budget.take(claim(one, 'price', 'price'))).kind, 'granted');
});

test('who used the method the day before is expected, so that an early riser leaves them their share', async (t) => {
  const { budget, claim, advanceMs } = aBudget(40);
  const accounts = [randomUUID(), randomUUID(), randomUUID()] as const;
  for (const account of accounts) await budget.take(claim(account, 'create'));
  advanceMs(86_400_000);
  let granted = 0;
  while ((await budget.take(claim(accounts[0], 'create'))).kind === 'granted') granted += 1;
  t.is(granted, 40 - 3 * 5);
  for (let n = 0; n < 5; n += 1)
    for (const account of accounts.slice(1)) t.is((await budget.take(claim(account, 'create'))).kind, 'granted');
});

test('a budget that no day comes near costs no query at all', async (t) => {
  const refuse = (): never => t.fail('nothing may be counted');
  const counters: CallCounters = {
    add: refuse,
    giveBack: refuse,
    read: refuse,
    readDay: refuse,
    markExhausted: refuse,
  };
  for (const callsPerDay of [undefined, uncountedFromCallsPerDay]) {
    const budget = createCallBudget({ counters, callsPerDay, limit: 'together', now: () => present() });
    const claim = { account: accountId(randomUUID()), purpose: 'publish', method: 'create' } as const;
    t.is((await budget.take(claim)).kind, 'granted');
    t.is((await budget.check(claim, { create: 1 })).kind, 'granted');
    await budget.giveBack(claim);
    await budget.learnExhausted('create', 1_000);
    t.deepEqual(await budget.readUse(), { callsPerDay: null, methods: [] });
  }
});

test('the use of the day can be read per method', async (t) => {
  const { budget, claim } = aBudget(10);
  const account = randomUUID();
  for (const method of ['create', 'image', 'image'] as const) await budget.take(claim(account, method));
  await budget.take(claim(randomUUID(), 'create'));
  t.deepEqual(await budget.readUse(), {
    callsPerDay: 10,
    methods: [
      { method: 'create', calls: 2, accounts: 2, exhaustedUntil: null },
      { method: 'image', calls: 2, accounts: 1, exhaustedUntil: null },
    ],
  });
});
