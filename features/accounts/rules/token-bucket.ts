export interface TokenBucket {
  /** At most the rule's capacity; below 0 while more was taken than was there. */
  readonly tokens: number;
  /** Time of `tokens` in ms, by any clock. */
  readonly atMs: number;
}

/** The bucket at a later time. A clock that was set back adds no tokens. */
export function refill(rule: RateRule, bucket: TokenBucket, nowMs: number): TokenBucket {
  const passedMs = Math.max(0, nowMs - bucket.atMs);
  return { tokens: Math.min(rule.capacity, bucket.tokens + (passedMs * rule.perSecond) / 1000), atMs: nowMs };
}

/** Charges one call to a bucket; `undefined` stands for an unused, full bucket. A refused call takes no tokens. */
export function takeTokens(
  rule: RateRule,
  bucket: TokenBucket | undefined,
  call: { readonly points: number; readonly nowMs: number },
): { readonly bucket: TokenBucket; readonly verdict: RateVerdict } {
  const full = refill(rule, bucket ?? { tokens: rule.capacity, atMs: call.nowMs }, call.nowMs);
  const points = payablePoints(rule, call.points);
  if (full.tokens + tokenTolerance < points)
    return { bucket: full, verdict: refusedVerdict(rule, full.tokens, points) };
  const left = Math.max(0, full.tokens - points);
  return { bucket: { ...full, tokens: left }, verdict: allowedVerdict(rule, left) };
}

/** A token bucket: bursts up to `capacity`, `perSecond` in the long run. Both above 0; `perSecond` may be a fraction. */
export interface RateRule {
  /** Name of the policy, as callers see it: lowercase words and dashes. */
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

export interface RateState {
  readonly rule: RateRule;
  readonly verdict: RateVerdict;
}

/** Sums of fractions are not exact, so a millionth of a token is tolerated. */
export const tokenTolerance = 1e-6;

/** A call costs at most the capacity, or it would never be allowed. */
export const payablePoints = (rule: RateRule, points: number): number => Math.min(points, rule.capacity);

/** @param tokens left in the bucket after this call */
export function allowedVerdict(rule: RateRule, tokens: number): RateVerdict {
  const remaining = wholeTokens(rule, tokens);
  const lastsSeconds = remaining === 0 ? (1 - Math.max(0, tokens)) / rule.perSecond : remaining / rule.perSecond;
  return { allowed: true, limit: rule.capacity, remaining, resetSeconds: wholeSeconds(lastsSeconds) };
}

/** @param tokens in the bucket, fewer than `points` */
export function refusedVerdict(rule: RateRule, tokens: number, points: number): RateVerdict {
  const waitSeconds = (points - tokens) / rule.perSecond;
  const remaining = wholeTokens(rule, tokens);
  return { allowed: false, limit: rule.capacity, remaining, resetSeconds: wholeSeconds(waitSeconds) };
}

/** Seconds until an empty bucket is full. */
export const windowSeconds = (rule: RateRule): number => wholeSeconds(rule.capacity / rule.perSecond);

const wholeTokens = ({ capacity }: RateRule, tokens: number): number =>
  Math.max(0, Math.min(Math.floor(tokens), Math.floor(capacity)));

/** Never 0, which would ask the caller to try again at once. */
const wholeSeconds = (seconds: number): number => Math.max(1, Math.ceil(seconds));
