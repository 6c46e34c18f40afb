import type { Fields } from '../../kit/fields.ts';
import type { Listing } from '../records/model.ts';
import type { World } from '../records/world.ts';
import { problemOfPrices } from './listing-input.ts';

interface Prices {
  readonly startPrice: number;
  readonly reservePrice: number | null;
  readonly buyItNowPrice: number | null;
}

/** `PUT items/{id}/price`: what is left out stays. Returns why it was refused. */
export function changePrice(world: World, listing: Listing, fields: Fields): string | undefined {
  if (fields.has('binPrice') && listing.buyItNowPrice === null) return 'the item has no buy-now price';
  return apply(world, listing, {
    startPrice: fields.has('openingPrice') ? fields.number('openingPrice') : listing.startPrice,
    reservePrice: listing.reservePrice,
    buyItNowPrice: fields.has('binPrice') ? fields.number('binPrice') : listing.buyItNowPrice,
  });
}

/** `PUT items/prices`: a buy-now price that is left out is removed; a reserve price can't be. */
export function changePrices(world: World, listing: Listing, fields: Fields): string | undefined {
  const priceOf = (name: string): number | null => (fields.has(name) ? fields.object(name).number('price') : null);
  const [reservePrice, buyItNowPrice] = [priceOf('reservedPrice'), priceOf('binPrice')];
  if (reservePrice === null && listing.reservePrice !== null) return 'the reserve price can not be removed';
  return apply(world, listing, { startPrice: fields.number('openingPrice'), reservePrice, buyItNowPrice });
}

/** The seller changes the start price on the marketplace's own pages. */
export function changeStartPrice(world: World, listing: Listing, startPrice: number): string | undefined {
  return apply(world, listing, { ...listing, startPrice });
}

function apply({ listings, clock }: World, listing: Listing, prices: Prices): string | undefined {
  if (listing.state !== 'active') return 'the item is not running';
  if (listing.bids.length > 0) return 'the item has bids';
  const problem = problemOfPrices(prices);
  if (problem !== undefined) return problem;
  const { startPrice, reservePrice, buyItNowPrice } = prices;
  const change = { updatedAt: clock.now(), rowVersion: listings.nextRowVersion() };
  listings.put({ ...listing, startPrice, reservePrice, buyItNowPrice, ...change });
  return undefined;
}
