import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId } from '../../core/ids.ts';
import type { CallCounts, CallPurpose } from '../../core/listings/call-budget.ts';
import { createCallCounters, type CallCounters } from '../../store/paid-calls/call-counters.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { createCallBudget, uncountedFromCallsPerDay } from '../../usecases/listings/budgeted-marketplace.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { present } from '../support/clock.ts';

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(async () => {
  await closeTestStore(store);
});

let daysUsed = 0;

/** A budget on days of the test's own, since the counters are shared by all that use the marketplace. */
function aBudget(callsPerDay: number) {
  daysUsed += 2;
  // In the future, so that the rows don't expire under the test.
  const start = new Date(Date.UTC(2090, 0, daysUsed));
  let now = start;
  const counters = createCallCounters(store);
  // Two workers.
  const budgets = [0, 1].map(() => createCallBudget({ counters, callsPerDay, now: () => now }));
  const [budget = createCallBudget({ counters, callsPerDay, now: () => now })] = budgets;
  const claim = (account: string, calls: CallCounts, purpose: CallPurpose = 'publish') => ({
    account: accountId(account),
    purpose,
    calls,
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
        const decision = await budget?.take(claim(account, { create: 1 }));
        if (decision?.kind === 'granted') granted.set(account, (granted.get(account) ?? 0) + 1);
      }),
    ).flat(),
  );
  const total = [...granted.values()].reduce((sum, calls) => sum + calls, 0);
  t.true(total <= 60 && total >= 45, `${total} of 60`);
  t.is(await usedOf('create'), total, 'what was refused was given back');
  for (const calls of granted.values()) t.true(calls >= 4, `${calls} calls`);
});

test('a claim over several methods takes all or nothing', async (t) => {
  const { budget, claim, usedOf } = aBudget(10);
  const account = randomUUID();
  t.is((await budget.take(claim(account, { image: 12 }))).kind, 'wait');
  t.is((await budget.take(claim(account, { revise: 1, image: 12, commit: 1 }, 'revise'))).kind, 'wait');
  t.deepEqual([await usedOf('revise'), await usedOf('image'), await usedOf('commit')], [0, 0, 0]);
  t.is((await budget.take(claim(account, { revise: 1, image: 2, commit: 1 }, 'revise'))).kind, 'granted');
  t.deepEqual([await usedOf('revise'), await usedOf('image'), await usedOf('commit')], [1, 2, 1]);
});

test('a check takes nothing, and names the longest wait of its methods', async (t) => {
  const { budget, claim, usedOf, start } = aBudget(10);
  const account = randomUUID();
  t.is((await budget.check(claim(account, { create: 1, image: 2, commit: 1 }))).kind, 'granted');
  t.is(await usedOf('image'), 0);
  await budget.learnExhausted('commit', 7_200_000);
  await budget.learnExhausted('image', 60_000);
  const decision = await budget.check(claim(account, { create: 1, image: 2, commit: 1 }));
  t.deepEqual(decision, { kind: 'wait', until: new Date(start.getTime() + 7_200_000) });
});

test('what is given back can be taken again, and midnight frees everything', async (t) => {
  const { budget, claim, advanceMs } = aBudget(2);
  const [one, two] = [randomUUID(), randomUUID()];
  t.is((await budget.take(claim(one, { price: 1 }, 'revise'))).kind, 'granted');
  t.is((await budget.take(claim(two, { price: 1 }, 'revise'))).kind, 'wait');
  await budget.giveBack(claim(one, { price: 1 }, 'revise'));
  t.is((await budget.take(claim(two, { price: 1 }, 'revise'))).kind, 'granted');
  await budget.learnExhausted('price', 10 * 86_400_000);
  advanceMs(86_399_000);
  t.is((await budget.take(claim(one, { price: 1 }, 'revise'))).kind, 'wait');
  advanceMs(1_000);
  t.is((await budget.take(claim(one, { price: 1 }, 'revise'))).kind, 'granted');
});

test('who used the method the day before is expected, so that an early riser leaves them their share', async (t) => {
  const { budget, claim, advanceMs } = aBudget(40);
  const accounts = [randomUUID(), randomUUID(), randomUUID()] as const;
  for (const account of accounts) await budget.take(claim(account, { create: 1 }));
  advanceMs(86_400_000);
  let granted = 0;
  while ((await budget.take(claim(accounts[0], { create: 1 }))).kind === 'granted') granted += 1;
  t.is(granted, 40 - 3 * 5);
  for (let n = 0; n < 5; n += 1)
    for (const account of accounts.slice(1)) t.is((await budget.take(claim(account, { create: 1 }))).kind, 'granted');
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
    const budget = createCallBudget({ counters, callsPerDay, now: present });
    const claim = { account: accountId(randomUUID()), purpose: 'publish', calls: { create: 1 } } as const;
    t.is((await budget.take(claim)).kind, 'granted');
    t.is((await budget.check(claim)).kind, 'granted');
    await budget.giveBack(claim);
    await budget.learnExhausted('create', 1_000);
    t.deepEqual(await budget.readUse(), { callsPerDay: null, methods: [] });
  }
});

test('the use of the day can be read per method', async (t) => {
  const { budget, claim } = aBudget(10);
  await budget.take(claim(randomUUID(), { create: 1, image: 2 }));
  await budget.take(claim(randomUUID(), { create: 1 }));
  t.deepEqual(await budget.readUse(), {
    callsPerDay: 10,
    methods: [
      { method: 'create', calls: 2, accounts: 2, exhaustedUntil: null },
      { method: 'image', calls: 2, accounts: 1, exhaustedUntil: null },
    ],
  });
});
