import type { RateState } from '../accounts/rules/token-bucket.ts';
import type { FieldProblem } from './field-problems.ts';
import type { KeyHolder } from './scope.ts';

/**
 * The refusals a caller may get: stable code → HTTP status. Adding a code means adding it here and nowhere else.
 * Source: specification "Errors", interface-decisions "Errors".
 */
export const refusalStatus = {
  VALIDATION_FAILED: 422,
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  PARTNER_ACCOUNT_FORBIDDEN: 403,
  RESELLER_AGREEMENT_REQUIRED: 403,
  ACCOUNT_SUSPENDED: 403,
  ORIGIN_FORBIDDEN: 403,
  KEY_SCOPE_MISSING: 403,
  KEY_ADDRESS_FORBIDDEN: 403,
  SANDBOX_ONLY: 403,
  QUOTA_EXCEEDED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  ALREADY_CONNECTED: 409,
  REFERENCE_TAKEN: 409,
  REQUEST_IN_PROGRESS: 409,
  REQUEST_TIMEOUT: 408,
  GONE: 410,
  PRECONDITION_FAILED: 412,
  PRECONDITION_REQUIRED: 428,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  EXPECTATION_FAILED: 417,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  UNAVAILABLE: 503,
  INTERNAL: 500,
} as const;

export type RefusalCode = keyof typeof refusalStatus;

interface RefusalOptions {
  readonly details?: readonly FieldProblem[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly rate?: RateState | undefined;
  readonly holder?: KeyHolder | undefined;
  readonly cause?: unknown;
}

/**
 * An expected refusal of a request. It has a stable code and a message that is safe to show to the caller, and is never
 * retried. Any other error is operational (retried) or a bug.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly details: readonly FieldProblem[] | undefined;
  /** Seconds after which trying again makes sense; becomes `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** Only for RATE_LIMITED: the limit that refused, when it is not the limit that counts every call. */
  readonly rate: RateState | undefined;
  /**
   * Only for a refused key that an account has or had: the call goes into that account's log. Never part of the answer.
   */
  readonly holder: KeyHolder | undefined;

  constructor(code: RefusalCode, message: string, options: RefusalOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.rate = options.rate;
    this.holder = options.holder;
  }
}
