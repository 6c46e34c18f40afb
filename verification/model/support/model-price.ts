import type { Auction } from './fake-marketplace.ts';
import { demand } from './model-terms.ts';

/** Whole kronor, rounded half up: what the marketplace is told. */
export const kronorOf = (ore: number): number => Math.floor((ore + 50) / 100);

/** The price of an item as its partner knows it, and the one that bids forbade. */
export class ModelPrice {
  #ore: number;
  #refusedOre: number | null = null;
  /** Every price that the item ever had. */
  readonly #given = new Set<number>();

  constructor(ore: number) {
    this.#ore = ore;
    this.#given.add(ore);
  }

  get ore(): number {
    return this.#ore;
  }

  set(ore: number): void {
    if (ore === this.#ore) return;
    this.#ore = ore;
    this.#refusedOre = null;
    this.#given.add(ore);
  }

  isRefused(ore: number): boolean {
    return ore === this.#refusedOre;
  }

  /** The auction is over: its bids forbid nothing any more. */
  free(): void {
    this.#refusedOre = null;
  }

  /**
   * The marketplace refused the price because of bids: it is again the last one that it took, which reads show now as `shownOre`.
   * Of several with the same kronor any may be the one that was sent.
   */
  takeBack({ priceKronor }: Auction, shownOre: number): void {
    // Of a price whose answer was lost and that was changed again since, only the kronor may be left.
    demand(this.#given.has(shownOre) || shownOre === priceKronor * 100, 'a price that nobody ever gave');
    demand(kronorOf(this.#ore) !== priceKronor, 'a price was refused that the auction has');
    demand(kronorOf(shownOre) === priceKronor, 'back to a price that the auction does not have');
    this.#refusedOre = this.#ore;
    this.#ore = shownOre;
  }
}
