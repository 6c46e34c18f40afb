import { Refusal, refusalStatus, type RefusalCode } from '../../features/rules/errors.ts';
import { windowSeconds, type RateState } from '../../features/accounts/rules/token-bucket.ts';
import type { Answer } from './route.ts';

const unavailableRetryAfterSeconds = 5;

export interface ErrorAnswer extends Answer {
  readonly code: RefusalCode;
  /** True when the caller made no mistake; the error is then logged. */
  readonly isFailure: boolean;
}

/**
 * The one place that turns an error into an HTTP answer. A refusal names its reason, and an unavailable store is 503 with
 * `Retry-After`. Any other error is a bug and shows no internals. Source: specification "Errors".
 */
export function answerError(error: unknown, isUnavailable: (error: unknown) => boolean): ErrorAnswer {
  if (error instanceof Refusal) return answerRefusal(error);
  if (isBadPath(error)) return answerRefusal(new Refusal('BAD_REQUEST', 'The path is not well-formed'));
  if (isUnavailable(error)) {
    const options = { retryAfterSeconds: unavailableRetryAfterSeconds };
    return answerRefusal(
      new Refusal('UNAVAILABLE', 'The service cannot reach what it has stored; try again', options),
      true,
    );
  }
  return answerRefusal(new Refusal('INTERNAL', 'Unexpected server error'), true);
}

export function answerRefusal(
  { code, message, details, retryAfterSeconds, rate }: Refusal,
  isFailure = false,
): ErrorAnswer {
  const status = refusalStatus[code];
  return {
    code,
    isFailure,
    status,
    body: { error: message, code, statusCode: status, ...(details !== undefined && { details }) },
    headers: {
      ...noStore,
      ...(retryAfterSeconds !== undefined && { 'Retry-After': String(Math.ceil(retryAfterSeconds)) }),
      ...(rate !== undefined && rateLimitHeaders(rate)),
    },
  };
}

/** Express could not decode the path's percent signs. */
const isBadPath = (error: unknown): boolean => error instanceof URIError;

/** draft-ietf-httpapi-ratelimit-headers-11: lists of structured fields (RFC 9651), here of one item each. */
export const rateLimitHeaders = ({ rule, verdict }: RateState): Readonly<Record<string, string>> => ({
  'RateLimit-Policy': `"${rule.name}";q=${rule.capacity};w=${windowSeconds(rule)}`,
  RateLimit: `"${rule.name}";r=${verdict.remaining};t=${verdict.resetSeconds}`,
});

/** For answers that hold a secret or change without notice. */
export const noStore = { 'Cache-Control': 'no-store' } as const;
