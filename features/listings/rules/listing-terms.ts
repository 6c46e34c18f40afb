import { problem, type FieldProblem } from '../../rules/field-problems.ts';
import { wholeKronorFromOre } from '../../rules/money.ts';

/**
 * One way to ship, pick-up included, by the marketplace's own numbers: an option, or a provider and perhaps one of its products. Cost in
 * whole kronor.
 */
export interface ShippingOption {
  readonly optionId?: number;
  readonly providerId?: number;
  readonly productId?: number;
  readonly cost: number;
}

/** Terms of automatic relisting after an auction without a winner. */
export interface Relist {
  readonly times: number;
  /** Whole kronor by which the start price goes down each time. */
  readonly priceStep?: number;
}

/**
 * A caller's terms for the auction of an item; a missing field was not set. Prices in whole kronor, times in ISO 8601
 * (UTC). Source: interface-decisions "Items".
 */
export interface ListingTerms {
  readonly durationDays?: number;
  readonly startsAt?: string;
  readonly endsAt?: string;
  readonly reservePrice?: number;
  readonly buyNowPrice?: number;
  readonly relist?: Relist;
  readonly shippingOptions?: readonly ShippingOption[];
  readonly vatPercent?: number;
  readonly categoryId?: number;
}

/** Terms that an account may set for all its auctions: none that concern one item or one moment. */
export type ListingDefaults = Pick<ListingTerms, 'durationDays' | 'relist' | 'shippingOptions' | 'vatPercent'>;

export const durationDaysMax = 14;
const standardDurationDays = 7;
const dayMs = 86_400_000;

/** The terms of an auction: the item's own, else those of its account when the draft was made. */
export const termsOf = ({ content }: WithTerms, defaults: ListingDefaults): ListingTerms => ({
  ...defaults,
  ...content.listing,
});

interface WithTerms {
  readonly content: { readonly listing: ListingTerms | null };
}

/** The prices of an auction in whole kronor: the marketplace has no öre. null: none. */
export interface Prices {
  readonly startPriceKronor: number;
  readonly reservePriceKronor: number | null;
  readonly buyNowPriceKronor: number | null;
}

/** Whether an auction with these prices has those that are wanted; a reserve price that it has can't be taken off. */
export const hasPrices = (present: Prices, wanted: Prices): boolean =>
  present.startPriceKronor === wanted.startPriceKronor &&
  present.buyNowPriceKronor === wanted.buyNowPriceKronor &&
  (wanted.reservePriceKronor === null || present.reservePriceKronor === wanted.reservePriceKronor);

/** The prices of an auction with these terms. */
export const pricesOf = ({ reservePrice, buyNowPrice }: ListingTerms, startPriceOre: number): Prices => ({
  startPriceKronor: wholeKronorFromOre(startPriceOre),
  reservePriceKronor: reservePrice ?? null,
  buyNowPriceKronor: buyNowPrice ?? null,
});

export const durationDaysOf = ({ durationDays }: ListingTerms): number => durationDays ?? standardDurationDays;

/** The end that the caller asked for, if it is in the future; later auctions of the item use the duration. */
export function endAheadOf({ endsAt }: ListingTerms, now: Date): Date | null {
  const end = endsAt === undefined ? null : new Date(endsAt);
  return end !== null && end > now ? end : null;
}

/** When the auction may go up; null for at once. */
export function startAheadOf({ content }: WithTerms, now: Date): Date | null {
  const startsAt = content.listing?.startsAt;
  const start = startsAt === undefined ? null : new Date(startsAt);
  return start !== null && start > now ? start : null;
}

/** Problems between the terms, and between terms and price. `field` is below `listing`. */
export function termProblems(terms: ListingTerms, priceOre: number): FieldProblem[] {
  return [...orderProblems(terms, priceOre), ...timeProblems(terms)];
}

/** The start price that the marketplace gets must be below the reserve price, and that below the buy-now price. */
function orderProblems({ reservePrice, buyNowPrice }: ListingTerms, priceOre: number): FieldProblem[] {
  const price = wholeKronorFromOre(priceOre);
  return [
    ...(reservePrice !== undefined && reservePrice <= price
      ? [problem('listing.reservePrice', 'not_above_price', { price })]
      : []),
    ...(buyNowPrice !== undefined && buyNowPrice <= price
      ? [problem('listing.buyNowPrice', 'not_above_price', { price })]
      : []),
    ...(reservePrice !== undefined && buyNowPrice !== undefined && buyNowPrice <= reservePrice
      ? [problem('listing.buyNowPrice', 'not_above_reserve', { reservePrice })]
      : []),
  ];
}

/** Why a new price does not fit the item's terms. */
export function priceProblems({ reservePrice, buyNowPrice }: ListingTerms, priceOre: number): FieldProblem[] {
  const price = wholeKronorFromOre(priceOre);
  if (reservePrice !== undefined && price >= reservePrice)
    return [problem('price', 'not_below_reserve', { reservePrice })];
  if (buyNowPrice !== undefined && price >= buyNowPrice)
    return [problem('price', 'not_below_buy_now', { buyNowPrice })];
  return [];
}

function timeProblems({ startsAt, endsAt }: ListingTerms): FieldProblem[] {
  if (startsAt === undefined || endsAt === undefined) return [];
  const lengthMs = Date.parse(endsAt) - Date.parse(startsAt);
  const isTaken = lengthMs >= dayMs && lengthMs <= durationDaysMax * dayMs;
  return isTaken ? [] : [problem('listing.endsAt', 'wrong_duration', { maxDays: durationDaysMax })];
}
