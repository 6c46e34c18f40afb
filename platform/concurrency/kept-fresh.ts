import { performance } from 'node:perf_hooks';

/** Milliseconds by two clocks; the process's own by default. */
export interface Clocks {
  /** Never goes back, but may stop while the machine sleeps. */
  readonly monotonic: () => number;
  /** May be set back. */
  readonly wall: () => number;
}

const ownClocks: Clocks = { monotonic: () => performance.now(), wall: () => Date.now() };

/** How long an answer is valid. It is short, because a process may be paused between any two steps. */
const freshMs = 3_000;

/**
 * Keeps an answer valid for three seconds from the time of its question, by the clock that shows more time passed. The returned
 * function asks only without a valid answer, and asks again when an answer was too old on arrival.
 */
export function keptFresh(ask: () => Promise<void>, { monotonic, wall }: Clocks = ownClocks): () => Promise<void> {
  let age = (): number => Infinity;
  return async () => {
    while (age() > freshMs) {
      const [monotonicAt, wallAt] = [monotonic(), wall()];
      await ask();
      age = () => Math.max(monotonic() - monotonicAt, wall() - wallAt);
    }
  };
}

/** Shares one run of `work`, even a failed one, among all calls while it runs and for `forMs` ms after its end. */
export function sharedFor<Result>(forMs: number, work: () => Promise<Result>): () => Promise<Result> {
  let current: { readonly result: Promise<Result>; endedAtMs: number } | undefined;
  return () => {
    if (current !== undefined && performance.now() - current.endedAtMs < forMs) return current.result;
    const next = { result: work(), endedAtMs: Infinity };
    const end = (): void => {
      next.endedAtMs = performance.now();
    };
    next.result.then(end, end);
    current = next;
    return next.result;
  };
}
