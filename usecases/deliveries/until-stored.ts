import { setTimeout as pause } from 'node:timers/promises';
import { isStoreUnavailable } from '../../store/database/connection.ts';

const firstPauseMs = 100;
const pauseMaxMs = 1_000;

/**
 * Does it again while the database is out of reach, for `maxMs` at most; then throws what the last try threw. For writes that find what
 * they wrote before, because the answer of a try may be what got lost.
 */
export async function untilStored<Result>(write: () => Promise<Result>, maxMs: number): Promise<Result> {
  const until = performance.now() + maxMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, pauseMaxMs)) {
    try {
      return await write();
    } catch (error) {
      if (!isStoreUnavailable(error) || performance.now() + pauseMs > until) throw error;
      await pause(pauseMs);
    }
  }
}
