import type { Auction } from './fake-marketplace.ts';

export type Visibility = 'current' | 'archived' | 'gone';
/** Where the newest publication is. `leaving`: up, and nobody wanted it when it was last decided. */
export type Phase = 'none' | 'opening' | 'live' | 'leaving' | 'over';

/** Causes of listing.failed that bids have. */
export type BidsRefusal = 'PRICE_REFUSED_BIDS' | 'TAKEDOWN_REFUSED_BIDS';

export interface Push {
  readonly title: string;
  readonly priceOre: number;
  readonly imageUrls: readonly string[];
  readonly autoPublish: boolean;
}

/** An event as a partner gets it. */
export interface SeenEvent {
  readonly eventId: string;
  readonly type: string;
  readonly sequence: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The world around the item at this moment. */
export interface Surroundings {
  readonly nowMs: number;
  /** Every auction that the marketplace ever had. */
  readonly auctions: readonly Auction[];
  /** Whether trouble of a kind was met since the run began. */
  wasMet(fault: string): boolean;
}

export class Mismatch extends Error {
  override readonly name = 'Mismatch';
}

/** Throws {@link Mismatch} with these words when the condition does not hold. */
export function demand(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Mismatch(message);
}

/** What an event beside the specified ones is about. All calls are those of the account's own key: only the marketplace changes anything. */
export function namedOccurrence({ type, data }: SeenEvent, auction: Auction | undefined): string {
  if (type.startsWith('order.')) return `${type} ${String(data['orderId'])}`;
  demand(type === 'item.changed', `unknown event ${type}`);
  demand(data['by'] === 'marketplace', `changed by ${String(data['by'])}`);
  demand(auction?.state === 'removed', 'told as removed, and it is not');
  demand(auction.removedBy !== 'service' || auction.isRemovalUnheard, "told as another's removal, and it was ours");
  return `changed ${auction.adId}`;
}

/** Every auction and draft that an item ever had. */
export const ownAuctions = ({ auctions }: Surroundings, id: string): readonly Auction[] =>
  auctions.filter(({ itemId }) => itemId === id);

/** The auction of a publication that was up, else the last draft of it. */
export function auctionOf({ auctions }: Surroundings, id: string, number: number): Auction | undefined {
  const own = auctions.filter(({ itemId, publication }) => itemId === id && publication === number);
  return own.find(({ wasUp }) => wasUp) ?? own.at(-1);
}

/** What may be up already, or is held by bids before the next one: then nothing waits for the images. */
export function goesOnWithoutImages(phase: Phase, auction: Auction | undefined): boolean {
  if (phase === 'leaving') return (auction?.bids ?? 0) > 0;
  return phase === 'opening' && auction?.wasCommitSent === true;
}
