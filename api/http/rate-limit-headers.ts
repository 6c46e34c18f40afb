import { windowSeconds, type RateState } from '../../core/rate-limits/token-bucket.ts';

/** draft-ietf-httpapi-ratelimit-headers-11: lists of structured fields (RFC 9651), here of one item each. */
export const rateLimitHeaders = ({ rule, verdict }: RateState): Readonly<Record<string, string>> => ({
  'RateLimit-Policy': `"${rule.name}";q=${rule.capacity};w=${windowSeconds(rule)}`,
  RateLimit: `"${rule.name}";r=${verdict.remaining};t=${verdict.resetSeconds}`,
});
