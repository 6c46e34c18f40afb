import test from 'ava';
import fc from 'fast-check';
import {
  takeTokens,
  windowSeconds,
  type RateRule,
  type TokenBucket,
} from '../../features/accounts/rules/token-bucket.ts';
import { checkProperty } from '../support/check-property.ts';

const rules = fc.record({
  name: fc.constant('key'),
  capacity: fc.integer({ min: 1, max: 50 }),
  perSecond: fc.integer({ min: 1, max: 40 }),
});
const calls = fc.array(
  fc.record({ afterMs: fc.integer({ min: 0, max: 3_000 }), points: fc.integer({ min: 1, max: 60 }) }),
  {
    maxLength: 60,
  },
);

interface Taken {
  readonly nowMs: number;
  readonly points: number;
  readonly allowed: boolean;
}

/** Slow and obvious: a call is allowed unless it would make any stretch of time up to now hold more than the rule allows. */
function isAllowed({ capacity, perSecond }: RateRule, taken: readonly Taken[], call: Omit<Taken, 'allowed'>): boolean {
  const all = [...taken.filter(({ allowed }) => allowed), call];
  return all.every(({ nowMs: from }, first) => {
    const sum = all.slice(first).reduce((total, { points }) => total + points, 0);
    return sum <= capacity + ((call.nowMs - from) * perSecond) / 1000 + 1e-9;
  });
}

// specification: per-api-key-in
test('a bucket allows exactly what no stretch of time has too much of', async (t) => {
  await checkProperty(
    t,
    fc.property(rules, calls, (rule, made) => {
      let bucket: TokenBucket | undefined;
      let nowMs = 0;
      const taken: Taken[] = [];
      for (const { afterMs, points: wanted } of made) {
        nowMs += afterMs;
        const points = Math.min(wanted, rule.capacity);
        const expected = isAllowed(rule, taken, { nowMs, points });
        const outcome = takeTokens(rule, bucket, { points: wanted, nowMs });
        bucket = outcome.bucket;
        if (outcome.verdict.allowed !== expected) return false;
        taken.push({ nowMs, points, allowed: expected });
      }
      return true;
    }),
    { numRuns: 300 },
  );
});

// specification: 429-rate-limit-exceeded
test('a refused call gets through after the seconds it was told, however often it is tried before', async (t) => {
  await checkProperty(
    t,
    fc.property(rules, calls, fc.integer({ min: 1, max: 60 }), (rule, made, points) => {
      let bucket: TokenBucket | undefined;
      for (const call of made) ({ bucket } = takeTokens(rule, bucket, { points: call.points, nowMs: 0 }));
      const refused = takeTokens(rule, bucket, { points, nowMs: 0 });
      if (refused.verdict.allowed) return true;
      ({ bucket } = refused);
      const backMs = refused.verdict.resetSeconds * 1000;
      // Trying for a call larger than the rest can't use anything up.
      for (let nowMs = 1; nowMs < backMs; nowMs += 97) {
        const tried = takeTokens(rule, bucket, { points, nowMs });
        ({ bucket } = tried);
        if (tried.verdict.allowed) return nowMs > backMs - 1000;
      }
      return takeTokens(rule, bucket, { points, nowMs: backMs }).verdict.allowed;
    }),
    { numRuns: 300 },
  );
});

// specification: ratelimit-and-ratelimit-policy
test('what the headers say is whole, never asks for an immediate retry and never promises more than the rate', async (t) => {
  await checkProperty(
    t,
    fc.property(rules, calls, (rule, made) => {
      let bucket: TokenBucket | undefined;
      let nowMs = 0;
      return made.every(({ afterMs, points }) => {
        nowMs += afterMs;
        const outcome = takeTokens(rule, bucket, { points, nowMs });
        bucket = outcome.bucket;
        const { remaining, resetSeconds, allowed, limit } = outcome.verdict;
        const isWhole = Number.isInteger(remaining) && remaining >= 0 && remaining <= limit;
        const isPatient = Number.isInteger(resetSeconds) && resetSeconds >= 1;
        return isWhole && isPatient && (!allowed || remaining / resetSeconds <= rule.perSecond);
      });
    }),
    { numRuns: 300 },
  );
  t.is(windowSeconds({ name: 'key', capacity: 200, perSecond: 100 }), 2);
});
