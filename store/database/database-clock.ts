/**
 * The database's time, as one process knows it: its own clock that only goes forward, set by what the database told. It is right to
 * a few milliseconds, whatever the machine's clock says.
 */
export class DatabaseClock {
  #offsetMs: number;

  /** @param offsetMs by how much the database's time is ahead of `performance.now()` */
  constructor(offsetMs: number = performance.timeOrigin) {
    this.#offsetMs = offsetMs;
  }

  readonly now = (): Date => new Date(performance.now() + this.#offsetMs);

  /** The database told its time in answer to a question of `askedAt`, in ms of `performance.now()`; the answer has just come. */
  learn(time: Date, askedAt: number): void {
    this.#offsetMs = time.getTime() - (askedAt + performance.now()) / 2;
  }
}
