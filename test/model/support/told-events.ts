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

  /** Everything that became of an auction was told. */
  requireAll({ wasUp, state, publication, transactionId }: Auction): void {
    // What was up for a moment only, unseen, and was removed then, was none to the partner.
    if (wasUp && state !== 'removed') demand(this.has(`live ${publication}`), 'an auction was never told');
    if (state === 'sold') demand(this.has(`sold ${transactionId}`), 'a sale was never told');
    if (state === 'ended') demand(this.has(`ended ${publication}`), 'an end was never told');
  }
}
