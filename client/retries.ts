import { setTimeout as wait } from 'node:timers/promises';
import { ItembridgeUnreachable, retryAfterMsOf } from './itembridge-error.ts';

export interface RetrySettings {
  /** Including the first one; 1 never repeats. */
  readonly attemptsMax: number;
  /**
   * Pause before the second attempt. It doubles with each attempt, up to the longest one, and a random part of up to
   * half is subtracted.
   */
  readonly firstDelayMs: number;
  readonly delayMsMax: number;
  /** A longer `Retry-After` is not waited for; the error then tells it. */
  readonly retryAfterMsMax: number;
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

export interface Retry {
  /** Number of the failed attempt, from 1. */
  readonly attempt: number;
  readonly delayMs: number;
  /** Status of the answer; undefined without an answer. */
  readonly status: number | undefined;
}

export const defaultRetries: RetrySettings = {
  attemptsMax: 5,
  firstDelayMs: 500,
  delayMsMax: 30_000,
  retryAfterMsMax: 120_000,
};

export interface AttemptOptions {
  readonly retries: RetrySettings;
  /** A second call has the same effect as one. */
  readonly isRepeatable: boolean;
  readonly signal?: AbortSignal | undefined;
  /**
   * The caller reads the body of the answer as it arrives. Otherwise the whole body is read here, because an answer
   * without it counts as none.
   */
  readonly isStream?: boolean;
}

const troubleOfServer: ReadonlySet<number> = new Set([408, 500, 502, 503, 504]);

/**
 * Sends until an answer need not be retried. A 429 is always repeated, because nothing was done; server and network
 * errors only for repeatable calls. Throws {@link ItembridgeUnreachable} when no answer came, and the signal's reason
 * when it was aborted.
 */
export async function sendWithRetries(send: () => Promise<Response>, options: AttemptOptions): Promise<Response> {
  const { retries, signal } = options;
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    const outcome = await attemptOnce(options.isStream === true ? send : async () => whole(await send()), signal);
    const delayMs = attempt < retries.attemptsMax ? delayBeforeNext(outcome, attempt, options) : undefined;
    if (outcome instanceof Response) {
      if (delayMs === undefined) return outcome;
      await outcome.body?.cancel();
    } else if (delayMs === undefined) throw outcome;
    retries.onRetry?.({ attempt, delayMs, status: outcome instanceof Response ? outcome.status : undefined });
    await waitOrAbort(delayMs, signal);
  }
}

/** undefined: no further attempt. */
function delayBeforeNext(
  outcome: Response | ItembridgeUnreachable,
  attempt: number,
  { retries, isRepeatable }: AttemptOptions,
): number | undefined {
  if (!(outcome instanceof Response)) return isRepeatable ? backoffMs(attempt, retries) : undefined;
  if (!asksForRepeat(outcome, isRepeatable)) return undefined;
  const retryAfterMs = retryAfterMsOf(outcome.headers);
  if (retryAfterMs === undefined) return backoffMs(attempt, retries);
  // Slightly longer than asked, by a random time, so that waiting callers do not all return at once.
  return retryAfterMs > retries.retryAfterMsMax ? undefined : retryAfterMs + Math.random() * 250;
}

function asksForRepeat(response: Response, isRepeatable: boolean): boolean {
  if (response.status === 429) return true;
  if (!isRepeatable) return false;
  // The first try under this Idempotency-Key is still running, and its answer is the one to wait for.
  const isRunning = response.status === 409 && response.headers.has('retry-after');
  return isRunning || troubleOfServer.has(response.status);
}

async function attemptOnce(
  send: () => Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response | ItembridgeUnreachable> {
  try {
    return await send();
  } catch (error) {
    signal?.throwIfAborted();
    const trouble = asUnreachable(error);
    if (trouble instanceof ItembridgeUnreachable) return trouble;
    throw trouble;
  }
}

/** fetch reports every network error as a TypeError, also while a body is read. Other errors stay as they are. */
export const asUnreachable = (error: unknown): unknown =>
  error instanceof TypeError
    ? new ItembridgeUnreachable(`The service can't be reached: ${reasonOf(error)}`, { cause: error })
    : error;

/** The answer with its whole body. When a refusal breaks off, its status is known all the same. */
async function whole(response: Response): Promise<Response> {
  try {
    await response.clone().arrayBuffer();
    return response;
  } catch (error) {
    if (response.ok) throw error;
    const { status, statusText, headers } = response;
    return new Response(null, { status, statusText, headers });
  }
}

function reasonOf(error: Error): string {
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  if (cause.message !== '') return cause.message;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : error.message;
}

function backoffMs(attempt: number, { firstDelayMs, delayMsMax }: RetrySettings): number {
  const full = Math.min(delayMsMax, firstDelayMs * 2 ** (attempt - 1));
  return full * (0.5 + Math.random() / 2);
}

/** Throws the signal's reason when it is aborted, as fetch does. */
export async function waitOrAbort(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(delayMs, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
