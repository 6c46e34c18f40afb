/** Nobody looks sooner. */
const shortestMs = 1_000;
/**
 * More looks than places that become free: which process a timer comes back to is chance, so with just as many some places
 * would stay empty. A look in vain costs CPU time, but far less than an attempt does.
 */
const looksPerPlace = 1.5;
/** No more looks than this, however fast places become free: about what a look costs. */
const leastGapMs = 25;
/** In a line longer than this, looks come closer together, so that a receiver that recovers is soon sent what waits. */
const longLineMs = 300_000;
/** As many as cost little: about a twentieth of a processor. */
const longLineGapMs = 600;

export interface Places {
  readonly now: number;
  /** When a place is expected to be free. */
  readonly freeAt: number;
  /** How long it takes on the average until another one is. */
  readonly turnMs: number;
}

/**
 * Deliveries that wait for a place at one target, by their own timers. Of those it knows only when the last one looks again:
 * whoever waits looks after all the others, here or in another process, and who looks in vain once more. So a look costs the
 * same however many wait, looks never come in crowds, and those that never come back need not be forgotten.
 */
export class WaitingLine {
  #lastLookAt = 0;

  isEmpty(now: number): boolean {
    return this.#lastLookAt <= now;
  }

  /** @returns how long the next one in the line waits until it looks */
  join({ now, freeAt, turnMs }: Places, random: number): number {
    const aheadMs = Math.max(0, this.#lastLookAt - now);
    const gapMs = gapOf(turnMs, aheadMs);
    this.#lastLookAt = Math.max(now + aheadMs + gapMs, freeAt, now + shortestMs);
    // Not always the same ones come just before a place is free.
    return Math.ceil(this.#lastLookAt - now + random * gapMs);
  }
}

function gapOf(turnMs: number, aheadMs: number): number {
  const gapMs = turnMs / looksPerPlace;
  return Math.max(leastGapMs, aheadMs > longLineMs ? Math.min(gapMs, longLineGapMs) : gapMs);
}
