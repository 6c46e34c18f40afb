import { fieldsOf, type Fields } from '../../kit/fields.ts';
import type { AttributeChoice, ListingFields, Shipping } from '../records/model.ts';
import type { User } from '../records/user-book.ts';
import { badRequest, serverError } from '../wire/refusals.ts';
import { parseWireTime } from '../wire/wire-time.ts';
import { attributesOf, findCategory } from './categories.ts';
import { fieldValues, isProductOf, isShippingOption, isShippingProvider, pickUpOption } from './reference-data.ts';

const dayMs = 86_400_000;
const auctionDaysMax = 14;
const restrictedDaysMin = 7;

/**
 * The body of a create call, whose fields were checked. Throws a 400 for the rule of prices, shipping, categories or
 * restricted sellers that is broken. Only auctions are played here, with or without buy-now.
 */
export function parseListing(body: unknown, seller: User, now: number): ListingFields {
  const fields = fieldsOf(body);
  if (fields.raw('itemType') !== 1) throw badRequest('itemType: this simulator takes auctions alone');
  const listing = {
    title: fields.text('title'),
    description: optionalText(fields, 'description') ?? '',
    categoryId: fields.number('categoryId'),
    durationDays: fields.number('duration'),
    customEndAt: fields.has('customEndDate') ? (parseWireTime(fields.text('customEndDate')) ?? null) : null,
    restarts: fields.has('restarts') ? fields.number('restarts') : 0,
    startPrice: priceIn(fields, 'startPrice') ?? 0,
    reservePrice: priceIn(fields, 'reservePrice'),
    buyItNowPrice: priceIn(fields, 'buyItNowPrice'),
    vat: numberIn(fields, 'vat'),
    acceptedBidderId: fields.number('acceptedBidderId'),
    shippingOptions: listIn(fields, 'shippingOptions').map(shippingFrom),
    paymentOptionIds: listIn(fields, 'paymentOptionIds').map(Number),
    itemAttributes: listIn(fields, 'itemAttributes').map(Number),
    ...attributesIn(fields),
    shippingCondition: optionalText(fields, 'shippingCondition'),
    paymentCondition: optionalText(fields, 'paymentCondition'),
    ownReferences: listIn(fields, 'ownReferences').map(String),
  };
  checkPrices(listing);
  checkChoices(listing);
  checkShipping(listing.shippingOptions);
  checkEnd(listing, seller, now);
  return listing;
}

/** Start below reserve below buy-now; throws a 400 with the words that a price operation answers, too. */
export function checkPrices(prices: Pick<ListingFields, 'startPrice' | 'reservePrice' | 'buyItNowPrice'>): void {
  const problem = problemOfPrices(prices);
  if (problem !== undefined) throw badRequest(problem);
}

export function problemOfPrices({
  startPrice,
  reservePrice,
  buyItNowPrice,
}: Pick<ListingFields, 'startPrice' | 'reservePrice' | 'buyItNowPrice'>): string | undefined {
  if (startPrice < 1) return 'an auction needs a start price of at least 1';
  if (reservePrice !== null && reservePrice <= startPrice) return 'the reserve price must be above the start price';
  if (buyItNowPrice !== null && buyItNowPrice <= Math.max(startPrice, reservePrice ?? 0))
    return 'the buy-now price must be above start price and reserve price';
  return undefined;
}

function checkEnd({ customEndAt, durationDays, buyItNowPrice }: ListingFields, seller: User, now: number): void {
  if (customEndAt !== null && !(customEndAt > now && customEndAt <= now + auctionDaysMax * dayMs))
    throw badRequest(`customEndDate must be in the next ${auctionDaysMax} days`);
  if (!seller.isRestricted) return;
  if (buyItNowPrice !== null) throw badRequest('a restricted seller may not set a buy-now price');
  if ((customEndAt ?? now + durationDays * dayMs) < now + restrictedDaysMin * dayMs)
    throw badRequest(`an auction of a restricted seller must last at least ${restrictedDaysMin} days`);
}

function checkChoices({ categoryId, vat, paymentOptionIds, itemAttributes, terms, numbers }: ListingFields): void {
  const category = findCategory(categoryId);
  if (category === undefined) throw badRequest(`there is no category ${categoryId}`);
  if (category.below !== undefined) throw badRequest(`category ${categoryId} has categories below it`);
  if (vat !== null && !fieldValues.vat.includes(vat))
    throw badRequest(`vat must be one of ${fieldValues.vat.join(', ')}`);
  const isIn = (pairs: readonly { readonly id: number }[]) => (id: number) => pairs.some((pair) => pair.id === id);
  if (!paymentOptionIds.every(isIn(fieldValues.paymentTypes))) throw badRequest('paymentOptionIds has an unknown id');
  if (!itemAttributes.every(isIn(fieldValues.itemAttributes))) throw badRequest('itemAttributes has an unknown id');
  if (numbers.length > 0) throw badRequest('attributeValues.numbers has an attribute that the category does not have');
  const attributes = attributesOf(category);
  for (const { id, values } of terms) {
    const known = attributes.find((attribute) => attribute.id === id);
    if (known === undefined) throw badRequest(`attributeValues: the category has no attribute ${id}`);
    if (values.length > 1 || !values.every((value) => known.terms.includes(value)))
      throw badRequest(`attributeValues: ${known.name} must be one of ${known.terms.join(', ')}`);
  }
  const missing = attributes.find(({ id, isRequired }) => isRequired && !terms.some((term) => term.id === id));
  if (missing !== undefined) throw badRequest(`attributeValues: the category requires ${missing.name} (${missing.id})`);
}

/** Two, and pick-up as a third. An id that is not known gets the 500 that the real one was seen to answer. */
function checkShipping(options: readonly Shipping[]): void {
  const sent = options.filter(({ shippingOptionId }) => shippingOptionId !== pickUpOption);
  if (sent.length > 2) throw badRequest('shippingOptions must have at most two entries, and pick-up as a third');
  for (const { shippingOptionId: option, shippingProviderId: provider, shippingProductId: product } of options) {
    if ((option === null) === (provider === null))
      throw badRequest('each of shippingOptions needs either shippingOptionId or shippingProviderId');
    const isKnown =
      (option === null || isShippingOption(option)) &&
      (provider === null || isShippingProvider(provider)) &&
      (product === null || (provider !== null && isProductOf(product, provider)));
    if (!isKnown) throw serverError('the request could not be processed');
  }
}

function shippingFrom(value: unknown): Shipping {
  const fields = fieldsOf(value);
  return {
    cost: fields.number('cost'),
    shippingOptionId: numberIn(fields, 'shippingOptionId'),
    shippingProviderId: numberIn(fields, 'shippingProviderId'),
    shippingProductId: numberIn(fields, 'shippingProductId'),
    shippingWeight: numberIn(fields, 'shippingWeight'),
    sellerSurcharge: numberIn(fields, 'sellerSurcharge'),
    sellerDiscount: numberIn(fields, 'sellerDiscount'),
  };
}

function attributesIn(fields: Fields): Pick<ListingFields, 'terms' | 'numbers'> {
  if (!fields.has('attributeValues')) return { terms: [], numbers: [] };
  const values = fields.object('attributeValues');
  return { terms: choicesIn(values, 'terms', String), numbers: choicesIn(values, 'numbers', Number) };
}

function choicesIn<Value>(
  fields: Fields,
  name: string,
  read: (value: unknown) => Value,
): readonly AttributeChoice<Value>[] {
  return listIn(fields, name).map((entry) => {
    const choice = fieldsOf(entry);
    return { id: choice.number('id'), values: listIn(choice, 'values').map(read) };
  });
}

const listIn = (fields: Fields, name: string): readonly unknown[] => (fields.has(name) ? fields.list(name) : []);
const optionalText = (fields: Fields, name: string): string | null => (fields.has(name) ? fields.text(name) : null);

/** 0 is none. */
const priceIn = (fields: Fields, name: string): number | null =>
  fields.has(name) && fields.raw(name) !== 0 ? fields.number(name) : null;
/** May be negative: the fields were checked. */
const numberIn = (fields: Fields, name: string): number | null =>
  fields.has(name) ? fields.number(name, { min: -Infinity }) : null;
