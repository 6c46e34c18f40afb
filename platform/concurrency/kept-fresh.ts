/** Milliseconds by two clocks; the process's own by default. */
export interface Clocks {
  /** Only goes up, but may stand still while the machine sleeps. */
  readonly monotonic: () => number;
  /** May be set back. */
  readonly wall: () => number;
}

const ownClocks: Clocks = { monotonic: () => performance.now(), wall: () => Date.now() };

/** A process may be stopped between any two steps: what was asked longer ago says nothing of now. */
const freshMs = 3_000;

/**
 * A question whose answer counts for three seconds from when it was asked, by the clock that says more. The result asks, unless it
 * has an answer that still counts, and once more when the answer was old by the time it was there.
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
