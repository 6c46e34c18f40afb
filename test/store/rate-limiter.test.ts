import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import type { RateRule, RateVerdict } from '../../core/rate-limits/rate-rule.ts';
import { openStore, type StoreConnection } from '../../store/connection.ts';
import { takeShare } from '../../store/rate-buckets.ts';
import { createRateLimiter, type RateLimiter } from '../../store/rate-limiter.ts';
import { giveDatabaseBack, takeDatabase, testMongodbUri } from '../support/test-database.ts';

let database: string;
const open = (): Promise<StoreConnection> => openStore({ uri: testMongodbUri(), database });
const rule: RateRule = { name: 'key', capacity: 200, perSecond: 100 };
const slow: RateRule = { name: 'login', capacity: 5, perSecond: 5 / 900 };
/** However busy the machine is: whoever waits too long counts for itself. */
const patient = { waitMaxMs: 60_000 };
let stores: StoreConnection[];

test.before(async () => {
  database = await takeDatabase();
  stores = await Promise.all([open(), open(), open()]);
});
test.after.always(async () => {
  await Promise.all(stores.map((store) => store.close()));
  giveDatabaseBack(database);
});

const store = (): StoreConnection => stores[0] ?? ({} as StoreConnection);
/** One of each process: they share nothing but the database. */
const limiters = (of: RateRule): RateLimiter[] => stores.map((one) => createRateLimiter(one, of, patient));

/** Calls without pause on all processes until the time is over; how many were let through, and in which time. */
async function hammer(all: readonly RateLimiter[], key: string, forMs: number) {
  const startedAt = performance.now();
  let [allowed, refused] = [0, 0];
  await Promise.all(
    all.map(async (limiter) => {
      while (performance.now() - startedAt < forMs) {
        const verdicts = await Promise.all(Array.from({ length: 20 }, () => limiter.consume(key)));
        for (const verdict of verdicts) {
          if (verdict.allowed) allowed += 1;
          else refused += 1;
        }
        await delay(2);
      }
    }),
  );
  return { allowed, refused, seconds: (performance.now() - startedAt) / 1000 };
}

test('three processes that are hammered let through what one bucket would, and nearly all of it', async (t) => {
  const { allowed, refused, seconds } = await hammer(limiters(rule), randomUUID(), 2_500);
  const most = rule.capacity + rule.perSecond * seconds;
  t.true(allowed <= most, `${allowed} of at most ${most}`);
  t.true(refused > 0);
  // Missing: a share (25) of each process for each window of 10 s, and what came back during the last round trip, which is
  // long on a busy machine.
  t.true(allowed >= 0.5 * most, `${allowed} of ${most}`);
});

test('the limit holds over the end of a window too', async (t) => {
  const all = limiters(rule);
  const key = randomUUID();
  // Shares are given out, and the bucket fills up behind them.
  await Promise.all(all.map((limiter) => hammer([limiter], key, 300)));
  await delay(10_000 - (Date.now() % 10_000) - 400);
  const { allowed, seconds } = await hammer(all, key, 1_200);
  const most = rule.capacity + rule.perSecond * seconds;
  t.true(allowed <= most, `${allowed} of at most ${most}`);
  // Here the shares of the window that ends (3 of 25) are a quarter of all there is; the rest as above.
  t.true(allowed >= 0.3 * most, `${allowed} of ${most}`);
});

test('calls of many sizes at once never take more than there is', async (t) => {
  const key = randomUUID();
  const startedAt = performance.now();
  const sizes = Array.from({ length: 90 }, (_, index) => 1 + ((index * 7) % 50));
  const all = limiters(rule);
  const verdicts = await Promise.all(sizes.map(async (points, index) => all[index % 3]?.consume(key, points)));
  const seconds = (performance.now() - startedAt) / 1000;
  const taken = sizes.reduce((sum, points, index) => sum + (verdicts[index]?.allowed === true ? points : 0), 0);
  t.true(taken <= rule.capacity + rule.perSecond * seconds, `${taken} in ${seconds} s`);
  t.true(taken >= rule.capacity - 50, String(taken));
});

test('who hammers while refused gets through at the announced time all the same', async (t) => {
  const [limiter = createRateLimiter(store(), rule)] = limiters(rule);
  const key = randomUUID();
  let verdict: RateVerdict;
  do verdict = await limiter.consume(key, 150);
  while (verdict.allowed);
  const announcedAt = performance.now() + verdict.resetSeconds * 1000;
  while (performance.now() < announcedAt) {
    await limiter.consume(key, 150).then(({ allowed }) => allowed && t.true(performance.now() > announcedAt - 1_000));
    await delay(1);
    if (performance.now() >= announcedAt - 1_000) break;
  }
  await delay(Math.max(0, announcedAt - performance.now()));
  t.true((await limiter.consume(key, 150)).allowed);
});

test('a slow rule is exact from one process to the next, and says when it lets go', async (t) => {
  const key = randomUUID();
  const all = limiters(slow);
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
  const limiter = createRateLimiter(store(), rule);
  const key = randomUUID();
  t.true((await limiter.consume(key, 5_000)).allowed);
  const { allowed, resetSeconds } = await limiter.consume(key, 5_000);
  t.false(allowed);
  t.true(resetSeconds <= 2);
});

test('a busy key costs a round trip for every few calls only', async (t) => {
  const limiter = createRateLimiter(store(), rule);
  const key = randomUUID();
  const commands: string[] = [];
  const client = store().connection.getClient();
  client.on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'findAndModify' && JSON.stringify(command).includes(key)) commands.push(commandName);
  });
  for (let call = 0; call < 100; call += 1) {
    t.true((await limiter.consume(key)).allowed);
    await delay(1);
  }
  t.true(commands.length <= 30, `${commands.length} round trips for 100 calls`);
});

test('unused tokens of a share count as held, so the bucket is never more than full', async (t) => {
  const key = randomUUID();
  const ask = { key, needed: 1, unit: 1, extra: 10, spent: 0, window: 0 };
  const first = await takeShare(store(), rule, ask);
  t.is(first.granted, 11);
  await delay(200);
  const second = await takeShare(store(), rule, { ...ask, needed: 200, extra: 0 });
  if (second.window === first.window) t.is(second.granted, 190);
  else t.is(second.granted, 200);
});

test('without the database each process counts for itself, at once, and asks again later', async (t) => {
  const gone = await open();
  await gone.close();
  const troubles: unknown[] = [];
  const limiter = createRateLimiter(gone, slow, { restMs: 50, onTrouble: (error) => troubles.push(error) });
  const verdicts: RateVerdict[] = [];
  for (let call = 0; call < 6; call += 1) verdicts.push(await limiter.consume('somebody'));
  await delay(60);
  verdicts.push(await limiter.consume('somebody'));
  t.deepEqual(
    verdicts.map(({ allowed }) => allowed),
    [true, true, true, true, true, false, false],
  );
  t.is(troubles.length, 1);
});

interface FarAway extends StoreConnection {
  /** How many answers of the database have arrived. */
  readonly answers: () => number;
}

/** The database, so far away that an answer takes this long. */
function farAway(delayMs: number, from: StoreConnection = store()): FarAway {
  let arrived = 0;
  const command = async (asked: Record<string, unknown>): Promise<unknown> => {
    await delay(delayMs / 2);
    const answer = await from.connection.db?.command(asked);
    await delay(delayMs / 2);
    arrived += 1;
    return answer;
  };
  const connection = new Proxy(from.connection, {
    get: (target, name) => (name === 'db' ? { command } : Reflect.get(target, name)),
  });
  return { ...from, connection, answers: () => arrived };
}

interface Storm {
  readonly key: string;
  readonly calls: number;
  readonly answers?: () => number;
}

/** All at once; how many were let through, until when, and how many answers of the database the slowest waited for. */
async function storm(all: readonly RateLimiter[], { key, calls, answers = () => 0 }: Storm) {
  const startedAt = performance.now();
  const verdicts = await Promise.all(
    Array.from({ length: calls }, async (_, call) => {
      const verdict = await all[call % all.length]?.consume(key);
      return { allowed: verdict?.allowed === true, waitedMs: performance.now() - startedAt, waitedFor: answers() };
    }),
  );
  return {
    allowed: verdicts.filter(({ allowed }) => allowed).length,
    worstMs: Math.max(...verdicts.map(({ waitedMs }) => waitedMs)),
    answers: Math.max(...verdicts.map(({ waitedFor }) => waitedFor)),
  };
}

for (const delayMs of [0, 40, 80, 300])
  test(`a burst is mostly refused with the database ${delayMs} ms away, and nobody waits for more than two answers`, async (t) => {
    const database = farAway(delayMs);
    const limiter = createRateLimiter(database, rule, patient);
    const { allowed, worstMs, answers } = await storm([limiter], {
      ...{ key: randomUUID(), calls: 1_500, answers: database.answers },
    });
    t.true(allowed <= rule.capacity + (rule.perSecond * worstMs) / 1000, `${allowed} in ${worstMs} ms`);
    t.true(allowed >= rule.capacity - 10, String(allowed));
    t.true(answers >= 1 && answers <= 2, `${answers} answers`);
  });

test('three processes far away from the database refuse what one bucket would', async (t) => {
  const few: RateRule = { name: 'key', capacity: 20, perSecond: 20 };
  const all = stores.map((one) => createRateLimiter(farAway(300, one), few, patient));
  const key = randomUUID();
  const startedAt = performance.now();
  let allowed = 0;
  for (let wave = 0; wave < 4; wave += 1) allowed += (await storm(all, { key, calls: 60 })).allowed;
  const most = few.capacity + (few.perSecond * (performance.now() - startedAt)) / 1000;
  t.true(allowed <= most, `${allowed} of at most ${most}`);
  t.true(allowed >= 15, String(allowed));
});

test('a call waits no longer than it may, also when it came during a request and needs one of its own', async (t) => {
  const database = farAway(300);
  const limiter = createRateLimiter(database, rule, { waitMaxMs: 400 });
  const key = randomUUID();
  const first = limiter.consume(key);
  await delay(100);
  const second = await limiter.consume(key);
  t.true(second.allowed);
  // Its own answer would have come 500 ms after it.
  t.true(database.answers() <= 1);
  t.true((await first).allowed);
});

test('an outage of the database gives no attempts back that an earlier one has used up', async (t) => {
  let isGone = false;
  const connection = new Proxy(store().connection, {
    get: (target, name): unknown => {
      if (name === 'db' && isGone) throw new Error('out of reach');
      return Reflect.get(target, name);
    },
  });
  const limiter = createRateLimiter({ ...store(), connection }, slow, { restMs: 20 });
  const key = randomUUID();
  let allowed = 0;
  for (let outage = 0; outage < 5; outage += 1) {
    isGone = true;
    for (let call = 0; call < 8; call += 1) if ((await limiter.consume(key)).allowed) allowed += 1;
    isGone = false;
    await delay(30);
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
  t.is(await Promise.race([next, delay(0, 'waited')]), 'answered at once');
});
