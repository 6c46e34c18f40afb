import type { FieldProblem } from './generated/types.gen.ts';

interface ErrorParts {
  readonly status: number;
  readonly code?: string | undefined;
  readonly details?: readonly FieldProblem[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/**
 * The service refused the call. `message` is one line for a log: `422 VALIDATION_FAILED: title must not be empty
 * (request 0f8c…)`; `reason` is the service's own sentence. `code` is stable (`NOT_FOUND`, `VALIDATION_FAILED`,
 * `RATE_LIMITED`, …), and support asks for `requestId`. `retryAfterMs` is set when the service asked for a wait that
 * was too long for this client.
 */
export class ItembridgeError extends Error {
  override readonly name = 'ItembridgeError';
  readonly reason: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly details: readonly FieldProblem[];
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(reason: string, { status, code, details = [], requestId, retryAfterMs }: ErrorParts) {
    super(lineOf(reason, { status, code, details, requestId }));
    this.reason = reason;
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The broken rules say more than the sentence above them, so they replace it. */
function lineOf(reason: string, { status, code, details = [], requestId }: ErrorParts): string {
  const problems = details.map(({ field, message }) => `${field} ${message}`).join('; ');
  const request = requestId === undefined ? '' : ` (request ${requestId})`;
  return `${status}${code === undefined ? '' : ` ${code}`}: ${problems === '' ? reason : problems}${request}`;
}

/** No answer came after all tries, so it is unknown whether the call took effect. `cause` says what happened. */
export class ItembridgeUnreachable extends Error {
  override readonly name = 'ItembridgeUnreachable';
}

/** From an answer without a 2xx status and its body: parsed JSON, or the text of a server in front of the service. */
export function errorFromAnswer(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: unknown,
): ItembridgeError {
  const retryAfterMs = retryAfterMsOf(headers);
  const requestId = headers.get('x-request-id') ?? undefined;
  if (!isRecord(body) || typeof body['error'] !== 'string')
    return new ItembridgeError('no explanation was given', { status, requestId, retryAfterMs });
  const { error, code, details } = body;
  return new ItembridgeError(error, {
    status,
    code: typeof code === 'string' ? code : undefined,
    details: Array.isArray(details) ? details.flatMap(asFieldProblem) : [],
    requestId,
    retryAfterMs,
  });
}

/** `Retry-After` in milliseconds, given in seconds or as a date; undefined when it is missing or unreadable. */
export function retryAfterMsOf(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** A service of an earlier version sends field and message alone. */
function asFieldProblem(value: unknown): FieldProblem[] {
  if (!isRecord(value)) return [];
  const { field, message, code, params } = value;
  if (typeof field !== 'string' || typeof message !== 'string') return [];
  return [
    { field, message, code: typeof code === 'string' ? code : 'not_valid', params: isRecord(params) ? params : {} },
  ];
}
