import { movingMs, restingMs } from '../api/use-polling.ts';

/** So soon after an attempt the next one, or the next event, is likely. */
const livelyMs = 120_000;

/** How long the log is left alone (milliseconds), from its newest attempt. `now` in milliseconds since 1970. */
export function logPauseMs(attempts: readonly { readonly createdAt: string }[], now: number): number {
  const [newest] = attempts;
  return newest !== undefined && now - Date.parse(newest.createdAt) < livelyMs ? movingMs : restingMs / 3;
}
