/** A timer may fire late on a busy machine; who is later than this went elsewhere. */
const graceMs = 30_000;
/** More are told to wait, but not remembered. */
const lengthMax = 10_000;

/** Deliveries that wait for a place at one target, by their own timers. Those that never come back are forgotten. */
export class WaitingLine {
  /** When it is whose turn, in the order in which they joined. */
  readonly #turns = new Map<string, number>();

  length(now: number): number {
    for (const [delivery, turnAt] of this.#turns) {
      if (turnAt + graceMs >= now) break;
      this.#turns.delete(delivery);
    }
    return this.#turns.size;
  }

  /** How many have their turn by then. */
  countUntil(time: number): number {
    let count = 0;
    for (const turnAt of this.#turns.values()) count += Number(turnAt <= time);
    return count;
  }

  /** Whether it had waited, or was promised a place. */
  leave(delivery: string): boolean {
    return this.#turns.delete(delivery);
  }

  join(delivery: string, turnAt: number): void {
    if (this.#turns.size < lengthMax) this.#turns.set(delivery, turnAt);
  }
}

const shortestMs = 1_000;
/** Nobody waits much longer, so that a receiver that recovers is soon sent what waits. */
const longMs = 300_000;
/** But in an endless line: else each would look in vain again and again, and a look costs CPU time. */
const looksMax = 4;
/** Somewhat late rather than early, because who comes too early has looked in vain. */
const slack = 1.05;

export interface Places {
  readonly now: number;
  /** When each attempt in flight began, oldest first. */
  readonly begunAt: readonly number[];
  /** At least 1; more may be in flight, from the time when it was more. */
  readonly count: number;
  readonly eachMs: number;
}

/** When the `turn`th place is expected to be free (1: the next one), from how long those in flight have been there. */
export function freeAt({ now, begunAt, count, eachMs }: Places, turn: number): number {
  const holders = begunAt.slice(-count);
  const [index, cycle] = [(turn - 1) % count, Math.floor((turn - 1) / count)];
  return (holders[index] ?? now) + (cycle + 1) * eachMs * slack;
}

/** @param expectedMs until a place is free */
export const waitMs = (expectedMs: number): number =>
  Math.ceil(Math.max(shortestMs, Math.min(expectedMs, Math.max(longMs, expectedMs / looksMax))));
