import pTimeout from 'p-timeout';

export interface BatcherOptions<Item, Result> {
  /** Writes or reads the items together, and returns one result per item, in their order. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Largest sum of item sizes in one commit. A larger item is committed alone. */
  readonly sizeMax: number;
  /** Size of an item; 1 by default. */
  readonly sizeOf?: (item: Item) => number;
  /** Most concurrent commits; 1 by default. */
  readonly atOnce?: number;
  /**
   * Items of one key are never in two commits at once, where they would wait for each other. Without it items have no
   * keys.
   */
  readonly keyOf?: (item: Item) => string;
  /**
   * When a commit begins. `at once` (default): with the items of the same callback. `after this turn`: with all items of this
   * turn of the event loop, which on a busy process come from many connections, or from those that a commit has just answered.
   * `afterMs`: with all items of that time, unless {@link Batcher.flush} is called.
   */
  readonly begin?: 'at once' | 'after this turn' | { readonly afterMs: number };
  /** Keeps a hanging commit from blocking all later ones; without it, later ones wait. */
  readonly patience?: Patience;
}

export interface Patience {
  /** A commit that takes longer than this continues, but no longer counts against `atOnce`. */
  readonly countedMs: number;
  /** Most commits in progress, including those that no longer count. */
  readonly underWayMax: number;
  /** A caller that waits longer than this gets {@link NotBegun}. */
  readonly waitMaxMs: number;
  /** A caller whose commit takes longer than this gets {@link NotAnswered}, so that no caller waits for ever. */
  readonly commitMaxMs: number;
}

/** No work was begun for the item: it waited too long for earlier commits. */
export class NotBegun extends Error {
  override readonly name = 'NotBegun';
}

/** The commit was begun, and its outcome is unknown. */
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
 * Group commit: items that arrive during a commit go together into the next one. A single item does not wait. A failed commit
 * fails all of its items.
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  /** Keys of the items in the commits that count. */
  readonly #keys = new Set<string>();
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

  /** Commits the waiting items now. */
  flush(): void {
    this.#isAboutToBegin = false;
    this.#begin();
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
    const begin = (): void => this.flush();
    const { begin: when = 'at once' } = this.#options;
    if (typeof when === 'object') setTimeout(begin, when.afterMs);
    else if (when === 'after this turn') setImmediate(begin);
    else queueMicrotask(begin);
  }

  #begin(): void {
    const { atOnce = 1, patience } = this.#options;
    const underWayMax = patience?.underWayMax ?? Infinity;
    while (this.#counted < atOnce && this.#underWay < underWayMax) {
      const group = this.#take();
      if (group.length === 0) break;
      this.#commit(group);
    }
    if (patience === undefined) return;
    if (this.#waiting.length > 0) this.#expireLater(patience.waitMaxMs);
    else this.#expireNobody();
  }

  #commit(group: readonly Waiting<Item, Result>[]): void {
    const end = this.#hold(group);
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

  /** An async wrapper, so that a `commit` that throws synchronously becomes a rejection. */
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

  /** Takes a slot, and the keys of the group. Call the returned function once, when the commit has ended, to give them back. */
  #hold(group: readonly Waiting<Item, Result>[]): () => void {
    const { patience, keyOf } = this.#options;
    const keys = keyOf === undefined ? [] : group.map(({ item }) => keyOf(item));
    this.#underWay += 1;
    this.#counted += 1;
    for (const key of keys) this.#keys.add(key);
    let isCounted = true;
    const stopCounting = (): void => {
      if (!isCounted) return;
      isCounted = false;
      this.#counted -= 1;
      for (const key of keys) this.#keys.delete(key);
    };
    const onOverdue = (): void => {
      stopCounting();
      this.#begin();
    };
    const timer = patience && setTimeout(onOverdue, patience.countedMs);
    return () => {
      clearTimeout(timer);
      this.#underWay -= 1;
      stopCounting();
      this.#beginNext();
    };
  }

  /**
   * After a commit: callers that it answers may add items in this turn of the event loop, so with `after this turn` the
   * next commit waits for them.
   */
  #beginNext(): void {
    if (this.#options.begin === 'after this turn') this.#beginSoon();
    else if (!this.#isAboutToBegin) this.#begin();
  }

  #take(): Waiting<Item, Result>[] {
    const { sizeMax, sizeOf = () => 1, keyOf } = this.#options;
    let size = 0;
    const taken = new Set<Waiting<Item, Result>>();
    for (const waiting of this.#waiting) {
      if (keyOf !== undefined && this.#keys.has(keyOf(waiting.item))) continue;
      size += sizeOf(waiting.item);
      if (taken.size > 0 && size > sizeMax) break;
      taken.add(waiting);
    }
    this.#waiting = this.#waiting.filter((waiting) => !taken.has(waiting));
    return [...taken];
  }

  /** Clears the timer when no item waits, because it would keep the process from ending. */
  #expireNobody(): void {
    clearTimeout(this.#expiry);
    this.#expiry = undefined;
  }

  /** One timer is enough for all items, because the first in the queue has waited longest. */
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
