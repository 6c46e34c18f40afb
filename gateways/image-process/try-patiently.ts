import { UnusableImage, type Retry } from './port.ts';

export interface Patience {
  /** Rejects when `signal` is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

/** Waits before an image is tried again; after the last one it counts as failed. */
const waitsMs: Readonly<Record<Retry, readonly number[]>> = {
  never: [],
  soon: [500, 2_000, 5_000],
  later: [3_000, 10_000],
};
/** No retry begins later than this after the first try, however slowly a server drips: a new item should be ready in 30 s. */
const patienceMs = 30_000;

/** Repeats an `attempt` that throws {@link UnusableImage} while that may help. `attempt` calls `begins` when it has its slot. */
export async function tryPatiently<Result>(
  attempt: (begins: () => void) => Promise<Result>,
  { pause, now }: Patience,
  signal: AbortSignal,
): Promise<Result> {
  let giveUpAt = Infinity;
  const begins = (): void => {
    giveUpAt = Math.min(giveUpAt, now() + patienceMs);
  };
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt(begins);
    } catch (error) {
      if (!(error instanceof UnusableImage)) throw error;
      const waitMs = waitsMs[error.retry][tries];
      if (waitMs === undefined || signal.aborted || now() + waitMs > giveUpAt) throw error;
      await pause(waitMs, signal);
    }
  }
}
