/** Answers this exact are always believed. */
const fineMs = 10;
/** By how much what is known gets less exact in each ms: more than clocks drift, so that a slow network is learned from as well. */
const lossPerMs = 0.005;

/**
 * The database's time, as one process knows it: its own clock that only goes forward, set by what the database told. It is right to
 * a few milliseconds, whatever the machine's clock says.
 */
export class DatabaseClock {
  #offsetMs: number;
  /** How far off the time may have been when it was learned, and when that was. */
  #errorMs = Infinity;
  #learnedAt = 0;

  /** @param offsetMs by how much the database's time is ahead of `performance.now()` */
  constructor(offsetMs: number = performance.timeOrigin) {
    this.#offsetMs = offsetMs;
  }

  readonly now = (): Date => new Date(performance.now() + this.#offsetMs);

  /**
   * The database told its time in answer to a question of `askedAt`, in ms of `performance.now()`; the answer has just come. One that
   * took much longer than usual says less than what is known, and is left out: the process was paused, or the database away.
   */
  learn(time: Date, askedAt: number): void {
    const at = performance.now();
    const errorMs = (at - askedAt) / 2;
    if (errorMs > Math.max(fineMs, this.#errorMs + (at - this.#learnedAt) * lossPerMs)) return;
    this.#offsetMs = time.getTime() - (askedAt + at) / 2;
    this.#errorMs = errorMs;
    this.#learnedAt = at;
  }
}
