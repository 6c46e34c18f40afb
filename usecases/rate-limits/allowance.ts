import { LRUCache } from 'lru-cache';
import type { RateRule, RateState } from '../../core/rate-limits/rate-rule.ts';
import { takeTokens, type TokenBucket } from '../../core/rate-limits/token-bucket.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { takeSharedTokens } from '../../store/rate-limits/shared-bucket.ts';

/** What one caller may still do: one token bucket, or two that are taken from together. */
export interface Allowance {
  readonly rule: RateRule;
  /** Takes whole points, by default one. Of two buckets the state of the tighter one. */
  take(points?: number): Promise<RateState>;
}

/** One that this process counts alone: it costs no round trip, and `take` never fails. */
export interface LocalAllowance extends Allowance {
  /** Puts back what a call has taken that is refused for another reason. */
  giveBack(points?: number): void;
}

/** Of the keys beyond, those that were used least recently are forgotten: their buckets are full again. */
const keysMax = 20_000;

/** Buckets of one rule in this process, by key. With N API processes a caller may have N times as much. */
export function localBuckets(rule: RateRule, nowMs: () => number): (key: string) => LocalAllowance {
  const buckets = new LRUCache<string, TokenBucket>({ max: keysMax });
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
  (store: StoreConnection, rule: RateRule, now?: () => Date) =>
  (key: string): Allowance => ({
    rule,
    take: async (points = 1) => ({ rule, verdict: await takeSharedTokens(store, rule, { key, points, now: now?.() }) }),
  });

/** Both or neither. */
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

/** The one that refuses, else the one with less left. */
export const tighter = (one: RateState, other: RateState): RateState =>
  one.verdict.allowed && (!other.verdict.allowed || other.verdict.remaining <= one.verdict.remaining) ? other : one;

/** A /48, which one customer of a hoster may have, is worth as much as this many addresses. */
const widerFactor = 8;
export const widened = (rule: RateRule): RateRule => ({
  name: `${rule.name}-wide`,
  capacity: rule.capacity * widerFactor,
  perSecond: rule.perSecond * widerFactor,
});

/**
 * Of IPv6 the network around counts too, or 65,536 networks of one caller would each be a caller. The narrow one first, so
 * that what it refuses is not taken from its neighbours. The answer is under the narrow one's name: callers know of no other.
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
