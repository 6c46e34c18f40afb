import { setTimeout as pause } from 'node:timers/promises';

/** Awaits a condition that lies in another process: asks again every few milliseconds. Throws with `what` after the deadline. */
export async function until<Value>(
  what: string,
  probe: () => Promise<Value | undefined | null | false>,
  deadlineMs = 100_000,
): Promise<Value> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== null && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await pause(25);
  }
}
