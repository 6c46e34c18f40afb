import { setTimeout as delay } from 'node:timers/promises';

/** Calls `ask` until it returns a value. An error counts as "not yet". Rejects when the signal is aborted. */
export async function pollUntil<T>(ask: () => Promise<T | undefined>, signal: AbortSignal, everyMs = 100): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    await delay(everyMs, undefined, { signal });
  }
}
