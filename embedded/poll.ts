import { setTimeout as delay } from 'node:timers/promises';

/** Asks until the answer is not undefined. A question that throws counts as "not yet". Rejects when the signal is aborted. */
export async function pollUntil<T>(ask: () => Promise<T | undefined>, signal: AbortSignal, everyMs = 100): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    await delay(everyMs, undefined, { signal });
  }
}
