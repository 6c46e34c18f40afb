import { deepEqual } from '../deep-equal.ts';
import { acceptWrite, idle } from '../items/accept-write.ts';
import { hostedHashes } from '../items/image-set.ts';
import { newestListing, type AskedChange, type Item, type Listing } from '../items/item.ts';
import { theMarketplace, theService } from '../items/journal.ts';
import { note } from '../items/note.ts';
import { wholeKronorFromOre } from '../money.ts';
import { changeNewestListing, listingIn, statusWhileUp } from './publication.ts';
import { emitFailure } from './listing-failure.ts';

/** Notes what is asked for, before it is asked. An earlier change without a recorded outcome is forgotten: all is asked for anew. */
export function beginChange(item: Item, listing: Listing): { item: Item; asked: AskedChange } {
  const asked: AskedChange = {
    publication: listing.publication,
    number: listing.changeNumber + 1,
    requestId: null,
    revision: item.revision,
    contentNumber: item.contentNumber,
    priceOre: item.content.priceOre,
    imageHashes: picturesToShow(item, listing) ?? listing.imageHashes,
  };
  // Should this one be refused, the auction may still show the one before it, of which nobody heard.
  const known = listing.change === null ? listing.contentNumber : null;
  const shown = { contentNumber: known, imageHashes: knownPictures(listing) };
  return { item: changeNewestListing(item, { change: asked, changeNumber: asked.number, ...shown }), asked };
}

/** None are known for certain while a change to others has no outcome: the next change sends all of them. */
const knownPictures = ({ imageHashes, change }: Listing): readonly string[] =>
  change === null || deepEqual(change.imageHashes, imageHashes) ? imageHashes : [];

/** The marketplace took the change in: its outcome can be asked for from now on, by whoever takes over. */
export const noteChangeRequest = (item: Item, asked: AskedChange, requestId: string): Item =>
  isInWork(item, asked) ? changeNewestListing(item, { change: { ...asked, requestId } }) : item;

/** The request came to nothing that anybody could know of: what the auction shows is unknown until the next one is through. */
export const forgetChangeRequest = (item: Item, asked: AskedChange): Item =>
  isInWork(item, asked) ? changeNewestListing(item, { change: { ...asked, requestId: null } }) : item;

/** The marketplace certainly did nothing. */
export const dropChange = (item: Item, asked: AskedChange): Item =>
  isInWork(item, asked) ? changeNewestListing(item, { change: null }) : item;

const isInWork = (item: Item, asked: AskedChange): boolean =>
  listingIn(item, asked.publication, ['live', 'leaving'])?.change?.number === asked.number;

/** The pictures that have to take the place of the present ones; null when those are right, or when there are none to show. */
export function picturesToShow(item: Item, listing: Listing): readonly string[] | null {
  const hashes = hostedHashes(item);
  const shown = [listing.imageHashes, ...(listing.change === null ? [] : [listing.change.imageHashes])];
  return hashes.length === 0 || shown.every((known) => deepEqual(hashes, known)) ? null : hashes;
}

const showsContent = (item: Item, listing: Listing): boolean =>
  listing.change === null && listing.contentNumber === item.contentNumber;

/** Equal whole kronor cause no call: the marketplace knows no öre (protocol 7). */
const showsPrice = ({ content }: Item, { itemPriceOre }: Listing): boolean =>
  wholeKronorFromOre(content.priceOre) === wholeKronorFromOre(itemPriceOre);

const showsItem = (item: Item, listing: Listing): boolean => showsContent(item, listing) && showsPrice(item, listing);

/** The auction shows something else than the item, or nobody knows what; and the marketplace did not refuse just that. */
export const needsRevision = (item: Item, listing: Listing): boolean =>
  listing.refusedRevision !== item.revision && !showsItem(item, listing);

export const needsOnlyPrice = (item: Item, listing: Listing): boolean => showsContent(item, listing);

/** The auction shows the item, and the document does not say so yet: öre that make no other krona, or a failure that is over. */
export const isUnconfirmed = (item: Item, listing: Listing): boolean =>
  showsItem(item, listing) &&
  (listing.itemPriceOre !== item.content.priceOre || item.marketplaceStatus !== statusWhileUp(item));

export const confirmShown = (item: Item, now: Date): Item => ({
  ...changeNewestListing(item, { itemPriceOre: item.content.priceOre, refusedRevision: null }),
  marketplaceStatus: statusWhileUp(item),
  processing: { ...idle(now), stage: 'published' },
});

/** The marketplace took the change. */
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
 * A process that was thought dead had its change taken after another one: what the auction shows is unknown, so everything is
 * asked for once more. It is an observation that leaves work, hence an accepted write.
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
 * The marketplace refused the change because of bids. The price goes back to the one it took last; other changes stay stored
 * for the next auction (protocol 7). When the item was changed meanwhile nothing is decided: what it is now is asked for next.
 * `shownPriceOre` is what the auction was seen at, where an earlier change left that open.
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

/** The exact price behind the kronor that an auction was seen at: one of those it may have been asked for. */
export function exactPriceOre(kronor: number, listing: Listing): number {
  const candidates = [listing.itemPriceOre, ...(listing.change === null ? [] : [listing.change.priceOre])];
  return candidates.find((ore) => wholeKronorFromOre(ore) === kronor) ?? kronor * 100;
}

function refuseContent(item: Item, asked: AskedChange, now: Date): Item {
  const message = 'the auction has bids, so the marketplace takes no change; it is kept for the next auction';
  const told = emitFailure(item, { cause: 'REVISION_REFUSED_BIDS', message, refusedRevision: asked.revision }, now);
  return note(
    {
      // The price is as it was to the krona, so the item keeps its own exact one should another be refused later.
      ...changeNewestListing(told, {
        hasBids: true,
        refusedRevision: item.revision,
        itemPriceOre: item.content.priceOre,
      }),
      processing: { ...idle(now), stage: 'published', lastError: `REVISION_REFUSED_BIDS: ${message}` },
    },
    { at: now, kind: 'change_refused', details: { refusedPrice: null, keptPrice: null }, actor: theMarketplace },
  );
}

function refusePrice(item: Item, listing: Listing, { asked, now }: { asked: AskedChange; now: Date }): Item {
  const kept = `the auction has bids, so its price stays ${listing.itemPriceOre / 100} SEK`;
  const told = emitFailure(item, { cause: 'PRICE_REFUSED_BIDS', message: kept, refusedRevision: asked.revision }, now);
  // The price people read changes back, so whoever holds the old revision has to look again.
  const restored = acceptWrite(
    { ...told, content: { ...item.content, priceOre: listing.itemPriceOre }, refusedPriceOre: asked.priceOre },
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
