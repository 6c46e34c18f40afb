import { isUnwanted, type Item, type Listing } from '../../core/items/item.ts';
import { listingIn } from '../../core/listings/publication.ts';
import { recordTakeDownRefused, recordTakenDown } from '../../core/listings/take-down.ts';
import type { RemovalOutcome, Seller } from '../../gateways/marketplace/port.ts';
import { changeItem } from '../items/change-item.ts';
import { followEnd } from './follow-end.ts';
import { recordTrouble, recordFailure, type ListingDependencies, type Publication } from './prepare-listing.ts';
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
      await changeItem(items, item.id, (current) => recordTakenDown(current, publication, now()));
      return;
    case 'has_bids':
      await changeItem(items, item.id, (current) => recordTakeDownRefused(current, publication, now()));
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
