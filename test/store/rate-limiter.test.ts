import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import type { RateRule, RateVerdict } from '../../core/rate-limits/rate-rule.ts';
import { takeShare, windowMs } from '../../store/rate-limits/rate-buckets.ts';
import { createRateLimiter, type RateLimiter } from '../../store/rate-limits/rate-limiter.ts';
import { makeClock, patient, rule, withThreeStores, type Clock } from './support/limiter-world.ts';

const { stores, open, store } = withThreeStores(test);
const slow: RateRule = { name: 'login', capacity: 5, perSecond: 5 / 900 };

/** One of each process: they share nothing but the database. */
const limiters = (of: RateRule, { now }: Clock): RateLimiter[] =>
  stores().map((one) => createRateLimiter(one, of, { ...patient, now }));

interface Hammering {
  readonly clock: Clock;
  readonly key: string;
  readonly forMs: number;
}

/** Each calls 20 times every 20 ms; how many were let through, and in which time. */
async function hammer(all: readonly RateLimiter[], { clock, key, forMs }: Hammering) {
  const began = clock.passed();
  const verdicts: RateVerdict[] = [];
  while (clock.passed() - began < forMs) {
    const calls = all.flatMap((limiter) => Array.from({ length: 20 }, () => limiter.consume(key)));
    verdicts.push(...(await Promise.all(calls)));
    clock.pass(20);
  }
  const allowed = verdicts.filter((verdict) => verdict.allowed).length;
  return { allowed, refused: verdicts.length - allowed, seconds: (clock.passed() - began) / 1000 };
}

test('three processes that are hammered let through what one bucket would, and nearly all of it', async (t) => {
  const clock = makeClock();
  const hammering = { clock, key: randomUUID(), forMs: 2_500 };
  const { allowed, refused, seconds } = await hammer(limiters(rule, clock), hammering);
  const most = rule.capacity + rule.perSecond * seconds;
  t.true(allowed <= most, `${allowed} of at most ${most}`);
  t.true(refused > 0);
  // Missing: a share (25) of each process, and what came back during the last round trip.
  t.true(allowed >= most - 3 * 25 - 2, `${allowed} of ${most}`);
});

test('the limit holds over the end of a window too', async (t) => {
  const clock = makeClock();
  const all = limiters(rule, clock);
  const key = randomUUID();
  // Shares are given out, and the bucket fills up behind them.
  clock.pass(windowMs - 4_000);
  await hammer(all, { clock, key, forMs: 300 });
  clock.pass(windowMs - 400 - clock.passed());
  const { allowed, seconds } = await hammer(all, { clock, key, forMs: 1_200 });
  const most = rule.capacity + rule.perSecond * seconds;
  t.true(allowed <= most, `${allowed} of at most ${most}`);
  // Missing: the shares of the window that ends, and those of the next.
  t.true(allowed >= most - 2 * 3 * 25, `${allowed} of ${most}`);
});

test('calls of many sizes at once never take more than there is', async (t) => {
  const key = randomUUID();
  const sizes = Array.from({ length: 90 }, (_, index) => 1 + ((index * 7) % 50));
  const all = limiters(rule, makeClock());
  const verdicts = await Promise.all(sizes.map(async (points, index) => all[index % 3]?.consume(key, points)));
  const taken = sizes.reduce((sum, points, index) => sum + (verdicts[index]?.allowed === true ? points : 0), 0);
  t.true(taken <= rule.capacity, String(taken));
  t.true(taken >= rule.capacity - 50, String(taken));
});

test('who hammers while refused gets through at the announced time all the same', async (t) => {
  const clock = makeClock();
  const limiter = createRateLimiter(store(), rule, { ...patient, now: clock.now });
  const key = randomUUID();
  let verdict: RateVerdict;
  do verdict = await limiter.consume(key, 150);
  while (verdict.allowed);
  const announced = clock.passed() + verdict.resetSeconds * 1000;
  // The announcement is in whole seconds.
  while (clock.passed() < announced - 1_000) {
    t.false((await limiter.consume(key, 150)).allowed);
    clock.pass(10);
  }
  clock.pass(announced - clock.passed());
  t.true((await limiter.consume(key, 150)).allowed);
});

test('a slow rule is exact from one process to the next, and says when it lets go', async (t) => {
  const key = randomUUID();
  const all = limiters(slow, makeClock());
  const verdicts: (RateVerdict | undefined)[] = [];
  for (let call = 0; call < 7; call += 1) verdicts.push(await all[call % 3]?.consume(key));
  t.deepEqual(
    verdicts.map((verdict) => verdict?.allowed),
    [true, true, true, true, true, false, false],
  );
  t.deepEqual(verdicts[0], { allowed: true, limit: 5, remaining: 4, resetSeconds: 720 });
  t.is(verdicts[5]?.remaining, 0);
  t.true((verdicts[5]?.resetSeconds ?? 0) > 150 && (verdicts[5]?.resetSeconds ?? 0) <= 180);
});

test('a call that is worth more than the capacity is worth the capacity: it gets through some day', async (t) => {
  const limiter = createRateLimiter(store(), rule, { ...patient, now: makeClock().now });
  const key = randomUUID();
  t.true((await limiter.consume(key, 5_000)).allowed);
  const { allowed, resetSeconds } = await limiter.consume(key, 5_000);
  t.false(allowed);
  t.true(resetSeconds <= 2);
});

test('a busy key costs a round trip for every few calls only', async (t) => {
  const clock = makeClock();
  const limiter = createRateLimiter(store(), rule, { ...patient, now: clock.now });
  const key = randomUUID();
  const commands: string[] = [];
  const client = store().connection.getClient();
  client.on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'findAndModify' && JSON.stringify(command).includes(key)) commands.push(commandName);
  });
  for (let call = 0; call < 100; call += 1) {
    t.true((await limiter.consume(key)).allowed);
    clock.pass(2);
    await turn();
  }
  t.true(commands.length <= 30, `${commands.length} round trips for 100 calls`);
});

for (const [end, granted] of [
  ['before', 190],
  ['after', 200],
] as const)
  test(`${end} the end of its window an unused share of 10 leaves ${granted} of a full bucket`, async (t) => {
    const clock = makeClock();
    const ask = { key: randomUUID(), needed: 1, unit: 1, extra: 10, spent: 0, window: 0 };
    t.is((await takeShare(store(), rule, { ...ask, now: clock.now() })).granted, 11);
    clock.pass(end === 'before' ? windowMs - 1 : windowMs);
    const next = { ...ask, needed: granted, extra: 10, now: clock.now() };
    t.is((await takeShare(store(), rule, next)).granted, granted);
  });

test('without the database each process counts for itself, at once, and asks again later', async (t) => {
  const gone = await open();
  await gone.close();
  const clock = makeClock();
  const troubles: unknown[] = [];
  const limiter = createRateLimiter(gone, slow, {
    ...{ restMs: 50, now: clock.now },
    onTrouble: (error) => troubles.push(error),
  });
  const verdicts: RateVerdict[] = [];
  for (let call = 0; call < 6; call += 1) verdicts.push(await limiter.consume('somebody'));
  clock.pass(60);
  verdicts.push(await limiter.consume('somebody'));
  t.deepEqual(
    verdicts.map(({ allowed }) => allowed),
    [true, true, true, true, true, false, false],
  );
  t.is(troubles.length, 1);
});

test('a call waits no longer than it may, also when it came during a request and needs one of its own', async (t) => {
  const letThrough: (() => void)[] = [];
  const command = async (query: Record<string, unknown>): Promise<unknown> => {
    await new Promise<void>((resolve) => letThrough.push(resolve));
    return store().connection.db?.command(query);
  };
  const connection = new Proxy(store().connection, {
    get: (target, name) => (name === 'db' ? { command } : Reflect.get(target, name)),
  });
  // A real limit, which the second call waits for: long enough for a busy machine to answer the first one.
  const limiter = createRateLimiter({ ...store(), connection }, rule, { waitMaxMs: 3_000 });
  const key = randomUUID();
  const [first, second] = [limiter.consume(key), limiter.consume(key, 5)];
  letThrough[0]?.();
  t.true((await first).allowed);
  // The request for it is never answered.
  t.true((await second).allowed);
  t.is(letThrough.length, 2);
  letThrough[1]?.();
});

test('an outage of the database gives no attempts back that an earlier one has used up', async (t) => {
  const clock = makeClock();
  let isGone = false;
  const connection = new Proxy(store().connection, {
    get: (target, name): unknown => {
      if (name === 'db' && isGone) throw new Error('out of reach');
      return Reflect.get(target, name);
    },
  });
  const limiter = createRateLimiter({ ...store(), connection }, slow, { ...patient, restMs: 20, now: clock.now });
  const key = randomUUID();
  let allowed = 0;
  for (let outage = 0; outage < 5; outage += 1) {
    isGone = true;
    for (let call = 0; call < 8; call += 1) if ((await limiter.consume(key)).allowed) allowed += 1;
    isGone = false;
    clock.pass(30);
    // The database is there again: somebody else's call finds out.
    await limiter.consume(randomUUID());
  }
  t.is(allowed, slow.capacity);
});

test('a database that does not answer holds a call up no longer than it may', async (t) => {
  const connection = new Proxy(store().connection, {
    get: (target, name) =>
      name === 'db' ? { command: () => new Promise(() => undefined) } : Reflect.get(target, name),
  });
  const limiter = createRateLimiter({ ...store(), connection }, rule, { waitMaxMs: 100 });
  const verdicts = await Promise.all(Array.from({ length: 300 }, () => limiter.consume('somebody')));
  const allowed = verdicts.filter((verdict) => verdict.allowed).length;
  t.true(allowed >= 200 && allowed < 250, String(allowed));
  // The next ones don't wait at all.
  const next = limiter.consume('somebody').then(() => 'answered at once');
  t.is(await Promise.race([next, turn('waited')]), 'answered at once');
});
