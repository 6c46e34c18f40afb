import { emitChange } from '../../webhooks/rules/event-data.ts';
import { acceptWrite } from '../../items/rules/owed-work.ts';
import { newestListing, startPriceOre, type Item } from '../../items/rules/item.ts';
import { theMarketplace } from '../../items/rules/journal.ts';
import { note } from '../../items/rules/note.ts';
import { wholeKronorFromOre } from '../../rules/money.ts';
import { showsPrices } from './price.ts';
import { changeNewestListing } from './publication.ts';

/** A running auction in a look that began at `readAt`, by the service's clock. */
export interface ShownPrice {
  readonly adId: string;
  readonly bids: number;
  readonly startPriceKronor: number;
  readonly readAt: Date;
}

/**
 * The item gets the start price that its seller set at the marketplace, and an event tells it. Returns the item unchanged
 * when the price is ours: one that it wants or just got, or one that the marketplace may show late (`settleMs` after our last call).
 */
export function takeOthersPrice(
  item: Item,
  shown: ShownPrice,
  { settleMs, now }: { settleMs: number; now: Date },
): Item {
  const listing = newestListing(item);
  const { startPriceKronor: kronor, adId, bids, readAt } = shown;
  if (listing?.adId !== adId || listing.state !== 'live' || bids > 0 || kronor < 1) return item;
  if (kronor === wholeKronorFromOre(listing.itemPriceOre) || !showsPrices(item, listing)) return item;
  if (listing.pricedAt === null || readAt.getTime() < listing.pricedAt.getTime() + settleMs) return item;
  const from = startPriceOre(item);
  const priceOre = Math.round(kronor * 100);
  const taken: Item = {
    ...changeNewestListing(item, { itemPriceOre: priceOre }),
    content: { ...item.content, priceOre },
    relisted: { ...item.relisted, loweredOre: 0 },
    refusedPriceOre: null,
  };
  const details = { from: from / 100, to: priceOre / 100 };
  const noted = note(acceptWrite(taken, now), { at: now, kind: 'price_changed', details, actor: theMarketplace });
  return emitChange(noted, { what: 'price', actor: theMarketplace, priceOreBefore: from }, now);
}
