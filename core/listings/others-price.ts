import { emitChange } from '../events/outbox.ts';
import { acceptWrite } from '../items/owed-work.ts';
import { startPriceOre, type Item, type Listing } from '../items/item.ts';
import { theMarketplace } from '../items/journal.ts';
import { note } from '../items/note.ts';
import { wholeKronorFromOre } from '../money.ts';
import { changeNewestListing, listingIn } from './publication.ts';
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
 * - `ours`: the service set it, or the row says nothing of it.
 * - `unclear`: it is none of ours, but a change of ours that is on its way may replace it. To be looked at again.
 * - `others`: its seller set it at the marketplace itself.
 */
export type PriceOrigin = 'ours' | 'unclear' | 'others';

/**
 * Where a start price comes from (decision 173). A row that was read before our last change shows an earlier price of ours, and
 * those are remembered. Nothing is concluded before a row has shown our own price once.
 */
export function priceOrigin(item: Item, { adId, bids, priceKronor, updatedAt }: ShownPrice): PriceOrigin {
  const listing = runningAuction(item, adId);
  const shownAt = listing?.sent?.shownAt;
  if (listing === undefined || !shownAt || updatedAt <= shownAt || bids > 0 || !priceKronor) return 'ours';
  if (sentKronor(listing).includes(priceKronor)) return 'ours';
  const isInWork = listing.change !== null || needsRevision(item, listing) || !showsPrice(item, listing);
  return isInWork ? 'unclear' : 'others';
}

/** The item takes the price that its seller set at the marketplace, and tells it. Unchanged where there is none. */
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
 * A row shows the price that was sent last, and was sent only once: no later row can show an earlier one of ours, so those are
 * forgotten. Returns the item unchanged when there is nothing to note.
 */
export function noteOwnPrice(item: Item, { adId, bids, priceKronor, updatedAt }: ShownPrice): Item {
  const listing = runningAuction(item, adId);
  if (listing === undefined || listing.change !== null || bids > 0 || priceKronor === null) return item;
  const sent = sentKronor(listing);
  const isNews = listing.sent?.shownAt == null || (sent.length > 1 && updatedAt > listing.sent.shownAt);
  const isLast =
    sent.indexOf(priceKronor) === sent.length - 1 && wholeKronorFromOre(listing.itemPriceOre) === priceKronor;
  return isNews && isLast ? changeNewestListing(item, { sent: { kronor: [priceKronor], shownAt: updatedAt } }) : item;
}

function runningAuction(item: Item, adId: string): Listing | undefined {
  const newest = item.listings.at(-1);
  return newest?.adId === adId ? listingIn(item, newest.publication, ['live']) : undefined;
}

/** Prices of ours that a later row may still show: the seller's may have been read before we sent the last. */
function notShownYet({ listings }: Item): readonly number[] {
  const newest = listings.at(-1);
  const sent = newest === undefined ? [] : sentKronor(newest);
  return sent.length > 1 ? sent : [];
}

const sentKronor = ({ sent, itemPriceOre }: Listing): readonly number[] =>
  sent?.kronor ?? [wholeKronorFromOre(itemPriceOre)];
