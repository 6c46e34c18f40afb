export interface GroupCommitOptions<Item, Result> {
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
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Group commit: while one is under way, what comes in waits and goes into the next one together. Who comes alone waits for nobody.
 * A commit that fails fails all of its items.
 */
export class GroupCommit<Item, Result> {
  readonly #options: GroupCommitOptions<Item, Result>;
  readonly #waiting: Waiting<Item, Result>[] = [];
  #underWay = 0;
  #isAboutToBegin = false;

  constructor(options: GroupCommitOptions<Item, Result>) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#underWay === 0 && this.#waiting.length === 0;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
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
    const { atOnce = 1 } = this.#options;
    while (this.#underWay < atOnce && this.#waiting.length > 0) {
      this.#underWay += 1;
      this.#commit(this.#take());
    }
  }

  #commit(group: readonly Waiting<Item, Result>[]): void {
    this.#options
      .commit(group.map(({ item }) => item))
      .finally(() => {
        this.#underWay -= 1;
        this.#begin();
      })
      .then((results) => {
        for (const [index, result] of results.entries()) group[index]?.resolve(result);
        for (const { reject } of group.slice(results.length)) reject(new Error('a commit answered too little'));
      })
      .catch((error: unknown) => {
        for (const { reject } of group) reject(error);
      });
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
}
