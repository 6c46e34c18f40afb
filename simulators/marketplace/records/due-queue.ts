/** Due work, earliest first: a binary heap, so that thousands of running auctions cost nothing. */
export interface Due {
  readonly at: number;
  readonly kind: 'request' | 'end';
  readonly id: number;
}

/** A queue of due entries, the earliest first. */
export class DueQueue {
  readonly #heap: Due[] = [];

  add(due: Due): void {
    this.#heap.push(due);
    let index = this.#heap.length - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#swapIfEarlier(index, parent)) return;
      index = parent;
    }
  }

  /** The earliest entry that is due at `now`, taken out. */
  takeDue(now: number): Due | undefined {
    const first = this.#heap[0];
    if (first === undefined || first.at > now) return undefined;
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink();
    }
    return first;
  }

  #sink(): void {
    let index = 0;
    for (;;) {
      const left = index * 2 + 1;
      const child = this.#isEarlier(left + 1, left) ? left + 1 : left;
      if (!this.#swapIfEarlier(child, index)) return;
      index = child;
    }
  }

  #isEarlier(index: number, other: number): boolean {
    const one = this.#heap[index];
    const two = this.#heap[other];
    return one !== undefined && two !== undefined && one.at < two.at;
  }

  #swapIfEarlier(index: number, other: number): boolean {
    const one = this.#heap[index];
    const two = this.#heap[other];
    if (one === undefined || two === undefined || one.at >= two.at) return false;
    this.#heap[index] = two;
    this.#heap[other] = one;
    return true;
  }
}
