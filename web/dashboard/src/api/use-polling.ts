import { useEffect } from 'preact/hooks';
import { ItembridgeError } from '../../../../client/itembridge-error.ts';

/** For rows that the service and other people change: such a change is seen within this time. */
export const watchedMs = 4_000;
/** For settings. */
export const restingMs = 15_000;
/** For sums over all rows of an account. */
export const figuresMs = 60_000;

const afterTroubleMs = 10_000;

/** After a failed load. What is missing or not ours will stay so (undefined: no further poll). */
export const lookAfterErrorMs = (error: unknown): number | undefined =>
  error instanceof ItembridgeError && (error.status === 404 || error.status === 403) ? undefined : afterTroubleMs;

/** Calls `look` once, `delayMs` after `since` changed; a hidden tab waits until it is visible. undefined: never. */
export function usePolling(look: () => void, delayMs: number | undefined, since: unknown): void {
  useEffect(() => {
    if (delayMs === undefined) return undefined;
    let isDue = false;
    const lookIfSeen = (): void => {
      if (!isDue || document.hidden) return;
      isDue = false;
      look();
    };
    const timer = setTimeout(() => {
      isDue = true;
      lookIfSeen();
    }, delayMs);
    document.addEventListener('visibilitychange', lookIfSeen);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', lookIfSeen);
    };
  }, [look, delayMs, since]);
}
