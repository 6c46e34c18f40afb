import {
  allowedVerdict,
  payablePoints,
  refusedVerdict,
  tokenTolerance,
  type RateRule,
  type RateVerdict,
} from './rate-rule.ts';

export interface TokenBucket {
  /** 0 to the rule's capacity. */
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
