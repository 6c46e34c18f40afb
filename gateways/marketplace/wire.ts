// What is sent to the marketplace (REST v4): paths, names and numbers. What comes back is read in wire-items.ts and wire-orders.ts. No
// other file knows them; v4-operations.ts is the table that tests compare them with.
import type { Prices, ShippingOption } from '../../features/listings/rules/listing-terms.ts';
import type { ListingDraft, PriceChange } from './port.ts';

export const headerNames = {
  appId: 'x-app-id',
  appKey: 'x-app-key',
  userId: 'x-user-id',
  userToken: 'x-user-token',
} as const;

/** Largest accepted picture, decoded. */
export const imageBytesMax = 4 * 1024 * 1024;

/** The query part of an address, without the question mark. */
export const query = (parameters: Record<string, string>): string => new URLSearchParams(parameters).toString();

const [runningItems, endedItems, newAndUpdated] = ['1', '2', '4'];
const within = (id: string): string => encodeURIComponent(id);

export const paths = {
  items: '/v4/listings/items',
  item: (adId: string) => `/v4/listings/items/${within(adId)}`,
  price: (adId: string) => `/v4/listings/items/${within(adId)}/price`,
  prices: '/v4/listings/items/prices',
  images: (requestId: string) => `/v4/listings/items/${within(requestId)}/images`,
  commit: (requestId: string) => `/v4/listings/items/${within(requestId)}/commit`,
  results: (requestId: string) => `/v4/listings/request-results?${query({ requestIds: requestId })}`,
  /** All that are in this state, or those that end between two times. */
  sellerItems: (state: 'running' | 'ended', ending: { readonly from?: Date; readonly to?: Date } = {}) =>
    `/v4/listings/seller-items?${query({
      filterActive: state === 'running' ? runningItems : endedItems,
      ...(ending.from && { minEndDate: ending.from.toISOString() }),
      ...(ending.to && { maxEndDate: ending.to.toISOString() }),
    })}`,
  updated: (mark: string) => `/v4/listings/updated-seller-items?${query({ rowVersion: mark })}`,
  transactions: (since: Date) =>
    `/v4/listings/seller-transactions?${query({ minTransactionDate: since.toISOString(), filter: newAndUpdated })}`,
  time: '/v4/reference-data/time',
  me: '/v4/users/me',
  token: '/v4/auth/token',
} as const;

/** Where sources differ, or sellers need something else than usual. */
export interface WireSettings {
  /** JPEG's number among the image formats: 0 by the official plugin, 1 by two clients. */
  readonly jpegFormat: 0 | 1;
  /** The way to ship at the seller's own price. */
  readonly ownShipping: Omit<ShippingOption, 'cost'>;
  /** The way to ship for which the buyer collects the item. */
  readonly pickup: Omit<ShippingOption, 'cost'>;
  /** The marketplace's categories in place of those of the specification's table. */
  readonly categories: ReadonlyMap<number, number>;
}

export const usualWireSettings: WireSettings = {
  jpegFormat: 0,
  ownShipping: { providerId: 6 },
  pickup: { optionId: 8 },
  categories: new Map(),
};

const itemTypeAuction = 1;
const acceptedBiddersSweden = 1;

/**
 * `autoCommit: false` and no `restarts`: only our own commit puts anything up for sale, and only once. A price that there is not is left
 * out, because it can't be null.
 */
export function draftBody(draft: ListingDraft, settings: WireSettings): object {
  const { reservePriceKronor, buyNowPriceKronor, vatPercent, endsAt } = draft;
  return {
    title: draft.title,
    description: draft.descriptionHtml,
    categoryId: settings.categories.get(draft.categoryId) ?? draft.categoryId,
    duration: draft.durationDays,
    restarts: 0,
    startPrice: draft.startPriceKronor,
    ...(endsAt !== null && { customEndDate: endsAt.toISOString() }),
    ...(reservePriceKronor !== null && { reservePrice: reservePriceKronor }),
    ...(buyNowPriceKronor !== null && { buyItNowPrice: buyNowPriceKronor }),
    itemType: itemTypeAuction,
    acceptedBidderId: acceptedBiddersSweden,
    shippingOptions: shippingOf(draft, settings),
    ...(vatPercent !== null && { vat: vatPercent }),
    ownReferences: draft.ownReferences,
    autoCommit: false,
  };
}

/** Without shipping options of the item: one at its own price, or collection. */
function shippingOf({ shippingKronor, shippingOptions, weightKg }: ListingDraft, settings: WireSettings): object[] {
  const usual: ShippingOption =
    shippingKronor === null ? { ...settings.pickup, cost: 0 } : { ...settings.ownShipping, cost: shippingKronor };
  return (shippingOptions ?? [usual]).map(({ optionId, providerId, productId, cost }) => ({
    cost,
    ...(optionId !== undefined && { shippingOptionId: optionId }),
    ...(providerId !== undefined && { shippingProviderId: providerId }),
    ...(productId !== undefined && { shippingProductId: productId, shippingProductIdSpecified: true }),
    ...(weightKg !== null &&
      optionId !== settings.pickup.optionId && { shippingWeight: weightKg, shippingWeightSpecified: true }),
  }));
}

export const imageBody = (jpeg: Buffer, { jpegFormat }: WireSettings): object => ({
  imageData: jpeg.toString('base64'),
  imageFormat: jpegFormat,
  hasMega: true,
});

/**
 * The call that sets the prices. The one for a single price is taken wherever it can say it, because the other one removes a buy-now
 * price that is left out, and only that one sets a reserve price and adds or removes the buy-now price.
 */
export function priceCall(
  adId: string,
  { wanted, present }: PriceChange,
): { readonly operation: 'price' | 'prices'; readonly path: string; readonly body: object } {
  const { startPriceKronor, reservePriceKronor, buyNowPriceKronor } = wanted;
  const isSameReserve = reservePriceKronor === null || reservePriceKronor === present.reservePriceKronor;
  if (isSameReserve && (buyNowPriceKronor === null) === (present.buyNowPriceKronor === null))
    return {
      operation: 'price',
      path: paths.price(adId),
      body: {
        openingPrice: startPriceKronor,
        ...(buyNowPriceKronor !== present.buyNowPriceKronor && { binPrice: buyNowPriceKronor }),
      },
    };
  return { operation: 'prices', path: paths.prices, body: allPrices(adId, wanted, present) };
}

/** A reserve price can't be removed, so one that is no longer wanted stays. */
function allPrices(adId: string, wanted: Prices, present: Prices): object {
  const reserve = wanted.reservePriceKronor ?? present.reservePriceKronor;
  return {
    id: Number(adId),
    openingPrice: wanted.startPriceKronor,
    ...(reserve !== null && { reservedPrice: { price: reserve } }),
    ...(wanted.buyNowPriceKronor !== null && { binPrice: { price: wanted.buyNowPriceKronor } }),
  };
}
