import { isUnwanted, type Item, type Listing } from '../items/rules/item.ts';
import {
  askedPrices,
  beginPrice,
  dropPrice,
  needsPrice,
  presentPrices,
  recordPriceRefused,
  recordPrices,
  type AskedPrices,
} from './rules/price.ts';
import { hasPrices, type Prices } from './rules/listing-terms.ts';
import { listingIn } from './rules/publication.ts';
import { MarketplaceError, type PriceOutcome, type Seller } from '../../gateways/marketplace/port.ts';
import { rewriteItem } from '../items/write-item.ts';
import { recordFailure, recordTrouble, type ListingDependencies, type Publication } from './prepare-listing.ts';
import { missingSeller } from './seller-access.ts';

interface Asking {
  readonly item: Item;
  readonly listing: Listing;
  readonly asked: AskedPrices;
}

/**
 * Gives a live auction the prices of its item: the one thing that the marketplace changes on a running auction. The call takes effect at
 * once or not at all, and states the wanted result, so it may be repeated, and many changes become one call.
 */
export async function sendPrice(
  dependencies: ListingDependencies,
  { accountId, itemId, publication }: Publication,
): Promise<void> {
  const item = await dependencies.items.findById({ accountId, id: itemId });
  const listing = item === null ? undefined : listingIn(item, publication, ['live']);
  if (item === null || listing === undefined || isUnwanted(item) || !needsPrice(item, listing)) return;
  const lookup = await dependencies.sellers.find(item.accountId);
  if (lookup.kind !== 'connected') {
    return recordFailure(dependencies, item, { work: 'price', failure: missingSeller(lookup) });
  }
  try {
    await ask(dependencies, lookup.seller, { item, listing, asked: askedPrices(item, listing) });
  } catch (error) {
    await recordTrouble(dependencies, item, { work: 'price', connected: lookup, error });
  }
}

async function ask(dependencies: ListingDependencies, seller: Seller, of: Asking): Promise<void> {
  const { items, marketplace } = dependencies;
  const { item, listing, asked } = of;
  const adId = listing.adId ?? '';
  const read = listing.askedPriceOre === null ? undefined : await readPresent(dependencies, seller, adId);
  if (read === null) return record(dependencies, of, { kind: 'over' });
  if (read !== undefined && hasPrices(read, asked.prices)) return record(dependencies, of, { kind: 'taken' });
  // Another write came in between: the next round sees it.
  if ((await items.replace(item, beginPrice(item, asked, read))) === null) return;
  try {
    const present = read ?? presentPrices(listing);
    const outcome = await marketplace.setPrices(seller, adId, { wanted: asked.prices, present });
    await record(dependencies, of, outcome);
  } catch (error) {
    if (error instanceof MarketplaceError && error.kind !== 'outcome_unknown')
      await rewriteItem(items, item, (current) => dropPrice(current, asked));
    throw error;
  }
}

/** What an earlier call without an outcome left; null when the auction is over. */
async function readPresent({ marketplace }: ListingDependencies, seller: Seller, adId: string): Promise<Prices | null> {
  const auction = await marketplace.readAuction(seller, adId);
  return auction === null || auction.isOver ? null : auction;
}

async function record(
  dependencies: ListingDependencies,
  { item, asked }: Asking,
  outcome: PriceOutcome,
): Promise<void> {
  const { items, now } = dependencies;
  switch (outcome.kind) {
    case 'taken':
      await rewriteItem(items, item, (current) => recordPrices(current, asked, now()));
      return;
    case 'has_bids': {
      const { auction: seen } = outcome;
      await rewriteItem(items, item, (current) => recordPriceRefused(current, asked, { seen, now: now() }));
      return;
    }
    case 'over': {
      const message = 'the auction is over; how it ended is being read';
      return recordFailure(dependencies, item, { work: 'price', failure: { cause: 'AUCTION_OVER', message } });
    }
    case 'refused': {
      await rewriteItem(items, item, (current) => dropPrice(current, asked));
      return recordFailure(dependencies, item, {
        work: 'price',
        failure: { cause: 'PRICE_REFUSED', message: outcome.message },
      });
    }
  }
}
