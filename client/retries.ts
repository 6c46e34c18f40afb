import { setTimeout as wait } from 'node:timers/promises';
import { ItembridgeUnreachable, retryAfterMsOf } from './itembridge-error.ts';

export interface RetrySettings {
  /** Including the first one; 1 never repeats. */
  readonly attemptsMax: number;
  /** Wait before the second attempt, doubled for each one after it, up to the longest; a random half of it is left out. */
  readonly firstDelayMs: number;
  readonly delayMsMax: number;
  /** A `Retry-After` beyond this is not waited for: the error says how long it is. */
  readonly retryAfterMsMax: number;
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

export interface Retry {
  /** The one that failed, from 1. */
  readonly attempt: number;
  readonly delayMs: number;
  /** Status of the answer; undefined when none came. */
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
  /** Doing it twice is as good as doing it once. */
  readonly isRepeatable: boolean;
  readonly signal?: AbortSignal | undefined;
  /** The answer's body is read by the caller, as it comes; otherwise it is there as a whole, because an answer without it is none. */
  readonly isStream?: boolean;
}

const troubleOfServer: ReadonlySet<number> = new Set([408, 500, 502, 503, 504]);

/**
 * Sends until an answer is worth keeping. 429 is repeated always (nothing was done), trouble of the server and of the network only
 * what is repeatable. Throws {@link ItembridgeUnreachable} when no answer came, and the signal's reason when it was aborted.
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

/** undefined: it is not to be tried again. */
function delayBeforeNext(
  outcome: Response | ItembridgeUnreachable,
  attempt: number,
  { retries, isRepeatable }: AttemptOptions,
): number | undefined {
  if (!(outcome instanceof Response)) return isRepeatable ? backoffMs(attempt, retries) : undefined;
  if (!asksForRepeat(outcome, isRepeatable)) return undefined;
  const retryAfterMs = retryAfterMsOf(outcome.headers);
  if (retryAfterMs === undefined) return backoffMs(attempt, retries);
  // A little later than asked, and not all who wait at the same moment.
  return retryAfterMs > retries.retryAfterMsMax ? undefined : retryAfterMs + Math.random() * 250;
}

function asksForRepeat(response: Response, isRepeatable: boolean): boolean {
  if (response.status === 429) return true;
  if (!isRepeatable) return false;
  // The first try under the same Idempotency-Key is still at work: its answer is the one to wait for.
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

/** fetch says every trouble of the network by a TypeError, also while a body is read; anything else stays what it is. */
export const asUnreachable = (error: unknown): unknown =>
  error instanceof TypeError
    ? new ItembridgeUnreachable(`The service can't be reached: ${reasonOf(error)}`, { cause: error })
    : error;

/** With its body in memory. Of an answer that breaks off after it said no, the status is known all the same. */
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

/** Throws the signal's reason, as fetch does. */
export async function waitOrAbort(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(delayMs, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
