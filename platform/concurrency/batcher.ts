import pTimeout from 'p-timeout';

export interface BatcherOptions<Item, Result> {
  /** Writes (or reads) them together, and answers one result for each, in their order. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** The most that one commit takes, in the sizes of its items; a larger one goes alone. */
  readonly sizeMax: number;
  /** 1 each, unless said otherwise. */
  readonly sizeOf?: (item: Item) => number;
  /** How many commits are under way at once; 1 unless said otherwise. */
  readonly atOnce?: number;
  /**
   * When one begins: `at once` with what the same callback brings, or with all that the turn of the event loop brings, which on a
   * busy process is what many connections send. At once unless said otherwise.
   */
  readonly begin?: 'at once' | 'after this turn';
  /** What hangs must not hold up all that come after it; without this it does. */
  readonly patience?: Patience;
}

export interface Patience {
  /** A commit that takes longer than this goes on, but is not counted as under way any more. */
  readonly countedMs: number;
  /** How many may be under way in all. */
  readonly underWayMax: number;
  /** Who waits for longer than this is told {@link NotBegun}. */
  readonly waitMaxMs: number;
  /** Whose commit takes longer than this is told {@link NotAnswered}: what never ends must not keep anybody for ever. */
  readonly commitMaxMs: number;
}

/** Nothing was begun for the item: it waited too long for those before it. */
export class NotBegun extends Error {
  override readonly name = 'NotBegun';
}

/** The commit was begun, and nobody knows what becomes of it. */
export class NotAnswered extends Error {
  override readonly name = 'NotAnswered';
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Group commit: while one is under way, what comes in waits and goes into the next one together. Who comes alone waits for nobody.
 * A commit that fails fails all of its items.
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  #counted = 0;
  #underWay = 0;
  #isAboutToBegin = false;
  #expiry: NodeJS.Timeout | undefined;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#underWay === 0 && this.#waiting.length === 0;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, since: performance.now(), resolve, reject });
      this.#beginSoon();
    });
  }

  #beginSoon(): void {
    if (this.#isAboutToBegin) return;
    this.#isAboutToBegin = true;
    const begin = (): void => {
      this.#isAboutToBegin = false;
      this.#begin();
    };
    if (this.#options.begin === 'after this turn') setImmediate(begin);
    else queueMicrotask(begin);
  }

  #begin(): void {
    const { atOnce = 1, patience } = this.#options;
    const underWayMax = patience?.underWayMax ?? Infinity;
    while (this.#counted < atOnce && this.#underWay < underWayMax && this.#waiting.length > 0)
      this.#commit(this.#take());
    if (patience === undefined) return;
    if (this.#waiting.length > 0) this.#expireLater(patience.waitMaxMs);
    else this.#expireNobody();
  }

  #commit(group: readonly Waiting<Item, Result>[]): void {
    const end = this.#hold();
    this.#inTime(this.#results(group.map(({ item }) => item)))
      .finally(end)
      .then((results) => {
        for (const [index, result] of results.entries()) group[index]?.resolve(result);
        for (const { reject } of group.slice(results.length)) reject(new Error('a commit answered too little'));
      })
      .catch((error: unknown) => {
        for (const { reject } of group) reject(error);
      });
  }

  /** Also one that throws at once has failed. */
  async #results(items: readonly Item[]): Promise<readonly Result[]> {
    return this.#options.commit(items);
  }

  #inTime(results: Promise<readonly Result[]>): Promise<readonly Result[]> {
    const { patience } = this.#options;
    if (patience === undefined) return results;
    const { commitMaxMs } = patience;
    return pTimeout(results, {
      milliseconds: commitMaxMs,
      message: new NotAnswered(`no answer within ${commitMaxMs} ms`),
    });
  }

  /** Takes a place; the result, called once when the commit has ended, gives it back. */
  #hold(): () => void {
    const { patience } = this.#options;
    this.#underWay += 1;
    this.#counted += 1;
    let isCounted = true;
    const letOthersBegin = (): void => {
      if (!isCounted) return;
      isCounted = false;
      this.#counted -= 1;
      this.#begin();
    };
    const timer = patience && setTimeout(letOthersBegin, patience.countedMs);
    return () => {
      clearTimeout(timer);
      this.#underWay -= 1;
      if (isCounted) letOthersBegin();
      else this.#begin();
    };
  }

  #take(): Waiting<Item, Result>[] {
    const { sizeMax, sizeOf = () => 1 } = this.#options;
    let size = 0;
    let count = 0;
    for (const { item } of this.#waiting) {
      size += sizeOf(item);
      if (count > 0 && size > sizeMax) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  /** A timer for nobody would keep the process from ending. */
  #expireNobody(): void {
    clearTimeout(this.#expiry);
    this.#expiry = undefined;
  }

  /** One timer for all: the first in line has waited longest. */
  #expireLater(waitMaxMs: number): void {
    if (this.#expiry !== undefined) return;
    const waited = performance.now() - (this.#waiting[0]?.since ?? 0);
    this.#expiry = setTimeout(
      () => {
        this.#expiry = undefined;
        const oldest = performance.now() - waitMaxMs;
        const expired = this.#waiting.filter(({ since }) => since <= oldest);
        this.#waiting = this.#waiting.filter(({ since }) => since > oldest);
        for (const { reject } of expired) reject(new NotBegun(`waited in line for more than ${waitMaxMs} ms`));
        this.#begin();
      },
      Math.max(1, waitMaxMs - waited),
    );
  }
}
