import type { AttributeChoice, Listing, Shipping } from '../records/model.ts';
import type { World } from '../records/world.ts';
import { highestBid, nextBid } from '../rules/bids.ts';
import { attributesOf, findCategory } from '../rules/categories.ts';
import { plannedEnd } from '../rules/publishing.ts';
import { pickUpOption } from '../rules/reference-data.ts';
import { personNamed, userOnWire } from './people.ts';
import { sellerAsPerson } from './seller.ts';
import { wireTime } from './wire-time.ts';

/** An item as its seller sees it, or everybody: references, reserve and persons are the seller's alone. */
export function itemOnWire(world: World, listing: Listing, audience: 'seller' | 'public'): Record<string, unknown> {
  const { itemId, categoryId, title, description, durationDays, restarts } = listing;
  const start = listing.startedAt ?? listing.createdAt;
  const shown = audience === 'seller' ? 'whole' : 'alias';
  const highest = highestBid(listing);
  const winner = listing.state === 'sold' && audience === 'seller' ? highest : undefined;
  return {
    id: itemId,
    shortDescription: title,
    longDescription: description,
    categoryId,
    itemType: 1,
    ownReferences: audience === 'seller' ? orNull(listing.ownReferences) : null,
    startDate: wireTime(start, world.switches),
    endDate: wireTime(listing.endsAt ?? plannedEnd(listing, start), world.switches),
    duration: durationDays,
    restarts,
    userSelectedEndDate: listing.customEndAt !== null,
    ...pricesOf(listing, audience),
    ...statusOf(world, listing),
    ...linksOf(world, listing),
    ...choicesOf(listing),
    startQuantity: 1,
    remainingQuantity: listing.state === 'sold' ? 0 : 1,
    seller: userOnWire(sellerAsPerson(world, listing.userId), shown),
    maxBidder: highest === undefined ? null : userOnWire(personNamed(highest.bidder), shown),
    buyerList: winner === undefined ? null : [userOnWire(personNamed(winner.bidder), 'whole')],
    bold: false,
    featuredItem: false,
    highlight: false,
    thumbnail: false,
    paypal: false,
    paymentTypeId: 0,
  };
}

/** Where there is no price the number is 0. */
function pricesOf(listing: Listing, audience: 'seller' | 'public'): Record<string, unknown> {
  const { startPrice, reservePrice, buyItNowPrice, vat, bids } = listing;
  const highest = highestBid(listing)?.amount;
  const reserve = audience === 'seller' ? reservePrice : null;
  return {
    openingBid: startPrice,
    openingBidSpecified: true,
    buyItNowPrice: buyItNowPrice ?? 0,
    buyItNowPriceSpecified: buyItNowPrice !== null,
    reservePrice: reserve ?? 0,
    reservePriceSpecified: reserve !== null,
    reservePriceReached: reservePrice === null ? null : (highest ?? 0) >= reservePrice,
    reservePriceManuallySet: reservePrice !== null,
    maxBid: highest ?? 0,
    maxBidSpecified: highest !== undefined,
    nextBid: nextBid(listing),
    nextBidSpecified: true,
    totalBids: bids.length,
    vat: vat ?? 0,
    vatSpecified: vat !== null,
  };
}

function statusOf({ switches }: World, { state, bids }: Listing): Record<string, unknown> {
  const ended = state === 'ended' || state === 'sold' || state === 'removed';
  const status = { ended, gotBidders: bids.length > 0, gotWinner: state === 'sold' };
  if (switches.is('itemStatus', 'absent')) return { statusId: 0 };
  return { statusId: 0, status: switches.is('itemStatus', 'empty') ? {} : status };
}

function linksOf({ siteUrl }: World, listing: Listing): Record<string, unknown> {
  const urls = listing.images.map((_image, index) => `${siteUrl}/item/${listing.itemId}/images/${index + 1}`);
  return {
    itemLink: itemLink(siteUrl, listing),
    thumbnailLink: urls[0] ?? null,
    imageLinks: orNull(urls),
    detailedImageLinks: orNull(urls.map((url) => ({ url, format: 'normal' }))),
  };
}

/** The full public address; the short one without category and title leads there. An empty `siteUrl`: its path. */
export function itemLink(siteUrl: string, { itemId, categoryId, title }: Listing): string {
  const slug = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `${siteUrl}/item/${categoryId}/${itemId}/${slug === '' ? 'item' : slug}`;
}

function choicesOf(listing: Listing): Record<string, unknown> {
  const { shippingOptions, paymentOptionIds, itemAttributes, acceptedBidderId } = listing;
  const { shippingCondition, paymentCondition } = listing;
  return {
    shippingOptions: orNull(shippingOptions.map(shippingOnWire)),
    shippingCondition,
    paymentCondition,
    paymentOptions: orNull(paymentOptionIds),
    itemAttributes: orNull(itemAttributes),
    attributeValues: attributesOnItem(listing),
    acceptedBuyerId: acceptedBidderId,
    acceptsPickup: shippingOptions.some(({ shippingOptionId }) => shippingOptionId === pickUpOption),
  };
}

function attributesOnItem({ categoryId, terms, numbers }: Listing): unknown {
  if (terms.length + numbers.length === 0) return null;
  const category = findCategory(categoryId);
  const definitions = category === undefined ? [] : attributesOf(category);
  const named = <Value>(choice: AttributeChoice<Value>): unknown => ({
    ...choice,
    name: definitions.find(({ id }) => id === choice.id)?.name ?? null,
  });
  return { termAttributeValues: orNull(terms.map(named)), numberAttributeValues: orNull(numbers.map(named)) };
}

function shippingOnWire(shipping: Shipping): unknown {
  return {
    ...shipping,
    shippingProductIdSpecified: shipping.shippingProductId !== null,
    shippingWeightSpecified: shipping.shippingWeight !== null,
    sellerSurchargeSpecified: shipping.sellerSurcharge !== null,
    sellerDiscountSpecified: shipping.sellerDiscount !== null,
  };
}

/** An empty list is null there. */
const orNull = <Value>(values: readonly Value[]): readonly Value[] | null => (values.length === 0 ? null : values);
