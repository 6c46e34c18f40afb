import test from 'ava';
import fc from 'fast-check';
import { accountId, type AccountId } from '../../features/rules/ids.ts';
import {
  callsOfPublication,
  dayMs,
  decideCalls,
  type CountedMethod,
  type CallPurpose,
  type CallUse,
} from '../../features/listings/rules/call-budget.ts';
import { checkProperty } from '../support/check-property.ts';

const midnight = Date.parse('2026-11-21T00:00:00Z');
const at = (dayPart: number): Date => new Date(midnight + Math.round(dayPart * dayMs));
const [a, b, c] = [accountId('a'), accountId('b'), accountId('c')] as const;

const use = (byAccount: readonly (readonly [AccountId, number])[], more: Partial<CallUse> = {}): CallUse => ({
  total: byAccount.reduce((sum, [, calls]) => sum + calls, 0),
  byAccount: new Map(byAccount),
  accountsDayBefore: 0,
  exhaustedUntil: null,
  ...more,
});

interface Asked {
  readonly calls?: number;
  readonly method?: CountedMethod;
  readonly isLast?: boolean;
  readonly purpose?: CallPurpose;
  readonly dayPart?: number;
  readonly callsPerDay?: number;
}

const ask = (account: AccountId, known: CallUse, asked: Asked = {}) => {
  const { calls = 1, method = 'create', purpose = 'publish', dayPart = 0, callsPerDay = 100, isLast = false } = asked;
  return decideCalls(callsPerDay, known, { account, method, purpose, calls, isLast, now: at(dayPart) });
};

/** A day at the marketplace, as the counters keep it. */
class Day {
  readonly byAccount = new Map<AccountId, number>();
  total = 0;
  readonly callsPerDay: number;
  readonly accountsDayBefore: number;

  constructor(callsPerDay: number, accountsDayBefore: number) {
    this.callsPerDay = callsPerDay;
    this.accountsDayBefore = accountsDayBefore;
  }

  ask(account: AccountId, asked: Asked = {}): boolean {
    const known = {
      ...use([]),
      total: this.total,
      byAccount: this.byAccount,
      accountsDayBefore: this.accountsDayBefore,
    };
    const { kind } = ask(account, known, { ...asked, callsPerDay: this.callsPerDay });
    const calls = kind === 'granted' ? (asked.calls ?? 1) : 0;
    this.byAccount.set(account, (this.byAccount.get(account) ?? 0) + calls);
    this.total += calls;
    return kind === 'granted';
  }

  of = (account: AccountId): number => this.byAccount.get(account) ?? 0;
}

const accounts = Array.from({ length: 12 }, (_, index) => accountId(`account-${index}`));
const someAccount = (count: number) => fc.integer({ min: 0, max: count - 1 });
const accountOf = (index: number): AccountId => accounts[index] ?? a;

test('whatever the order of requests, everybody with demand gets an even share, and no day goes over its budget', async (t) => {
  await checkProperty(
    t,
    fc.property(
      fc.integer({ min: 1, max: 12 }).chain((count) =>
        fc.record({
          count: fc.constant(count),
          callsPerDay: fc.integer({ min: 1, max: 300 }),
          order: fc.array(fc.record({ index: someAccount(count), calls: fc.integer({ min: 1, max: 6 }) }), {
            maxLength: 300,
          }),
        }),
      ),
      ({ count, callsPerDay, order }) => {
        const day = new Day(callsPerDay, count);
        const share = Math.floor(callsPerDay / 2 / (count + 1));
        for (const { index, calls } of order) {
          const account = accountOf(index);
          const isWithinShare = day.of(account) + calls <= share;
          const wasGranted = day.ask(account, { calls });
          if (isWithinShare && !wasGranted) return false;
          if (day.total > callsPerDay) return false;
        }
        return true;
      },
    ),
    { numRuns: 1_000 },
  );
});

test('after the first half nobody goes over the even share while another has not had its own', async (t) => {
  await checkProperty(
    t,
    fc.property(
      fc.integer({ min: 2, max: 12 }).chain((count) =>
        fc.record({
          count: fc.constant(count),
          callsPerDay: fc.integer({ min: 20, max: 300 }),
          order: fc.array(someAccount(count), { maxLength: 400 }),
        }),
      ),
      ({ count, callsPerDay, order }) => {
        const day = new Day(callsPerDay, count);
        const share = Math.max(1, Math.floor(callsPerDay / 2 / (count + 1)));
        return order.every((index) => {
          const before = day.total;
          const unused = accounts
            .slice(0, count)
            .reduce((sum, id) => sum + (id === accountOf(index) ? 0 : Math.max(0, share - day.of(id))), 0);
          const wasGranted = day.ask(accountOf(index));
          const isOverShare = day.of(accountOf(index)) > share;
          // What it got beyond its share left enough for what everybody else has not had yet.
          return !wasGranted || !isOverShare || callsPerDay - before - 1 >= unused;
        });
      },
    ),
    { numRuns: 1_000 },
  );
});

test('through any day the total stays within the budget, also when more accounts come than were expected', async (t) => {
  await checkProperty(
    t,
    fc.property(
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 0, max: 12 }),
      fc.array(
        fc.record({
          index: someAccount(12),
          calls: fc.integer({ min: 1, max: 12 }),
          dayPart: fc.double({ min: 0, max: 0.9999, noNaN: true }),
          purpose: fc.constantFrom<CallPurpose>('take_down', 'publish', 'price', 'feed'),
          method: fc.constantFrom<CountedMethod>('commit', 'item', 'all'),
        }),
        { maxLength: 200 },
      ),
      (callsPerDay, accountsDayBefore, requests) => {
        const day = new Day(callsPerDay, accountsDayBefore);
        const inOrder = requests.toSorted((one, two) => one.dayPart - two.dayPart);
        for (const { index, ...asked } of inOrder) day.ask(accountOf(index), asked);
        return day.total <= callsPerDay;
      },
    ),
    { numRuns: 1_000 },
  );
});

test('a refusal says when to ask again: within the hour, and then the calls are free or it is known better', async (t) => {
  await checkProperty(
    t,
    fc.property(
      fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 10 }),
      fc.double({ min: 0, max: 0.99, noNaN: true }),
      (uses, calls, dayPart) => {
        const known = use(uses.map((used, index) => [accountOf(index), used] as const));
        const decision = ask(accountOf(0), known, { calls, dayPart });
        if (decision.kind === 'granted') return true;
        const waitMs = decision.until.getTime() - at(dayPart).getTime();
        if (waitMs <= 0 || waitMs > 3_600_000 || decision.until > at(1)) return false;
        const isUsedUp = known.total + calls > 100;
        const later = (decision.until.getTime() - midnight) / dayMs;
        return (
          isUsedUp || waitMs === 3_600_000 || ask(accountOf(0), known, { calls, dayPart: later }).kind === 'granted'
        );
      },
    ),
    { numRuns: 1_000 },
  );
});

test('one greedy account leaves the others their share, and has the whole budget by midnight when they want nothing', (t) => {
  const day = new Day(100, 3);
  for (let n = 0; n < 500; n += 1) day.ask(a);
  t.is(day.of(a), 64, 'three unused shares of 12 stay: two expected accounts and one to come');
  for (let n = 0; n < 50; n += 1) {
    day.ask(b);
    day.ask(c);
  }
  t.deepEqual([day.of(b) >= 12, day.of(c) >= 12], [true, true]);
  const alone = new Day(100, 3);
  for (let minute = 0; minute < 1440; minute += 1) alone.ask(a, { dayPart: minute / 1440 });
  t.is(alone.total, 100);
});

test('looks of many accounts are even: one with a long feed takes nothing that another needs', (t) => {
  const asked = { method: 'updated_items', purpose: 'feed' } as const;
  const day = new Day(100, 10);
  const greedy = accountOf(0);
  for (let look = 0; look < 100; look += 1) {
    const account = accountOf(look % 10);
    const pages = account === greedy ? 20 : 1;
    for (let page = 0; page < pages; page += 1) day.ask(account, { ...asked, dayPart: look / 100 });
  }
  for (const account of accounts.slice(1, 10)) t.true(day.of(account) >= 9, `${account} had ${day.of(account)} of 10`);
  t.true(day.total <= 100);
});

test('what shares its calls leaves a part to what is more urgent: looks to prices, prices to publishing, that to take-downs', (t) => {
  const used = use(
    [
      [a, 30],
      [b, 30],
      [c, 30],
    ],
    { accountsDayBefore: 3 },
  );
  const kindOf = (method: CountedMethod, purpose: CallPurpose, calls: number): string =>
    ask(a, { ...used, total: calls }, { method, purpose, dayPart: 0.99 }).kind;
  for (const method of ['all', 'item'] as const) {
    t.deepEqual([kindOf(method, 'feed', 60), kindOf(method, 'feed', 50)], ['wait', 'granted']);
    t.deepEqual([kindOf(method, 'price', 80), kindOf(method, 'price', 70)], ['wait', 'granted']);
    t.deepEqual([kindOf(method, 'publish', 90), kindOf(method, 'publish', 80)], ['wait', 'granted']);
    t.is(kindOf(method, 'take_down', 98), 'granted');
  }
  t.is(kindOf('image', 'publish', 98), 'granted', 'nothing else needs pictures');
});

test('a commit is refused only when nothing at all is left', (t) => {
  const used = use(
    [
      [a, 90],
      [b, 9],
    ],
    { accountsDayBefore: 5 },
  );
  for (const method of ['commit', 'all'] as const) {
    t.is(ask(a, used, { method, isLast: true }).kind, 'granted');
    t.is(ask(a, use([[a, 100]]), { method, isLast: true }).kind, 'wait');
  }
  t.is(ask(a, used, { method: 'create' }).kind, 'wait');
});

test("the marketplace's own word that nothing is left counts above all", (t) => {
  const until = at(0.5);
  t.deepEqual(ask(a, use([], { exhaustedUntil: until }), { dayPart: 0.4 }), { kind: 'wait', until });
  t.is(ask(a, use([], { exhaustedUntil: until }), { dayPart: 0.6 }).kind, 'granted');
});

test('with nothing left it is looked again within the hour, and at midnight at the latest', (t) => {
  const full = use([[a, 100]]);
  t.deepEqual(ask(a, full, { dayPart: 0.5 }), { kind: 'wait', until: new Date(at(0.5).getTime() + 3_600_000) });
  t.deepEqual(ask(a, full, { dayPart: 0.99 }), { kind: 'wait', until: at(1) });
});

test('the calls of a publication grow with its pictures only', (t) => {
  t.deepEqual(callsOfPublication(5), { create: 1, image: 5, commit: 1, results: 2, item: 1 });
});
