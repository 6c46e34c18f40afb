import type { ItemId } from '../core/ids.ts';
import type { StoreConnection } from '../store/database/connection.ts';
import { findUnderWay, type DueItem } from '../store/items/due-items.ts';

/** Items of the backlog with a workflow at once, for each process. */
const windowMax = 16;
/** The same for one account, while other accounts have a backlog, too. */
const shareMax = 4;
/** The same for the only account with a backlog. Less than all, so that a second account finds places at once. */
const aloneMax = 12;
/** After this time a place without a workflow is free again; the row's due date finds the item. */
const placeMaxMs = 30_000;
const progressEveryMs = 250;

interface Place {
  readonly account: string;
  /** null until the item's row says that it needs a workflow. */
  begunAt: number | null;
}

export interface BacklogPlacesParts {
  readonly store: StoreConnection;
  /** Called for a waiting account when there is a place for it. */
  readonly onFree: (account: string) => void;
}

/**
 * Decides which items of the backlog may have a workflow now. Accounts share the places, however many items each has.
 */
export class BacklogPlaces {
  readonly #parts: BacklogPlacesParts;
  readonly #places = new Map<ItemId, Place>();
  /** Accounts whose items wait for a place; the one that has waited longest comes first. */
  readonly #waiting = new Set<string>();
  /** Accounts that were told of a free place and have not had their turn since. */
  readonly #called = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(parts: BacklogPlacesParts) {
    this.#parts = parts;
  }

  /** Takes a place for the item, if there is one for its account. */
  take({ itemId, accountId }: Pick<DueItem, 'itemId' | 'accountId'>): boolean {
    if (this.#roomOf(accountId) <= 0) return false;
    this.#places.set(itemId, { account: accountId, begunAt: null });
    return true;
  }

  /**
   * Called once the rows of the items are written. From now on each place lasts as long as a workflow has work with its
   * item.
   */
  begin(items: readonly ItemId[]): void {
    for (const item of items) {
      const place = this.#places.get(item);
      if (place !== undefined) place.begunAt = performance.now();
    }
  }

  /** Notes accounts that have more items than there are places. */
  wait(accounts: readonly string[]): void {
    for (const account of accounts) this.#waiting.add(account);
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#wake().catch(() => this.wait([]));
    }, progressEveryMs).unref();
  }

  /** Called when the account has its turn. */
  async enter(account: string): Promise<void> {
    await this.#free();
    this.#called.delete(account);
  }

  /** Frees the places of items whose workflow has ended or waits. */
  async #free(): Promise<void> {
    const at = performance.now();
    const begun = [...this.#places].filter(([, { begunAt }]) => begunAt !== null);
    if (begun.length === 0 || at - this.#readAt < progressEveryMs) return;
    this.#readAt = at;
    const underWay = await findUnderWay(
      this.#parts.store,
      begun.map(([id]) => id),
    );
    for (const [id, { begunAt }] of begun)
      if (!underWay.has(id) || at - (begunAt ?? at) > placeMaxMs) this.#places.delete(id);
  }

  async #wake(): Promise<void> {
    await this.#free();
    let room = windowMax - this.#places.size;
    for (const account of this.#waiting) {
      if (room <= 0) break;
      const own = this.#roomOf(account);
      if (own <= 0) continue;
      room -= own;
      this.#waiting.delete(account);
      this.#called.add(account);
      this.#parts.onFree(account);
    }
    if (this.#waiting.size > 0) this.wait([]);
  }

  #roomOf(account: string): number {
    const own = [...this.#places.values()].filter((place) => place.account === account).length;
    const isAlone =
      [...this.#waiting, ...this.#called].every((other) => other === account) &&
      [...this.#places.values()].every((place) => place.account === account);
    const most = isAlone ? aloneMax : shareMax;
    return Math.min(windowMax - this.#places.size, most - own);
  }
}
