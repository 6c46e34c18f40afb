import { deepEqual } from '../deep-equal.ts';
import { acceptWrite, idle } from '../items/owed-work.ts';
import { hostedHashes } from '../items/image-set.ts';
import { newestListing, startPriceOre, type AskedChange, type Item, type Listing } from '../items/item.ts';
import { theMarketplace, theService } from '../items/journal.ts';
import { note } from '../items/note.ts';
import { wholeKronorFromOre } from '../money.ts';
import { changeNewestListing, listingIn, statusWhileUp } from './publication.ts';
import { emitFailure } from './listing-failure.ts';

/** Stores a change before the marketplace is called. It replaces an earlier change without outcome: everything is sent anew. */
export function beginChange(item: Item, listing: Listing): { item: Item; asked: AskedChange } {
  const asked: AskedChange = {
    publication: listing.publication,
    number: listing.changeNumber + 1,
    requestId: null,
    revision: item.revision,
    contentNumber: item.contentNumber,
    priceOre: startPriceOre(item),
    imageHashes: picturesToShow(item, listing) ?? listing.imageHashes,
  };
  // If this change is refused, the auction may still show the earlier one, whose outcome is unknown.
  const known = listing.change === null ? listing.contentNumber : null;
  const shown = { contentNumber: known, imageHashes: knownPictures(listing), sent: withSentPrice(listing, asked) };
  return { item: changeNewestListing(item, { change: asked, changeNumber: asked.number, ...shown }), asked };
}

/** Far more than are sent between two looks at an auction. */
const sentPricesMax = 50;

function withSentPrice({ sent, itemPriceOre }: Listing, { priceOre }: AskedChange): NonNullable<Listing['sent']> {
  const { kronor, shownAt } = sent ?? { kronor: [wholeKronorFromOre(itemPriceOre)], shownAt: null };
  const price = wholeKronorFromOre(priceOre);
  return { kronor: kronor.at(-1) === price ? kronor : [...kronor, price].slice(-sentPricesMax), shownAt };
}

/** The shown pictures are unknown while a change of pictures has no outcome: the next change sends all of them. */
const knownPictures = ({ imageHashes, change }: Listing): readonly string[] =>
  change === null || deepEqual(change.imageHashes, imageHashes) ? imageHashes : [];

/** The marketplace accepted the request: from now on any process that takes over can ask for its outcome. */
export const noteChangeRequest = (item: Item, asked: AskedChange, requestId: string): Item =>
  isInWork(item, asked) ? changeNewestListing(item, { change: { ...asked, requestId } }) : item;

/** The request has no known outcome: what the auction shows stays unknown until the next change succeeds. */
export const forgetChangeRequest = (item: Item, asked: AskedChange): Item =>
  isInWork(item, asked) ? changeNewestListing(item, { change: { ...asked, requestId: null } }) : item;

/** The marketplace certainly changed nothing. */
export const dropChange = (item: Item, asked: AskedChange): Item =>
  isInWork(item, asked) ? changeNewestListing(item, { change: null }) : item;

const isInWork = (item: Item, asked: AskedChange): boolean =>
  listingIn(item, asked.publication, ['live', 'leaving'])?.change?.number === asked.number;

/** The pictures that must replace the present ones; null when those are right, or when the item has none. */
export function picturesToShow(item: Item, listing: Listing): readonly string[] | null {
  const hashes = hostedHashes(item);
  const shown = [listing.imageHashes, ...(listing.change === null ? [] : [listing.change.imageHashes])];
  return hashes.length === 0 || shown.every((known) => deepEqual(hashes, known)) ? null : hashes;
}

const showsContent = (item: Item, listing: Listing): boolean =>
  listing.change === null && listing.contentNumber === item.contentNumber;

/** Prices that are equal in whole kronor cause no call: the marketplace has no öre (protocol 7). */
export const showsPrice = (item: Item, { itemPriceOre }: Listing): boolean =>
  wholeKronorFromOre(startPriceOre(item)) === wholeKronorFromOre(itemPriceOre);

const showsItem = (item: Item, listing: Listing): boolean => showsContent(item, listing) && showsPrice(item, listing);

/** The auction differs from the item, or its state is unknown, and the marketplace did not refuse this revision. */
export const needsRevision = (item: Item, listing: Listing): boolean =>
  listing.refusedRevision !== item.revision && !showsItem(item, listing);

/** Whether a price call is enough, because the content is shown already. */
export const needsOnlyPrice = (item: Item, listing: Listing): boolean => showsContent(item, listing);

/** The auction equals the item, but the document does not record it yet: the price differs in öre only, or a failure is over. */
export const isUnconfirmed = (item: Item, listing: Listing): boolean =>
  showsItem(item, listing) &&
  (listing.itemPriceOre !== startPriceOre(item) || item.marketplaceStatus !== statusWhileUp(item));

/** Records that the auction equals the item. */
export const confirmShown = (item: Item, now: Date): Item => ({
  ...changeNewestListing(item, { itemPriceOre: startPriceOre(item), refusedRevision: null }),
  marketplaceStatus: statusWhileUp(item),
  processing: { ...idle(now), stage: 'published' },
});

/** The marketplace made the change. */
export function recordRevised(item: Item, asked: AskedChange & { readonly imagesRefused?: boolean }, now: Date): Item {
  const listing = listingIn(item, asked.publication, ['live', 'leaving']);
  if (listing === undefined) return item;
  if (!isInWork(item, asked)) return recordAstray(item, listing, now);
  const revised: Item = {
    ...changeNewestListing(item, {
      change: null,
      contentNumber: asked.contentNumber,
      itemPriceOre: asked.priceOre,
      imageHashes: asked.imageHashes,
      hasBids: false,
    }),
    marketplaceStatus: statusWhileUp(item),
    processing: { ...idle(now), stage: 'published' },
    updatedAt: now,
  };
  const kronor = wholeKronorFromOre(asked.priceOre);
  return note(revised, {
    at: now,
    kind: 'revised',
    details: {
      price: kronor === wholeKronorFromOre(listing.itemPriceOre) ? null : kronor,
      isContentChanged: asked.contentNumber !== listing.contentNumber,
      imagesRefused: asked.imagesRefused === true,
    },
    actor: theService,
  });
}

/**
 * The marketplace made the change of a process that was believed dead, after a newer change. What the auction shows is unknown,
 * so everything is sent once more. This observation leaves work, so it is an accepted write.
 */
const recordAstray = (item: Item, listing: Listing, now: Date): Item =>
  acceptWrite(
    changeNewestListing(item, {
      change: null,
      contentNumber: null,
      imageHashes: [],
      changeNumber: listing.changeNumber + 1,
    }),
    now,
  );

/**
 * The marketplace refused the change because of bids. The price goes back to the last one it accepted; other changes stay stored
 * for the next auction (protocol 7). If the item changed meanwhile, its new state is sent next instead. `shownPriceOre` is the
 * price that the auction was seen with, when an earlier change left it unknown.
 */
export function recordChangeRefused(
  item: Item,
  asked: AskedChange,
  { now, shownPriceOre }: { now: Date; shownPriceOre?: number | undefined },
): Item {
  if (!isInWork(item, asked) || listingIn(item, asked.publication, ['live']) === undefined) return item;
  const known = changeNewestListing(item, {
    change: null,
    hasBids: true,
    ...(shownPriceOre !== undefined && { itemPriceOre: shownPriceOre }),
  });
  const listing = newestListing(known);
  if (listing === undefined || item.revision !== asked.revision) return known;
  return showsPrice(known, listing) ? refuseContent(known, asked, now) : refusePrice(known, listing, { asked, now });
}

/** The exact price in öre behind the kronor that an auction shows: one of the prices that were sent for it, if one fits. */
export function exactPriceOre(kronor: number, listing: Listing): number {
  const candidates = [listing.itemPriceOre, ...(listing.change === null ? [] : [listing.change.priceOre])];
  return candidates.find((ore) => wholeKronorFromOre(ore) === kronor) ?? kronor * 100;
}

function refuseContent(item: Item, asked: AskedChange, now: Date): Item {
  const message = 'the auction has bids, so the marketplace takes no change; it is kept for the next auction';
  const told = emitFailure(item, { cause: 'REVISION_REFUSED_BIDS', message, refusedRevision: asked.revision }, now);
  return note(
    {
      // The price is equal in kronor, so the item's exact price becomes the one to go back to after a later refusal.
      ...changeNewestListing(told, {
        hasBids: true,
        refusedRevision: item.revision,
        itemPriceOre: startPriceOre(item),
      }),
      processing: { ...idle(now), stage: 'published', lastError: `REVISION_REFUSED_BIDS: ${message}` },
    },
    { at: now, kind: 'change_refused', details: { refusedPrice: null, keptPrice: null }, actor: theMarketplace },
  );
}

function refusePrice(item: Item, listing: Listing, { asked, now }: { asked: AskedChange; now: Date }): Item {
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
      ...changeNewestListing(restored, { hasBids: true, refusedRevision: restored.revision }),
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
