import type { Auction } from './fake-marketplace.ts';
import { demand, type SeenEvent } from './model-terms.ts';

/** What the partner was told about an item, and that nothing was told twice or left out. */
export class ToldEvents {
  readonly #occurrences = new Set<string>();
  #sequence = 0;

  add({ sequence }: SeenEvent): void {
    demand(sequence > this.#sequence, `sequence ${sequence} after ${this.#sequence}`);
    this.#sequence = sequence;
  }

  /** The same occurrence never happens twice. */
  once(occurrence: string): void {
    demand(!this.#occurrences.has(occurrence), `told twice: ${occurrence}`);
    this.#occurrences.add(occurrence);
  }

  has(occurrence: string): boolean {
    return this.#occurrences.has(occurrence);
  }

  /** No later auction of the same item is known as sold. */
  isNewestSale(auctions: readonly Auction[], { itemId, publication }: Auction): boolean {
    const later = auctions.filter((other) => other.itemId === itemId && other.publication > publication);
    return !later.some(({ transactionId }) => this.has(`sold ${transactionId}`));
  }

  /** listing.ended of one of an item's auctions, which it names. */
  takeEnded({ data }: SeenEvent, own: readonly Auction[]): Auction {
    const auction = own.find(({ adId }) => adId === data['marketplaceAdId']);
    demand(auction?.wasUp === true, 'told the end of another auction');
    demand(auction.state === 'ended' || auction.state === 'sold', `told ended, is ${auction.state}`);
    this.once(`ended ${auction.publication}`);
    demand(this.has(`live ${auction.publication}`), 'told the end before the beginning');
    return auction;
  }

  /** item.sold of one of an item's auctions, which it names. */
  takeWon({ data }: SeenEvent, own: readonly Auction[]): Auction {
    const auction = own.find(({ adId }) => adId === data['marketplaceAdId']);
    demand(auction?.state === 'sold', 'told a sale that is none');
    this.once(`sold ${auction.transactionId}`);
    demand(this.has(`live ${auction.publication}`), 'told the sale before the beginning');
    return auction;
  }

  /** Everything that became of an auction was told. */
  requireAll({ wasUp, state, publication, transactionId }: Auction): void {
    // What was up for a moment only, unseen, and was removed then, was none to the partner.
    if (wasUp && state !== 'removed') demand(this.has(`live ${publication}`), 'an auction was never told');
    if (state === 'sold') demand(this.has(`sold ${transactionId}`), 'a sale was never told');
    if (state === 'ended') demand(this.has(`ended ${publication}`), 'an end was never told');
  }
}
