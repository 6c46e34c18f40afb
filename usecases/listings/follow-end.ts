import type { Item, Listing } from '../../core/items/item.ts';
import { recordAdRemoved, recordAuctionEnded } from '../../core/listings/auction-end.ts';
import { changeNewestListing, listingIn, ownReference } from '../../core/listings/publication.ts';
import type { ListingWork } from '../../core/listings/listing-failure.ts';
import { recordTakenDown } from '../../core/listings/take-down.ts';
import type { FoundListing, Seller } from '../../gateways/marketplace/port.ts';
import { changeItem } from '../items/change-item.ts';
import { recordFailure, type ListingDependencies } from './prepare-listing.ts';

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
  const change = (apply: (current: Item) => Item): Promise<unknown> => changeItem(items, item.id, apply);
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

/** A draft whose commit was thought lost turned out to have been up. */
const asCommitted = (item: Item, publication: number): Item =>
  listingIn(item, publication, ['drafting', 'prepared']) === undefined
    ? item
    : changeNewestListing(item, { state: 'committing' });
