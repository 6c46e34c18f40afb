import type { RateRule, RateState } from '../../core/rate-limits/rate-rule.ts';
import { widerNetwork } from '../../platform/caller-address.ts';
import { fingerprintOf } from '../../security/fingerprint.ts';
import type { RateLimiter } from '../../store/rate-limits/rate-limiter.ts';

/** One bucket, or two that are taken from together: a rule and whose calls it counts. */
export interface Allowance {
  readonly rule: RateRule;
  /** Of two buckets the state of the tighter one. Never throws. */
  take(points?: number): Promise<RateState>;
  /** Puts back what a call has taken that is refused for another reason. */
  giveBack(points?: number): void;
}

export const allowanceOf = (limiter: RateLimiter, key: string): Allowance => ({
  rule: limiter.rule,
  take: async (points) => ({ rule: limiter.rule, verdict: await limiter.consume(key, points) }),
  giveBack: (points) => limiter.giveBack(key, points),
});

/** Both or neither. */
export function bothOf(first: Allowance, second: Allowance): Allowance {
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
 * that what it refuses is not taken from its neighbours.
 */
export function withWider(
  narrow: Allowance,
  { limiter, of }: { readonly limiter: RateLimiter; readonly of: string },
): Allowance {
  const network = widerNetwork(of);
  if (network === undefined) return narrow;
  const take = async (points?: number): Promise<RateState> => {
    const state = await narrow.take(points);
    if (!state.verdict.allowed) return state;
    const wide = await limiter.consume(fingerprintOf(network), points);
    // Under the narrow one's name: callers know of no other.
    return wide.allowed && wide.remaining >= state.verdict.remaining ? state : { rule: narrow.rule, verdict: wide };
  };
  return { ...narrow, take };
}
