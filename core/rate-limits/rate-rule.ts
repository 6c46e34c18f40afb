/** A token bucket: bursts up to `capacity`, `perSecond` in the long run. Both above 0; `perSecond` may be a fraction. */
export interface RateRule {
  /** Of the policy, as callers see it: lowercase words and dashes. */
  readonly name: string;
  readonly capacity: number;
  readonly perSecond: number;
}

export interface RateVerdict {
  readonly allowed: boolean;
  /** The rule's capacity. */
  readonly limit: number;
  /** Whole points that are left, 0 or more: an estimate where several processes share a bucket. */
  readonly remaining: number;
  /**
   * Refused: whole seconds, 1 or more, after which the same call gets through. Allowed: seconds that `remaining` lasts
   * at the steady rate, 1 or more; `remaining / resetSeconds` is never more than the rate.
   */
  readonly resetSeconds: number;
}

/** How things stand with a limit. */
export interface RateState {
  readonly rule: RateRule;
  readonly verdict: RateVerdict;
}

/** Sums of fractions are not exact; a millionth of a token more or less is nobody's gain. */
export const tokenTolerance = 1e-6;

/** Points of a call that must get through some day are at most the capacity. */
export const payablePoints = (rule: RateRule, points: number): number => Math.min(points, rule.capacity);

/** @param tokens that are there for the caller, after what it has just taken */
export function allowedVerdict(rule: RateRule, tokens: number): RateVerdict {
  const remaining = wholeTokens(rule, tokens);
  const lastsSeconds = remaining === 0 ? (1 - Math.max(0, tokens)) / rule.perSecond : remaining / rule.perSecond;
  return { allowed: true, limit: rule.capacity, remaining, resetSeconds: wholeSeconds(lastsSeconds) };
}

/** @param tokens that are there and are too few for `points` */
export function refusedVerdict(rule: RateRule, tokens: number, points: number): RateVerdict {
  const waitSeconds = (points - tokens) / rule.perSecond;
  const remaining = wholeTokens(rule, tokens);
  return { allowed: false, limit: rule.capacity, remaining, resetSeconds: wholeSeconds(waitSeconds) };
}

/** Seconds in which an empty bucket is full again. */
export const windowSeconds = (rule: RateRule): number => wholeSeconds(rule.capacity / rule.perSecond);

const wholeTokens = ({ capacity }: RateRule, tokens: number): number =>
  Math.max(0, Math.min(Math.floor(tokens), Math.floor(capacity)));

/** Never 0: that would ask for the next call at once. */
const wholeSeconds = (seconds: number): number => Math.max(1, Math.ceil(seconds));
