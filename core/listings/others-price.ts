import { emitChange } from '../events/outbox.ts';
import { acceptWrite } from '../items/owed-work.ts';
import { isUp, newestListing, startPriceOre, type Item, type Listing } from '../items/item.ts';
import { theMarketplace } from '../items/journal.ts';
import { note } from '../items/note.ts';
import { wholeKronorFromOre } from '../money.ts';
import { changeNewestListing } from './publication.ts';
import { needsRevision, showsPrice } from './revision.ts';

/** A row of the marketplace's list of changed auctions. */
export interface ShownPrice {
  readonly adId: string;
  readonly bids: number;
  /** The highest bid, or the start price without one; null when the row does not say. */
  readonly priceKronor: number | null;
  /** By the marketplace's clock. */
  readonly updatedAt: Date;
}

/**
 * - `ours`: the service set it, or the row shows no price.
 * - `unclear`: not ours, but a pending change of ours may replace it, so the row must be read again.
 * - `others`: the seller set it at the marketplace.
 */
export type PriceOrigin = 'ours' | 'unclear' | 'others';

/**
 * Who set a start price (decision 173). A row that was read before our last change shows an earlier price of ours, so
 * those are remembered. Nothing is concluded before a row has shown our own price once.
 */
export function priceOrigin(item: Item, { adId, bids, priceKronor, updatedAt }: ShownPrice): PriceOrigin {
  const listing = runningAuction(item, adId);
  const shownAt = listing?.sent?.shownAt;
  if (listing === undefined || !shownAt || updatedAt <= shownAt || bids > 0 || !priceKronor) return 'ours';
  if (sentKronor(listing).includes(priceKronor)) return 'ours';
  const isAtRest = listing.state === 'live' && listing.change === null;
  return isAtRest && !needsRevision(item, listing) && showsPrice(item, listing) ? 'others' : 'unclear';
}

/**
 * The item gets the price that its seller set at the marketplace, and an event tells it. Returns the item unchanged
 * when there is none.
 */
export function recordOthersPrice(item: Item, shown: ShownPrice, now: Date): Item {
  const { priceKronor, updatedAt } = shown;
  if (priceKronor === null || priceOrigin(item, shown) !== 'others') return item;
  const from = startPriceOre(item);
  const priceOre = Math.round(priceKronor * 100);
  const taken: Item = {
    ...changeNewestListing(item, {
      itemPriceOre: priceOre,
      sent: { kronor: [...notShownYet(item), priceKronor], shownAt: updatedAt },
    }),
    content: { ...item.content, priceOre },
    relisted: { ...item.relisted, loweredOre: 0 },
    refusedPriceOre: null,
  };
  const details = { from: from / 100, to: priceOre / 100 };
  const noted = note(acceptWrite(taken, now), { at: now, kind: 'price_changed', details, actor: theMarketplace });
  return emitChange(noted, { what: 'price', actor: theMarketplace, priceOreBefore: from }, now);
}

/**
 * Notes what a row with a price of ours proves. The first one proves that the list means the start price. It counts even while
 * the auction is being opened or changed, because its row may never be read again. A row with the price that was sent last, and
 * sent only once, proves that no later row shows an earlier one, so those are forgotten. Returns the item unchanged when there is
 * nothing to note.
 */
export function noteOwnPrice(item: Item, { adId, bids, priceKronor, updatedAt }: ShownPrice): Item {
  const listing = runningAuction(item, adId);
  if (listing === undefined || bids > 0 || priceKronor === null) return item;
  const sent = sentKronor(listing);
  const shownAt = listing.sent?.shownAt ?? null;
  const isLast =
    listing.change === null &&
    sent.indexOf(priceKronor) === sent.length - 1 &&
    wholeKronorFromOre(listing.itemPriceOre) === priceKronor;
  if (isLast && (shownAt === null || (sent.length > 1 && updatedAt > shownAt)))
    return changeNewestListing(item, { sent: { kronor: [priceKronor], shownAt: updatedAt } });
  return shownAt === null && sent.includes(priceKronor)
    ? changeNewestListing(item, { sent: { kronor: sent, shownAt: updatedAt } })
    : item;
}

function runningAuction(item: Item, adId: string): Listing | undefined {
  const newest = newestListing(item);
  return newest?.adId === adId && isUp(newest) ? newest : undefined;
}

/** Prices of ours that a later row may still show: the seller's may have been read before we sent the last. */
function notShownYet(item: Item): readonly number[] {
  const newest = newestListing(item);
  const sent = newest === undefined ? [] : sentKronor(newest);
  return sent.length > 1 ? sent : [];
}

const sentKronor = ({ sent, itemPriceOre }: Listing): readonly number[] =>
  sent?.kronor ?? [wholeKronorFromOre(itemPriceOre)];
