import { isUnwanted, type Item, type Listing } from '../items/rules/item.ts';
import { commitOutcome } from './rules/commit-outcome.ts';
import { withFailure, type ListingFailure } from './rules/listing-failure.ts';
import { durationDaysOf, endAheadOf, termsOf } from './rules/listing-terms.ts';
import {
  changeNewestListing,
  isDraftOfAnother,
  isFreshDraft,
  listingIn,
  recordLive,
  redraft,
} from './rules/publication.ts';
import { MarketplaceError, type Auction, type RequestResult, type Seller } from '../../gateways/marketplace/port.ts';
import { rewriteItem } from '../items/write-item.ts';
import { recordFailure, recordTrouble, type ListingDependencies, type Publication } from './prepare-listing.ts';
import { missingSeller, unseenSeller } from './seller-access.ts';
import { type Committed, type Found, lookUp } from './find-after-unknown-outcome.ts';

/** Pauses between looks for the result of a commit. After them the workflow waits longer by itself: a listing takes up to a minute. */
const looksMs = [500, 2_000];
const nextLookMs = 5_000;

/**
 * Commits the prepared draft and waits until the auction is live. An auction is never put up twice (protocol 2). This is the one
 * step that puts something up for sale: it only commits the stored request id, and stores `committing` first. After any
 * interruption it first reads what became of that request.
 */
export async function goLive(
  dependencies: ListingDependencies,
  { accountId, itemId, publication }: Publication,
): Promise<void> {
  const item = await dependencies.items.findById({ accountId, id: itemId });
  const listing = item === null ? undefined : listingIn(item, publication, ['prepared', 'committing']);
  if (item === null || listing === undefined) return;
  // An unwanted draft is not committed; an earlier commit is still followed.
  if (listing.state === 'prepared' && !isToCommit(item, listing)) return;
  const lookup = await dependencies.sellers.find(item.accountId);
  if (lookup.kind !== 'connected')
    return recordFailure(dependencies, item, { work: 'publish', failure: missingSeller(lookup) });
  if (listing.state === 'prepared' && lookup.isUnseen === true)
    return recordFailure(dependencies, item, { work: 'publish', failure: unseenSeller });
  if (listing.state === 'prepared' && isDraftOfAnother(listing, lookup.seller.marketplaceUserId)) {
    await dependencies.items.replace(item, redraft(item, dependencies.now()));
    return;
  }
  try {
    if (listing.state === 'prepared') await commit(dependencies, lookup.seller, item);
    else await follow(dependencies, lookup.seller, asCommitted(item, listing));
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
  const { items, marketplace, sellers, now } = dependencies;
  const committing = await items.replace(
    item,
    changeNewestListing(item, { state: 'committing', mayBeCommitted: true, committedAt: now() }),
  );
  const listing = committing?.listings.at(-1);
  if (committing === null || listing?.requestId == null) return;
  const wasSentBefore = item.listings.at(-1)?.mayBeCommitted ?? false;
  const takeBack = (): Promise<unknown> =>
    rewriteItem(items, item, (current) => backToPrepared(current, listing.publication, wasSentBefore));
  // Called after `committing` is stored: from then on no other seller can be connected, and an earlier change is seen (protocol
  // 2).
  if (!(await sellers.watch(seller))) {
    await takeBack();
    const present = await sellers.find(item.accountId);
    // Another seller is connected, or the same one again: the next round uses that connection.
    if (present.kind === 'connected') return;
    return recordFailure(dependencies, item, { work: 'publish', failure: missingSeller(present) });
  }
  const of = asCommitted(committing, listing);
  try {
    await marketplace.commit(seller, listing.requestId);
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error;
    // Whatever else was answered, the auction may be up: it is looked up at once.
    if (error.kind === 'outcome_unknown') return follow(dependencies, seller, { ...of, doubt: error.message });
    await takeBack();
    throw error;
  }
  await follow(dependencies, seller, of);
}

function asCommitted(item: Item, listing: Listing): Committed {
  const { requestId, adId } = listing;
  if (requestId === null || adId === null) throw new Error(`item ${item.id} is being committed without a request`);
  return { item, listing, requestId, adId, doubt: null };
}

const backToPrepared = (item: Item, publication: number, mayBeCommitted: boolean): Item =>
  listingIn(item, publication, ['committing']) === undefined
    ? item
    : changeNewestListing(item, { state: 'prepared', mayBeCommitted });

/** Reads what became of the commit, a few times, and records it. */
async function follow(dependencies: ListingDependencies, seller: Seller, of: Committed): Promise<void> {
  let { doubt } = of;
  for (const waitMs of looksMs) {
    await dependencies.pause(waitMs);
    const found = await lookUp(dependencies, seller, { ...of, doubt });
    if ('doubt' in found) doubt = found.doubt;
    else if (await recordIfKnown(dependencies, of, found)) return;
  }
  await recordUndecided(dependencies, { ...of, doubt });
}

/** Returns false while the marketplace has not decided. */
async function recordIfKnown(dependencies: ListingDependencies, of: Committed, found: Found): Promise<boolean> {
  const { result, seen, auction } = found;
  const message = 'message' in result ? result.message : null;
  switch (commitOutcome(result.kind, seen)) {
    case 'wait':
      return false;
    case 'up':
    case 'over':
      await recordFound(dependencies, of, { auction, result });
      return true;
    case 'commit_again':
      await recordNotUp(dependencies, of, { cause: 'MARKETPLACE_TIMEOUT', message: message ?? notArrived });
      return true;
    case 'draft_again':
      await recordToRedraft(dependencies, of, {
        cause: result.kind === 'too_many_active' ? 'MARKETPLACE_ACTIVE_LIMIT' : 'MARKETPLACE_TIMEOUT',
        message: message ?? notArrived,
      });
      return true;
    case 'refused':
      if (result.kind === 'refused' && result.imagesRefused === true) tellPictures(dependencies, of, null);
      await recordRefused(dependencies, of, { cause: 'LISTING_REFUSED', message: message ?? notArrived });
      return true;
  }
}

const notArrived = 'the publication did not reach the marketplace';

/** Only reading goes on. When it is not just too early to say, a person is told at once. */
function recordUndecided(dependencies: ListingDependencies, { item, adId, doubt }: Committed): Promise<void> {
  const isUnclear = doubt !== null || item.processing.waitingFor === 'marketplace_unclear';
  const unclear = `the auction may be up as ${adId}, and the marketplace does not say so`;
  const failure: ListingFailure = isUnclear
    ? { cause: 'PUBLICATION_UNCLEAR', message: doubt === null ? unclear : `${unclear}: ${doubt}` }
    : { cause: 'MARKETPLACE_TIMEOUT', message: 'the marketplace has not answered yet' };
  return recordFailure(dependencies, item, { work: 'publish', failure: { ...failure, retryAfterMs: nextLookMs } });
}

/**
 * The marketplace says that this request is not up. While an earlier commit may still arrive, only the same request is committed again.
 */
const recordNotUp = (dependencies: ListingDependencies, of: Committed, failure: ListingFailure): Promise<void> =>
  recordDecided(dependencies, of, (current, now) =>
    withFailure(backToPrepared(current, of.listing.publication, true), failure, { now, work: 'publish' }),
  );

/** The marketplace is done with this request, and the auction is not there, so the next try makes a new draft. */
const recordToRedraft = (dependencies: ListingDependencies, of: Committed, failure: ListingFailure): Promise<void> =>
  recordDecided(dependencies, of, (current, now) =>
    withFailure(redraft(backToPrepared(current, of.listing.publication, false), now), failure, {
      now,
      work: 'publish',
    }),
  );

const recordRefused = (dependencies: ListingDependencies, of: Committed, failure: ListingFailure): Promise<void> =>
  recordDecided(dependencies, of, (current, now) =>
    withFailure(backToPrepared(current, of.listing.publication, false), failure, { now, work: 'publish' }),
  );

async function recordDecided(
  { items, now }: ListingDependencies,
  { item, listing }: Committed,
  change: (current: Item, now: Date) => Item,
): Promise<void> {
  await rewriteItem(items, item, (current) =>
    listingIn(current, listing.publication, ['committing']) === undefined ? current : change(current, now()),
  );
}

/**
 * Records a listing that was found. Its end or sale is left to the look at the seller, which reads both; once the listing is `live` here,
 * the seller is looked at.
 */
async function recordFound(
  dependencies: ListingDependencies,
  of: Committed,
  { auction, result }: { auction: Auction | null; result: RequestResult },
): Promise<void> {
  if (auction === null) throw new Error('an auction that is not there was found');
  const pictures = of.listing.imageHashes.length;
  const imagesRefused =
    (result.kind === 'ok' && result.imagesRefused) || (auction.pictures !== null && auction.pictures < pictures);
  if (imagesRefused) tellPictures(dependencies, of, auction.pictures);
  const { adId, adUrl, bids, priceKronor } = auction;
  // Of one that is over already the planned end is noted, from which the look sees whether it was taken down.
  const endsAt = auction.isOver ? plannedEnd(of) : auction.endsAt;
  await recordDecided(dependencies, of, (current, now) =>
    recordLive(current, { adId, adUrl, imagesRefused, seen: { bids, priceKronor, endsAt, at: now } }, now),
  );
}

function plannedEnd({ item, listing }: Committed): Date | null {
  const { committedAt, defaults } = listing;
  const terms = termsOf(item, defaults);
  return (
    committedAt && (endAheadOf(terms, committedAt) ?? new Date(committedAt.getTime() + durationDaysOf(terms) * dayMs))
  );
}

const dayMs = 86_400_000;

/** A word to the operator: one cause would be another number for JPEG than the one that is set. */
const tellPictures = (
  { logger }: ListingDependencies,
  { item, listing, adId }: Committed,
  shown: number | null,
): void =>
  logger.warn(
    {
      accountId: item.accountId,
      itemId: item.id,
      adId,
      shown,
      pictures: listing.imageHashes.length,
      setting: 'MARKETPLACE_JPEG_FORMAT',
    },
    'auction.pictures_missing',
  );
