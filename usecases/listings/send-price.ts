import { isUnwanted, type Item } from '../../core/items/item.ts';
import { askedPrices, needsPrice, presentPrices, recordPriceRefused, recordPrices } from '../../core/listings/price.ts';
import { listingIn } from '../../core/listings/publication.ts';
import type { PriceOutcome } from '../../gateways/marketplace/port.ts';
import { rewriteItem } from '../items/write-item.ts';
import { recordFailure, recordTrouble, type ListingDependencies, type Publication } from './prepare-listing.ts';
import { missingSeller } from './seller-access.ts';

/**
 * Gives a live auction the prices of its item: the one thing that the marketplace changes on a running auction. The call takes effect at
 * once or not at all, and states the wanted result, so it may be repeated, and many changes become one call.
 */
export async function sendPrice(dependencies: ListingDependencies, { itemId, publication }: Publication): Promise<void> {
  const item = await dependencies.items.findById(itemId);
  const listing = item === null ? undefined : listingIn(item, publication, ['live']);
  if (item === null || listing === undefined || isUnwanted(item) || !needsPrice(item, listing)) return;
  const lookup = await dependencies.sellers.find(item.accountId);
  if (lookup.kind !== 'connected') {
    return recordFailure(dependencies, item, { work: 'price', failure: missingSeller(lookup) });
  }
  const asked = askedPrices(item, listing);
  const change = { wanted: asked.prices, present: presentPrices(listing) };
  try {
    const outcome = await dependencies.marketplace.setPrices(lookup.seller, listing.adId ?? '', change);
    await record(dependencies, item, { asked, outcome });
  } catch (error) {
    await recordTrouble(dependencies, item, { work: 'price', connected: lookup, error });
  }
}

async function record(
  dependencies: ListingDependencies,
  item: Item,
  { asked, outcome }: { asked: ReturnType<typeof askedPrices>; outcome: PriceOutcome },
): Promise<void> {
  const { items, now } = dependencies;
  switch (outcome.kind) {
    case 'taken':
      await rewriteItem(items, item.id, (current) => recordPrices(current, asked, now()));
      return;
    case 'has_bids': {
      const { auction: seen } = outcome;
      await rewriteItem(items, item.id, (current) => recordPriceRefused(current, asked, { seen, now: now() }));
      return;
    }
    case 'over': {
      const message = 'the auction is over; how it ended is being read';
      return recordFailure(dependencies, item, { work: 'price', failure: { cause: 'AUCTION_OVER', message } });
    }
    case 'refused':
      return recordFailure(dependencies, item, {
        work: 'price',
        failure: { cause: 'PRICE_REFUSED', message: outcome.message },
      });
  }
}
