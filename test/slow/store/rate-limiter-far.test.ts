import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { RateRule } from '../../../core/rate-limits/rate-rule.ts';
import type { StoreConnection } from '../../../store/database/connection.ts';
import { createRateLimiter, type RateLimiter } from '../../../store/rate-limits/rate-limiter.ts';
import { makeClock, patient, rule, withThreeStores, type Clock } from '../../store/support/limiter-world.ts';

const { stores, store } = withThreeStores(test);

interface FarAway extends StoreConnection {
  /** How many answers of the database have arrived. */
  readonly answers: () => number;
}

/** The database, so far away that an answer takes this long. */
function farAway(delayMs: number, { pass }: Clock, from: StoreConnection): FarAway {
  let arrived = 0;
  const command = async (asked: Record<string, unknown>): Promise<unknown> => {
    pass(delayMs / 2);
    const answer = await from.connection.db?.command(asked);
    pass(delayMs / 2);
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

/** All at once; how many were let through, and how many answers of the database the slowest waited for. */
async function storm(all: readonly RateLimiter[], { key, calls, answers = () => 0 }: Storm) {
  const verdicts = await Promise.all(
    Array.from({ length: calls }, async (_, call) => {
      const verdict = await all[call % all.length]?.consume(key);
      return { allowed: verdict?.allowed === true, waitedFor: answers() };
    }),
  );
  return {
    allowed: verdicts.filter(({ allowed }) => allowed).length,
    answers: Math.max(...verdicts.map(({ waitedFor }) => waitedFor)),
  };
}

for (const delayMs of [0, 40, 80, 300])
  test(`a burst is mostly refused with the database ${delayMs} ms away, and nobody waits for more than two answers`, async (t) => {
    const clock = makeClock();
    const database = farAway(delayMs, clock, store());
    const limiter = createRateLimiter(database, rule, { ...patient, now: clock.now });
    const { allowed, answers } = await storm([limiter], {
      ...{ key: randomUUID(), calls: 1_500, answers: database.answers },
    });
    t.true(allowed <= rule.capacity + (rule.perSecond * clock.passed()) / 1000, `${allowed} in ${clock.passed()} ms`);
    t.true(allowed >= rule.capacity - 10, String(allowed));
    t.true(answers >= 1 && answers <= 2, `${answers} answers`);
  });

test('three processes far away from the database refuse what one bucket would', async (t) => {
  const few: RateRule = { name: 'key', capacity: 20, perSecond: 20 };
  const clock = makeClock();
  const all = stores().map((one) => createRateLimiter(farAway(300, clock, one), few, { ...patient, now: clock.now }));
  const key = randomUUID();
  let allowed = 0;
  for (let wave = 0; wave < 4; wave += 1) allowed += (await storm(all, { key, calls: 60 })).allowed;
  const most = few.capacity + (few.perSecond * clock.passed()) / 1000;
  t.true(allowed <= most, `${allowed} of at most ${most}`);
  t.true(allowed >= 15, String(allowed));
});
