import type { ItemContent } from '../../items/rules/item-content.ts';
import { problem, type FieldProblem } from '../../rules/field-problems.ts';
import { acceptWrite, idle, isAtRest } from '../../items/rules/owed-work.ts';
import { newestListing, startPriceOre, type Item, type Listing } from '../../items/rules/item.ts';
import { theMarketplace, theService } from '../../items/rules/journal.ts';
import { note } from '../../items/rules/note.ts';
import { wholeKronorFromOre } from '../../rules/money.ts';
import { emitFailure } from './listing-failure.ts';
import { pricesOf, termsOf, type Prices } from './listing-terms.ts';
import { changeNewestListing, listingIn, statusWhileUp } from './publication.ts';

/** The prices that an auction is asked to have, and from which state of the item they are. */
export interface AskedPrices {
  readonly publication: number;
  readonly revision: number;
  /** The exact start price. */
  readonly priceOre: number;
  readonly prices: Prices;
}

/** What of an item decides on the prices of its auction. */
export type Priced = Pick<Item, 'revision' | 'relisted'> & {
  readonly content: Pick<ItemContent, 'priceOre' | 'listing'>;
};

const wantedPrices = (item: Priced, defaults: Listing['defaults']): Prices =>
  pricesOf(termsOf(item, defaults), startPriceOre(item));

/** What the item wants its running auction to have. */
export const askedPrices = (item: Priced, { publication, defaults }: Listing): AskedPrices => ({
  publication,
  revision: item.revision,
  priceOre: startPriceOre(item),
  prices: wantedPrices(item, defaults),
});

/** The prices that the auction has, as far as we know. */
export const presentPrices = ({ itemPriceOre, reserveKronor, buyNowKronor }: Listing): Prices => ({
  startPriceKronor: wholeKronorFromOre(itemPriceOre),
  reservePriceKronor: reserveKronor,
  buyNowPriceKronor: buyNowKronor,
});

const showsStartPrice = (item: Priced, { itemPriceOre }: Listing): boolean =>
  wholeKronorFromOre(startPriceOre(item)) === wholeKronorFromOre(itemPriceOre);

/** Whether the auction has the item's prices, as far as it can: a reserve price can't be taken off a running auction. */
export function showsPrices(item: Priced, listing: Listing): boolean {
  const { reservePriceKronor, buyNowPriceKronor } = wantedPrices(item, listing.defaults);
  return (
    listing.askedPriceOre === null &&
    showsStartPrice(item, listing) &&
    buyNowPriceKronor === listing.buyNowKronor &&
    (reservePriceKronor === null || reservePriceKronor === listing.reserveKronor)
  );
}

/**
 * A push took the reserve price off the item, and its running auction keeps it: a start price of as much will be refused. Words for the
 * caller; null when the price fits.
 */
export function keptReserveWarnings(item: Item, priceOre: number): FieldProblem[] {
  const listing = newestListing(item);
  const isKept = listing?.state === 'live' && item.content.listing?.reservePrice === undefined;
  const reservePrice = isKept ? listing.reserveKronor : null;
  return reservePrice !== null && wholeKronorFromOre(priceOre) >= reservePrice
    ? [problem('price', 'reserve_kept', { reservePrice })]
    : [];
}

/** The auction has other prices than the item, and the marketplace did not refuse those of this revision. */
export const needsPrice = (item: Priced, listing: Listing): boolean =>
  listing.refusedRevision !== item.revision && !showsPrices(item, listing);

/** The prices are equal, but the document does not record it yet: the price differs in öre only, or a failure is over. */
export const isUnconfirmed = (item: Item, listing: Listing): boolean =>
  showsPrices(item, listing) &&
  (listing.itemPriceOre !== startPriceOre(item) || item.marketplaceStatus !== statusWhileUp(item));

/** Records that the auction has the item's prices. */
export const confirmShown = (item: Item, now: Date): Item => ({
  ...changeNewestListing(item, { itemPriceOre: startPriceOre(item), refusedRevision: null }),
  marketplaceStatus: statusWhileUp(item),
  processing: { ...idle(now), stage: 'published' },
});

/**
 * Stored before the call, so that a process that dies in it leaves a mark: what the auction has is read before the next call. `present`:
 * what was read because of an earlier call.
 */
export const beginPrice = (item: Item, { priceOre }: AskedPrices, present?: Prices): Item =>
  changeNewestListing(item, {
    ...(present !== undefined && pricesSeen(newestListing(item), present)),
    askedPriceOre: priceOre,
  });

const pricesSeen = (listing: Listing | undefined, seen: Prices) => ({
  itemPriceOre: exactPriceOre(seen.startPriceKronor, listing),
  reserveKronor: seen.reservePriceKronor,
  buyNowKronor: seen.buyNowPriceKronor,
});

/** The marketplace certainly changed nothing. */
export const dropPrice = (item: Item, { publication }: AskedPrices): Item =>
  listingIn(item, publication, ['live', 'leaving']) === undefined
    ? item
    : changeNewestListing(item, { askedPriceOre: null });

/** The marketplace set the prices. An item that changed meanwhile gets another call. */
export function recordPrices(item: Item, { publication, priceOre, prices }: AskedPrices, now: Date): Item {
  const listing = listingIn(item, publication, ['live', 'leaving']);
  if (listing === undefined) return item;
  const priced: Item = {
    ...changeNewestListing(item, {
      itemPriceOre: priceOre,
      reserveKronor: prices.reservePriceKronor ?? listing.reserveKronor,
      buyNowKronor: prices.buyNowPriceKronor,
      askedPriceOre: null,
      pricedAt: now,
      hasBids: false,
    }),
    marketplaceStatus: statusWhileUp(item),
    processing: { ...idle(now), stage: 'published' },
    updatedAt: now,
  };
  const { startPriceKronor } = prices;
  const price = startPriceKronor === wholeKronorFromOre(listing.itemPriceOre) ? null : startPriceKronor;
  const noted = note(priced, { at: now, kind: 'repriced', details: { price }, actor: theService });
  // The call of a process that was believed dead came after a newer one: the item's price is owed once more.
  return isAtRest(item) ? acceptWrite(noted, now) : noted;
}

/**
 * The marketplace refused the prices because of bids. The start price goes back to the one that the auction was seen with; other prices
 * are kept for the next auction (protocol 7). If the item changed meanwhile, its new state is sent next instead.
 */
export function recordPriceRefused(item: Item, asked: AskedPrices, { seen, now }: { seen: Prices; now: Date }): Item {
  const before = listingIn(item, asked.publication, ['live']);
  if (before === undefined) return item;
  const known = changeNewestListing(item, {
    ...pricesSeen(before, seen),
    askedPriceOre: null,
    pricedAt: now,
    hasBids: true,
  });
  const listing = newestListing(known);
  if (listing === undefined || item.revision !== asked.revision) return known;
  return showsStartPrice(known, listing) ? refuseTerms(known, asked, now) : refusePrice(known, listing, { asked, now });
}

/** The exact price behind the kronor that an auction shows: one of those that were sent, if it fits. */
const exactPriceOre = (kronor: number, listing: Listing | undefined): number =>
  [listing?.itemPriceOre, listing?.askedPriceOre].find((ore) => ore != null && wholeKronorFromOre(ore) === kronor) ??
  kronor * 100;

function refuseTerms(item: Item, { revision }: AskedPrices, now: Date): Item {
  const message =
    'the auction has bids, so its reserve and buy-now prices stay; the change is kept for the next auction';
  const told = emitFailure(item, { cause: 'PRICE_REFUSED_BIDS', message, refusedRevision: revision }, now);
  return note(
    {
      // The price is equal in kronor, so the item's exact price becomes the one to go back to after a later refusal.
      ...changeNewestListing(told, { refusedRevision: item.revision, itemPriceOre: startPriceOre(item) }),
      processing: { ...idle(now), stage: 'published', lastError: `PRICE_REFUSED_BIDS: ${message}` },
    },
    { at: now, kind: 'change_refused', details: { refusedPrice: null, keptPrice: null }, actor: theMarketplace },
  );
}

function refusePrice(item: Item, listing: Listing, { asked, now }: { asked: AskedPrices; now: Date }): Item {
  const kept = `the auction has bids, so its price stays ${listing.itemPriceOre / 100} SEK`;
  const told = emitFailure(item, { cause: 'PRICE_REFUSED_BIDS', message: kept, refusedRevision: asked.revision }, now);
  // The price that callers read changes back, so a process that holds the old revision has to read again.
  const restored = acceptWrite(
    {
      ...told,
      content: { ...item.content, priceOre: listing.itemPriceOre },
      relisted: { ...item.relisted, loweredOre: 0 },
      refusedPriceOre: asked.priceOre,
    },
    now,
  );
  return note(
    {
      ...changeNewestListing(restored, { refusedRevision: restored.revision }),
      processing: { ...idle(now), stage: 'published', lastError: `PRICE_REFUSED_BIDS: ${kept}` },
    },
    {
      at: now,
      kind: 'change_refused',
      details: { refusedPrice: asked.priceOre / 100, keptPrice: listing.itemPriceOre / 100 },
      actor: theMarketplace,
    },
  );
}
