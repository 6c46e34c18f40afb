/** Milliseconds by two clocks; the process's own by default. */
export interface Clocks {
  /** Never goes back, but may stand still while the machine sleeps. */
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
