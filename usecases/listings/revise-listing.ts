import { isUnwanted, type AskedChange, type Item, type Listing } from '../../core/items/item.ts';
import { listingIn, ownReference } from '../../core/listings/publication.ts';
import {
  beginChange,
  dropChange,
  exactPriceOre,
  forgetChangeRequest,
  needsOnlyPrice,
  needsRevision,
  noteChangeRequest,
  picturesToShow,
  recordChangeRefused,
  recordRevised,
} from '../../core/listings/revision.ts';
import type { ListingFailure } from '../../core/listings/listing-failure.ts';
import {
  MarketplaceError,
  type ChangeOutcome,
  type ChangeReceipt,
  type Seller,
} from '../../gateways/marketplace/port.ts';
import { rewriteItem } from '../items/write-item.ts';
import { followEnd } from './take-down.ts';
import {
  draftChanges,
  draftPrices,
  readImages,
  recordFailure,
  recordTrouble,
  type ListingDependencies,
  type Publication,
} from './prepare-listing.ts';
import { missingSeller } from './seller-access.ts';

/** Pauses between looks for the outcome of a change. After them the workflow waits longer by itself. */
const looksMs = [200, 300, 500, 800, 1_500];

interface Revision {
  /** The item before this change was noted. */
  readonly item: Item;
  readonly listing: Listing;
  readonly asked: AskedChange;
}

/**
 * Makes a live auction show the item as it is now, with a price call where only the price differs. Both calls state the wanted
 * result, so they may be repeated, and many changes become one call. The change is stored before it is sent. So a process that
 * dies in between leaves a change without an outcome, which is looked up or sent again.
 */
export async function reviseListing(
  dependencies: ListingDependencies,
  { itemId, publication }: Publication,
): Promise<void> {
  const item = await dependencies.items.findById(itemId);
  const listing = item === null ? undefined : listingIn(item, publication, ['live']);
  if (item === null || listing === undefined || isUnwanted(item) || !needsRevision(item, listing)) return;
  const lookup = await dependencies.sellers.find(item.accountId);
  if (lookup.kind !== 'connected') {
    return recordFailure(dependencies, item, { work: 'revise', failure: missingSeller(lookup) });
  }
  try {
    const { change } = listing;
    if (change?.requestId == null) await askAnew(dependencies, lookup.seller, { item, listing });
    else
      await follow(dependencies, lookup.seller, {
        revision: { item, listing, asked: change },
        requestId: change.requestId,
      });
  } catch (error) {
    await recordTrouble(dependencies, item, { work: 'revise', connected: lookup, error });
  }
}

async function askAnew(
  dependencies: ListingDependencies,
  seller: Seller,
  { item, listing }: { item: Item; listing: Listing },
): Promise<void> {
  const { items } = dependencies;
  const hashes = needsOnlyPrice(item, listing) ? null : picturesToShow(item, listing);
  const jpegs = hashes === null ? null : await readImages(dependencies, item, { hashes, work: 'revise' });
  // A stored picture was gone: it is fetched again first.
  if (hashes !== null && jpegs === null) return;
  const begun = beginChange(item, listing);
  if ((await items.replace(item, begun.item)) === null) return; // Another write came in between: the next round sees it.
  const revision = { item, listing, asked: begun.asked };
  const receipt = await askOrDrop(dependencies, seller, { revision, jpegs });
  if ('outcome' in receipt) return recordOutcome(dependencies, seller, { revision, outcome: receipt.outcome });
  await rewriteItem(items, item.id, (current) => noteChangeRequest(current, begun.asked, receipt.requestId));
  await follow(dependencies, seller, { revision, requestId: receipt.requestId });
}

/** A change that certainly had no effect is dropped. If the caller then reverts it, no call and no wait is needed. */
async function askOrDrop(
  dependencies: ListingDependencies,
  seller: Seller,
  of: { revision: Revision; jpegs: readonly Buffer[] | null },
): Promise<ChangeReceipt> {
  const { item, asked } = of.revision;
  try {
    return await ask(dependencies, seller, of);
  } catch (error) {
    if (error instanceof MarketplaceError && error.kind !== 'outcome_unknown')
      await rewriteItem(dependencies.items, item.id, (current) => dropChange(current, asked));
    throw error;
  }
}

function ask(
  { marketplace, fallbackCategoryId }: ListingDependencies,
  seller: Seller,
  { revision: { item, listing }, jpegs }: { revision: Revision; jpegs: readonly Buffer[] | null },
): Promise<ChangeReceipt> {
  const adId = listing.adId ?? '';
  return needsOnlyPrice(item, listing)
    ? marketplace.setPrices(seller, adId, draftPrices(item, listing))
    : marketplace.revise(seller, adId, draftChanges(item, listing, { jpegs, fallbackCategoryId }));
}

async function follow(
  dependencies: ListingDependencies,
  seller: Seller,
  { revision, requestId }: { revision: Revision; requestId: string },
): Promise<void> {
  const outcome = await awaitChange(dependencies, seller, requestId);
  await recordOutcome(dependencies, seller, { revision, outcome });
}

async function awaitChange(
  { marketplace, pause }: ListingDependencies,
  seller: Seller,
  requestId: string,
): Promise<ChangeOutcome> {
  for (const waitMs of looksMs) {
    await pause(waitMs);
    const outcome = await marketplace.readChange(seller, requestId);
    if (outcome.kind !== 'unknown_yet') return outcome;
  }
  return { kind: 'unknown_yet' };
}

async function recordOutcome(
  dependencies: ListingDependencies,
  seller: Seller,
  { revision, outcome }: { revision: Revision; outcome: ChangeOutcome },
): Promise<void> {
  const { item, listing, asked } = revision;
  const { items, now } = dependencies;
  const withFailure = (failure: ListingFailure): Promise<void> =>
    recordFailure(dependencies, item, { work: 'revise', failure });
  switch (outcome.kind) {
    case 'taken':
      await rewriteItem(items, item.id, (current) =>
        recordRevised(current, { ...asked, imagesRefused: outcome.imagesRefused }, now()),
      );
      return;
    case 'has_bids': {
      const shownPriceOre = await readShownPrice(dependencies, seller, revision);
      await rewriteItem(items, item.id, (current) =>
        recordChangeRefused(current, asked, { now: now(), shownPriceOre }),
      );
      return;
    }
    case 'unknown_yet':
      return withFailure({ cause: 'MARKETPLACE_TIMEOUT', message: 'the marketplace has not answered yet' });
    case 'try_again':
      await rewriteItem(items, item.id, (current) => forgetChangeRequest(current, asked));
      return withFailure({
        cause: 'MARKETPLACE_TIMEOUT',
        message: `the marketplace asks to try again: ${outcome.message}`,
      });
    case 'not_active':
    case 'refused': {
      // An auction that ended meanwhile refuses every change; that is no failure of the change.
      if ((await followEnd(dependencies, seller, { item, listing, work: 'revise' })) === 'followed') return;
      await rewriteItem(items, item.id, (current) => dropChange(current, asked));
      const message = outcome.kind === 'refused' ? outcome.message : 'the auction is not active';
      return withFailure({ cause: 'REVISION_REFUSED', message });
    }
  }
}

/**
 * An earlier change without an outcome leaves the auction's price unknown. Then it is read, because the item's price goes back to
 * it. Returns undefined when the price is certain.
 */
async function readShownPrice(
  { marketplace }: ListingDependencies,
  seller: Seller,
  { item, listing }: Revision,
): Promise<number | undefined> {
  if (listing.change === null && listing.contentNumber !== null) return undefined;
  const found = await marketplace.findByOwnReference(seller, ownReference(item, listing.publication));
  const shown = found.find(({ adId }) => adId === listing.adId);
  return shown === undefined ? undefined : exactPriceOre(shown.startPriceKronor, listing);
}
