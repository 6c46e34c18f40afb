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
  /** Time of `tokens` in ms, of whatever clock. */
  readonly atMs: number;
}

/** What the bucket holds later. A clock that was set back adds nothing. */
export function refill(rule: RateRule, bucket: TokenBucket, nowMs: number): TokenBucket {
  const passedMs = Math.max(0, nowMs - bucket.atMs);
  return { tokens: Math.min(rule.capacity, bucket.tokens + (passedMs * rule.perSecond) / 1000), atMs: nowMs };
}

/** One call on one bucket; `undefined` is one that nobody has used. What is refused takes nothing. */
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
