import { isUnwanted, type Item, type Listing } from '../../core/items/item.ts';
import { recordAdRemoved, recordAuctionEnded } from '../../core/listings/auction-end.ts';
import type { ListingWork } from '../../core/listings/listing-failure.ts';
import { changeNewestListing, listingIn, ownReference } from '../../core/listings/publication.ts';
import { recordTakeDownRefused, recordTakenDown } from '../../core/listings/take-down.ts';
import type { FoundListing, RemovalOutcome, Seller } from '../../gateways/marketplace/port.ts';
import { rewriteItem } from '../items/write-item.ts';
import { recordFailure, recordTrouble, type ListingDependencies, type Publication } from './prepare-listing.ts';
import { missingSeller } from './seller-access.ts';

/**
 * Takes down an auction that is no longer wanted, or a draft that a commit under way could still put up. A repeated call after a
 * lost answer is told that the auction is not active; then its end is looked up.
 */
export async function takeDown(dependencies: ListingDependencies, { itemId, publication }: Publication): Promise<void> {
  const item = await dependencies.items.findById(itemId);
  const listing = item === null ? undefined : listingIn(item, publication, ['live', 'leaving', 'drafting', 'prepared']);
  if (item === null || listing === undefined || !(listing.state === 'leaving' || isUnwanted(item))) return;
  const lookup = await dependencies.sellers.find(item.accountId);
  if (lookup.kind !== 'connected') {
    return recordFailure(dependencies, item, { work: 'take-down', failure: missingSeller(lookup) });
  }
  try {
    await remove(dependencies, lookup.seller, { item, listing });
  } catch (error) {
    await recordTrouble(dependencies, item, { work: 'take-down', connected: lookup, error });
  }
}

async function remove(
  dependencies: ListingDependencies,
  seller: Seller,
  { item, listing }: { item: Item; listing: Listing },
): Promise<void> {
  const { items, marketplace, now } = dependencies;
  const { publication, adId } = listing;
  // Without an ad id there never was a draft that could have been committed.
  const outcome: RemovalOutcome = adId === null ? 'removed' : await marketplace.remove(seller, adId);
  switch (outcome) {
    case 'removed':
      await rewriteItem(items, item.id, (current) => recordTakenDown(current, publication, now()));
      return;
    case 'has_bids':
      await rewriteItem(items, item.id, (current) => recordTakeDownRefused(current, publication, now()));
      return;
    case 'not_active': {
      if ((await followEnd(dependencies, seller, { item, listing, work: 'take-down' })) === 'followed') return;
      const message = 'the marketplace still shows the auction that it says is over';
      await recordFailure(dependencies, item, {
        work: 'take-down',
        failure: { cause: 'MARKETPLACE_TIMEOUT', message },
      });
    }
  }
}

export interface Followed {
  readonly item: Item;
  readonly listing: Listing;
  readonly work: ListingWork;
}

/**
 * Records how an auction ended that the marketplace reports as not active. The end is read under the own reference, never
 * guessed. A sale is left to the feed, which has its amount. Returns `still-active` when the marketplace shows the auction as up.
 */
export async function followEnd(
  dependencies: ListingDependencies,
  seller: Seller,
  followed: Followed,
): Promise<'followed' | 'still-active'> {
  const { item, listing, work } = followed;
  const reference = ownReference(item, listing.publication);
  const found = (await dependencies.marketplace.findByOwnReference(seller, reference)).find(
    ({ adId }) => adId === listing.adId,
  );
  if (found?.state === 'active' || found?.state === 'waiting') return 'still-active';
  // Lists of the marketplace may lag behind. So an empty look-up proves an end only to a take-down that was told of one.
  if (found === undefined && work !== 'take-down') return 'still-active';
  await recordEnd(dependencies, followed, found);
  return 'followed';
}

async function recordEnd(
  dependencies: ListingDependencies,
  { item, listing, work }: Followed,
  found: FoundListing | undefined,
): Promise<void> {
  const { items, now } = dependencies;
  const { publication } = listing;
  const change = (apply: (current: Item) => Item): Promise<unknown> => rewriteItem(items, item.id, apply);
  switch (found?.state) {
    case undefined:
      await change((current) => recordTakenDown(current, publication, now()));
      return;
    case 'ended':
      await change((current) => recordAuctionEnded(asCommitted(current, publication), found, now()));
      return;
    case 'removed':
      await change((current) => recordAdRemoved(asCommitted(current, publication), found, now()));
      return;
    case 'sold':
    case 'active':
    case 'waiting': {
      const message = 'the auction is over; how it ended is being read';
      await change((current) => asCommitted(current, publication));
      await recordFailure(dependencies, item, { work, failure: { cause: 'AUCTION_OVER', message } });
    }
  }
}

/** A draft whose commit was believed lost was up after all. */
const asCommitted = (item: Item, publication: number): Item =>
  listingIn(item, publication, ['drafting', 'prepared']) === undefined
    ? item
    : changeNewestListing(item, { state: 'committing' });
