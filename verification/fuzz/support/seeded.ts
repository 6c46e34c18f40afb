import { createHash } from 'node:crypto';

/** Random choices that the same words give again: each input has its own, so that it can be made again without those before it. */
export class Seeded {
  #state: number;

  /** @param words the seed of the run, and what the choices are for. */
  constructor(...words: readonly (string | number)[]) {
    this.#state = createHash('sha256').update(words.join('/')).digest().readUInt32LE(0);
  }

  /** 0 to 1, without 1 (mulberry32). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to `end`, without `end`; 0 when there is none. */
  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  isLucky(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error('there is nothing to pick from');
    return value;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }
}
