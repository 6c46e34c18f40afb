import { isUnwanted, type Item, type Listing } from '../../core/items/item.ts';
import { recordAdRemoved, recordAuctionEnded } from '../../core/listings/auction-end.ts';
import {
  changeNewestListing,
  isDraftOfAnother,
  isFreshDraft,
  listingIn,
  ownReference,
  recordLive,
  redraft,
} from '../../core/listings/publication.ts';
import { withFailure, type ListingFailure } from '../../core/listings/listing-failure.ts';
import {
  MarketplaceError,
  type FoundListing,
  type RequestOutcome,
  type Seller,
} from '../../gateways/marketplace/port.ts';
import { rewriteItem } from '../items/write-item.ts';
import { recordTrouble, recordFailure, type ListingDependencies, type Publication } from './prepare-listing.ts';
import { missingSeller } from './seller-access.ts';

/** Pauses between looks for the result of a commit. After them the workflow waits longer by itself. */
const looksMs = [350, 500, 800, 1_500];

/**
 * Commits the prepared draft and waits until the auction is live. An auction is never put up twice (protocol 2). This is the one
 * step that puts something up for sale: it only commits the stored request id, and stores `committing` first. After any
 * interruption it first looks for the listing under the own reference.
 */
export async function goLive(dependencies: ListingDependencies, { itemId, publication }: Publication): Promise<void> {
  const item = await dependencies.items.findById(itemId);
  const listing = item === null ? undefined : listingIn(item, publication, ['prepared', 'committing']);
  if (item === null || listing === undefined) return;
  // An unwanted draft is not committed; an earlier commit is still followed.
  if (listing.state === 'prepared' && !isToCommit(item, listing)) return;
  const lookup = await dependencies.sellers.find(item.accountId);
  if (lookup.kind !== 'connected')
    return recordFailure(dependencies, item, { work: 'publish', failure: missingSeller(lookup) });
  if (listing.state === 'prepared' && isDraftOfAnother(listing, lookup.seller.marketplaceUserId)) {
    await dependencies.items.replace(item, redraft(item, dependencies.now()));
    return;
  }
  try {
    if (listing.state === 'prepared') await commit(dependencies, lookup.seller, item);
    else await reconcile(dependencies, lookup.seller, { item, listing });
  } catch (error) {
    await recordTrouble(dependencies, item, { work: 'publish', connected: lookup, error });
  }
}

/**
 * The auction must show the item as it is now. Only a request that may already be up is followed with other content.
 */
const isToCommit = (item: Item, listing: Listing): boolean =>
  !isUnwanted(item) && (isFreshDraft(item, listing) || listing.mayBeCommitted);

async function commit(dependencies: ListingDependencies, seller: Seller, item: Item): Promise<void> {
  const { items, marketplace, sellers } = dependencies;
  const committing = await items.replace(
    item,
    changeNewestListing(item, { state: 'committing', mayBeCommitted: true }),
  );
  const listing = committing?.listings.at(-1);
  if (committing === null || listing?.requestId == null) return;
  const wasSentBefore = item.listings.at(-1)?.mayBeCommitted ?? false;
  const takeBack = (): Promise<unknown> =>
    rewriteItem(items, item.id, (current) => backToPrepared(current, listing.publication, wasSentBefore));
  // Called after `committing` is stored: from then on no other seller can be connected, and an earlier change is seen (protocol
  // 2).
  if (!(await sellers.watch(seller))) {
    await takeBack();
    const present = await sellers.find(item.accountId);
    // Another seller is connected, or the same one again: the next round uses that connection.
    if (present.kind === 'connected') return;
    return recordFailure(dependencies, item, { work: 'publish', failure: missingSeller(present) });
  }
  try {
    await marketplace.commit(seller, listing.requestId);
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error;
    // The call may have succeeded, so the next round begins by looking for the auction.
    if (error.kind === 'outcome_unknown') return;
    // This call had no effect, but an earlier one of the same request may have. So the marketplace is asked before the refusal
    // counts.
    if (error.kind === 'refused' && (await recordIfUp(dependencies, seller, { item: committing, listing }))) return;
    await takeBack();
    throw error;
  }
  await awaitOutcome(dependencies, seller, { item: committing, listing });
}

const backToPrepared = (item: Item, publication: number, mayBeCommitted: boolean): Item =>
  listingIn(item, publication, ['committing']) === undefined
    ? item
    : changeNewestListing(item, { state: 'prepared', mayBeCommitted });

/** An earlier try ended somewhere between "committing" and "live". */
async function reconcile(
  dependencies: ListingDependencies,
  seller: Seller,
  of: { item: Item; listing: Listing },
): Promise<void> {
  if (!(await recordIfUp(dependencies, seller, of))) await awaitOutcome(dependencies, seller, of);
}

/** Looks for the listing under the own reference. Returns false when it is not up, or not yet. */
async function recordIfUp(
  dependencies: ListingDependencies,
  seller: Seller,
  of: { item: Item; listing: Listing },
): Promise<boolean> {
  const found = await dependencies.marketplace.findByOwnReference(
    seller,
    ownReference(of.item, of.listing.publication),
  );
  const up = found.find((candidate) => candidate.state !== 'waiting');
  if (up === undefined) return false;
  await recordFound(dependencies, of, up);
  return true;
}

const unknownYet: RequestOutcome = { kind: 'unknown_yet' };

async function awaitOutcome(
  dependencies: ListingDependencies,
  seller: Seller,
  of: { item: Item; listing: Listing },
): Promise<void> {
  const { requestId, adId } = of.listing;
  // It was adopted from a look-up that did not name its request, so only another look can tell.
  if (requestId === null || adId === null) return recordOutcome(dependencies, seller, { of, outcome: unknownYet });
  let outcome = unknownYet;
  for (const waitMs of looksMs) {
    await dependencies.pause(waitMs);
    outcome = await dependencies.marketplace.readOutcome(seller, { requestId, adId });
    if (outcome.kind !== 'unknown_yet') break;
  }
  await recordOutcome(dependencies, seller, { of, outcome });
}

async function recordOutcome(
  dependencies: ListingDependencies,
  seller: Seller,
  { of, outcome }: { of: { item: Item; listing: Listing }; outcome: RequestOutcome },
): Promise<void> {
  switch (outcome.kind) {
    case 'live':
      return recordFound(dependencies, of, {
        adId: of.listing.adId ?? '',
        adUrl: outcome.adUrl,
        state: 'active',
        imagesRefused: outcome.imagesRefused,
      });
    case 'unknown_yet':
      return recordFailure(dependencies, of.item, {
        work: 'publish',
        failure: { cause: 'MARKETPLACE_TIMEOUT', message: 'the marketplace has not answered yet' },
      });
    case 'uncommitted':
      return recordNotUp(dependencies, of, {
        failure: { cause: 'MARKETPLACE_TIMEOUT', message: 'the publication did not reach the marketplace' },
        mayBeCommitted: true,
      });
    case 'try_again':
      return recordNotUp(dependencies, of, {
        failure: { cause: 'MARKETPLACE_TIMEOUT', message: `the marketplace asks to try again: ${outcome.message}` },
        mayBeCommitted: true,
      });
    case 'too_many_active':
      return recordToRedraft(dependencies, of, { cause: 'MARKETPLACE_ACTIVE_LIMIT', message: outcome.message });
    case 'timed_out':
      return replaceTimedOut(dependencies, seller, { of, message: outcome.message });
    case 'refused':
      return recordNotUp(dependencies, of, {
        failure: { cause: 'LISTING_REFUSED', message: outcome.message },
        mayBeCommitted: false,
      });
  }
}

/**
 * The marketplace says that this request is not up. While an earlier commit may still arrive, only the same request is
 * retried.
 */
async function recordNotUp(
  { items, now }: ListingDependencies,
  of: { item: Item; listing: Listing },
  { failure, mayBeCommitted }: { failure: ListingFailure; mayBeCommitted: boolean },
): Promise<void> {
  await rewriteItem(items, of.item.id, (current) =>
    listingIn(current, of.listing.publication, ['committing']) === undefined
      ? current
      : withFailure(backToPrepared(current, of.listing.publication, mayBeCommitted), failure, {
          now: now(),
          work: 'publish',
        }),
  );
}

/** The marketplace has closed this request and accepts no other commit of it, so the next try makes a new draft. */
async function recordToRedraft(
  { items, now }: ListingDependencies,
  of: { item: Item; listing: Listing },
  failure: ListingFailure,
): Promise<void> {
  await rewriteItem(items, of.item.id, (current) => {
    if (listingIn(current, of.listing.publication, ['committing']) === undefined) return current;
    const prepared = backToPrepared(current, of.listing.publication, false);
    return withFailure(redraft(prepared, now()), failure, { now: now(), work: 'publish' });
  });
}

/**
 * The request timed out for good at the marketplace. It is removed first, so that it can't go up beside the next draft.
 */
async function replaceTimedOut(
  dependencies: ListingDependencies,
  seller: Seller,
  { of, message }: { of: { item: Item; listing: Listing }; message: string },
): Promise<void> {
  if (await recordIfUp(dependencies, seller, of)) return;
  const failure: ListingFailure = { cause: 'MARKETPLACE_TIMEOUT', message };
  const outcome = await dependencies.marketplace.remove(seller, of.listing.adId ?? '');
  // A listing with bids is up despite the time-out; the next look finds it.
  if (outcome === 'has_bids') return recordFailure(dependencies, of.item, { work: 'publish', failure });
  await recordToRedraft(dependencies, of, failure);
}

/**
 * Records a listing that was found. A sale is left to the feed, which has its amount; once the listing is `live` here,
 * the feed is read.
 */
async function recordFound(
  { items, now }: ListingDependencies,
  of: { item: Item; listing: Listing },
  found: Pick<FoundListing, 'adId' | 'adUrl' | 'state'> & { readonly imagesRefused?: boolean },
): Promise<void> {
  await rewriteItem(items, of.item.id, (current) => {
    if (listingIn(current, of.listing.publication, ['committing']) === undefined) return current;
    if (found.state === 'ended') return recordAuctionEnded(current, found, now());
    if (found.state === 'removed') return recordAdRemoved(current, found, now());
    return recordLive(current, found, now());
  });
}
