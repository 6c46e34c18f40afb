import { deepEqual } from '../deep-equal.ts';
import { acceptWrite, idle } from '../items/accept-write.ts';
import { hostedHashes } from '../items/image-set.ts';
import type { Item, Listing } from '../items/item.ts';
import { theMarketplace, theService } from '../items/journal.ts';
import { note } from '../items/note.ts';
import { wholeKronorFromOre } from '../money.ts';
import { changeNewestListing, listingIn, statusWhileUp } from './publication.ts';
import { emitFailure } from './setback.ts';

/** What a revision asked the marketplace for: noted when it was taken or refused, whatever the item has become meanwhile. */
export interface AskedChange {
  readonly publication: number;
  /** Revision of the item that was asked for. */
  readonly revision: number;
  readonly contentNumber: number;
  readonly priceOre: number;
  readonly imageHashes: readonly string[];
}

export const askedChange = (item: Item, listing: Listing): AskedChange => ({
  publication: listing.publication,
  revision: item.revision,
  contentNumber: item.contentNumber,
  priceOre: item.content.priceOre,
  imageHashes: picturesToShow(item, listing) ?? listing.imageHashes,
});

/** The pictures that have to take the place of the present ones; null when those are right, or when there are none to show. */
export function picturesToShow(item: Item, listing: Listing): readonly string[] | null {
  const hashes = hostedHashes(item);
  return hashes.length === 0 || deepEqual(hashes, listing.imageHashes) ? null : hashes;
}

const showsContent = (item: Item, listing: Listing): boolean => listing.contentNumber === item.contentNumber;

/** Equal whole kronor cause no call: the marketplace knows no öre (protocol 7). */
const showsPrice = ({ content }: Item, { itemPriceOre }: Listing): boolean =>
  wholeKronorFromOre(content.priceOre) === wholeKronorFromOre(itemPriceOre);

/** The auction shows something else than the item, and the marketplace did not refuse just that. */
export const needsRevision = (item: Item, listing: Listing): boolean =>
  listing.refusedRevision !== item.revision && !(showsContent(item, listing) && showsPrice(item, listing));

export const needsOnlyPrice = (item: Item, listing: Listing): boolean => showsContent(item, listing);

export const priceOnlyDiffersInOre = (item: Item, listing: Listing): boolean =>
  listing.itemPriceOre !== item.content.priceOre && showsContent(item, listing) && showsPrice(item, listing);

/** The exact price is the item's own; the marketplace shows the same kronor. */
export const adoptPrice = (item: Item): Item => changeNewestListing(item, { itemPriceOre: item.content.priceOre });

/** The marketplace took the change. */
export function recordRevised(item: Item, asked: AskedChange, now: Date): Item {
  const listing = listingIn(item, asked.publication, ['live', 'leaving']);
  if (listing === undefined) return item;
  const revised: Item = {
    ...changeNewestListing(item, {
      contentNumber: asked.contentNumber,
      itemPriceOre: asked.priceOre,
      imageHashes: asked.imageHashes,
      hasBids: false,
    }),
    marketplaceStatus: statusWhileUp(item),
    processing: { ...idle(now), stage: 'published' },
    updatedAt: now,
  };
  return note(revised, {
    at: now,
    kind: 'revised',
    message: describeRevision(listing, asked),
    actor: theService,
  });
}

function describeRevision(listing: Listing, asked: AskedChange): string {
  const kronor = wholeKronorFromOre(asked.priceOre);
  const price = kronor === wholeKronorFromOre(listing.itemPriceOre) ? '' : `its price is ${kronor} SEK`;
  const content = asked.contentNumber === listing.contentNumber ? '' : 'its content is up to date';
  const changes = [price, content].filter((part) => part !== '');
  return `The auction was changed: ${changes.join(', ')}.`;
}

/**
 * The marketplace refused the change because of bids. The price goes back to the one it took last; other changes stay stored
 * for the next auction (protocol 7). When the item was changed meanwhile nothing is decided: what it is now is asked for next.
 */
export function recordChangeRefused(item: Item, asked: AskedChange, now: Date): Item {
  const listing = listingIn(item, asked.publication, ['live']);
  if (listing === undefined) return item;
  if (item.revision !== asked.revision) return changeNewestListing(item, { hasBids: true });
  return showsPrice(item, listing) ? refuseContent(item, asked, now) : refusePrice(item, listing, { asked, now });
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
      processing: { ...idle(now), stage: 'published', lastError: 'REVISION_REFUSED_BIDS' },
    },
    { at: now, kind: 'change_refused', message: `Not changed: ${message}.`, actor: theMarketplace },
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
      processing: { ...idle(now), stage: 'published', lastError: 'PRICE_REFUSED_BIDS' },
    },
    {
      at: now,
      kind: 'change_refused',
      message: `${asked.priceOre / 100} SEK was refused: ${kept}.`,
      actor: theMarketplace,
    },
  );
}
