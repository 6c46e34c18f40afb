import { LRUCache } from 'lru-cache';
import { takeTokens, type RateRule, type RateState, type TokenBucket } from '../../core/rate-limits/token-bucket.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { takeSharedTokens } from '../../store/rate-limits/shared-bucket.ts';

/** The remaining calls of one caller: one token bucket, or two that are charged together. */
export interface Allowance {
  readonly rule: RateRule;
  /** Takes whole points, by default one. For two buckets, the state of the tighter one is returned. */
  take(points?: number): Promise<RateState>;
}

/** An allowance counted in this process alone: it costs no round trip, and `take` never fails. */
export interface LocalAllowance extends Allowance {
  /** Returns the points of a call that is refused for another reason. */
  giveBack(points?: number): void;
}

/** Beyond this number the least recently used keys are forgotten, which refills their buckets. */
const keysMax = 20_000;

/** Buckets of one rule in this process, by key. With N API processes a caller may have N times as much. */
export function localBuckets(rule: RateRule, nowMs: () => number): (key: string) => LocalAllowance {
  const buckets = new LRUCache<string, TokenBucket>({ maxSize: keysMax, sizeCalculation: () => 1 });
  return (key) => ({
    rule,
    take(points = 1) {
      const { bucket, verdict } = takeTokens(rule, buckets.get(key), { points, nowMs: nowMs() });
      buckets.set(key, bucket);
      return Promise.resolve({ rule, verdict });
    },
    giveBack(points = 1) {
      const bucket = buckets.get(key);
      if (bucket !== undefined)
        buckets.set(key, { ...bucket, tokens: Math.min(rule.capacity, bucket.tokens + points) });
    },
  });
}

/** Buckets of one rule that all processes share, by key. `take` throws the database's error. */
export const sharedBuckets =
  (store: StoreConnection, rule: RateRule) =>
  (key: string): Allowance => ({
    rule,
    take: async (points = 1) => ({ rule, verdict: await takeSharedTokens(store, rule, { key, points }) }),
  });

/** Takes from both buckets or from neither. */
export function bothOf(first: LocalAllowance, second: LocalAllowance): LocalAllowance {
  return {
    rule: first.rule,
    take: async (points) => {
      const one = await first.take(points);
      if (!one.verdict.allowed) return one;
      const other = await second.take(points);
      if (!other.verdict.allowed) first.giveBack(points);
      return tighter(one, other);
    },
    giveBack: (points) => {
      first.giveBack(points);
      second.giveBack(points);
    },
  };
}

/** Returns the state that refuses, else the one with less left. */
export const tighter = (one: RateState, other: RateState): RateState =>
  one.verdict.allowed && (!other.verdict.allowed || other.verdict.remaining <= one.verdict.remaining) ? other : one;

/** A /48, which one customer of a hosting company may own, gets the limit of this many addresses. */
const widerFactor = 8;
export const widened = (rule: RateRule): RateRule => ({
  name: `${rule.name}-wide`,
  capacity: rule.capacity * widerFactor,
  perSecond: rule.perSecond * widerFactor,
});

/**
 * For IPv6 the wider network counts too, otherwise one caller could use 65,536 networks. The narrow bucket comes first, so a
 * refused call takes nothing from its neighbours. The answer has the name of the narrow rule, the only one that callers know.
 */
export const withWider = (narrow: Allowance, wide: Allowance | undefined): Allowance['take'] =>
  wide === undefined
    ? (points) => narrow.take(points)
    : async (points) => {
        const own = await narrow.take(points);
        return own.verdict.allowed
          ? { rule: narrow.rule, verdict: tighter(own, await wide.take(points)).verdict }
          : own;
      };
