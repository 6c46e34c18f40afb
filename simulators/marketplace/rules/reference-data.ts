import { attributesOf, categoryTree, type Category } from './categories.ts';

interface Pair {
  readonly id: number;
  readonly description: string;
  readonly value: null;
}

const pairs = (descriptions: Readonly<Record<number, string>>): readonly Pair[] =>
  Object.entries(descriptions).map(([id, description]) => ({ id: Number(id), description, value: null }));

export const bidderTypes = pairs({ 1: 'Sverige', 3: 'Internationellt', 4: 'EU' });
export const itemTypes = pairs({ 1: 'Auktion', 3: 'Endast Köp Nu', 4: 'Butiksobjekt', 5: 'Endast kontakt' });

export const pickUpOption = 8;
const shippingTypes = pairs({
  1: 'Posten',
  2: 'DHL',
  6: 'Annat fraktsätt',
  7: 'Schenker',
  [pickUpOption]: 'Avhämtning',
  12: 'PostNord paket',
  13: 'PostNord frimärke',
  20: 'DHL Express',
});

export const fieldValues = {
  vat: [0, 6, 12, 25],
  itemAttributes: pairs({ 1: 'Ny', 2: 'Begagnad' }),
  paymentTypes: pairs({
    4: 'Bank',
    8: 'Giro',
    16: 'Postförskott',
    32: 'Kontant',
    4096: 'Swish',
    16384: 'Direktbetalning',
  }),
  shippingTypes,
};

/** `6` is the seller's own price; the others carry. */
const providers: Readonly<Record<number, string>> = { 1: 'PostNord', 2: 'DHL', 6: 'Other', 7: 'Schenker' };
/** Kilograms and kronor. */
const products = [
  { id: 101, shippingProviderId: 1, name: 'PostNord Spårbart paket', price: 63, weight: 1 },
  { id: 102, shippingProviderId: 1, name: 'PostNord Spårbart paket', price: 99, weight: 3 },
  { id: 103, shippingProviderId: 1, name: 'PostNord Spårbart paket', price: 169, weight: 10 },
  { id: 201, shippingProviderId: 2, name: 'DHL Ombud', price: 69, weight: 3 },
  { id: 202, shippingProviderId: 2, name: 'DHL Ombud', price: 149, weight: 20 },
  { id: 701, shippingProviderId: 7, name: 'Schenker Ombud', price: 79, weight: 3 },
];

export const isShippingOption = (id: number): boolean => shippingTypes.some((pair) => pair.id === id);
export const isShippingProvider = (id: number): boolean => Object.hasOwn(providers, id);
export const isProductOf = (id: number, provider: number): boolean =>
  products.some((product) => product.id === id && product.shippingProviderId === provider);

/** What can be booked from these countries, by weight; only Sweden is known. */
export function shippingOptions(fromCountries: readonly string[]): unknown {
  const shown = fromCountries.length === 0 || fromCountries.includes('SE') ? products : [];
  const weights = [...new Set(shown.map(({ weight }) => weight))].sort((one, two) => one - two);
  return {
    productsPerWeightSpan: weights.map((weight) => ({
      weight,
      products: shown.filter((product) => product.weight === weight).map(productOnWire),
    })),
  };
}

function productOnWire(product: (typeof products)[number]): unknown {
  return {
    ...product,
    vatPercent: 25,
    shippingProvider: providers[product.shippingProviderId] ?? null,
    fromCountry: 'SE',
    toCountry: 'SE',
    weightExceededPenalty: 0,
    dimensionsExceededPenalty: 0,
    displayPenaltyWarning: false,
    deliveryInformation: null,
    packageRequirements: null,
    termsAndConditions: null,
  };
}

export const categoriesOnWire = (categories: readonly Category[] = categoryTree): unknown[] =>
  categories.map(({ id, name, below }) => ({
    id,
    name,
    category: below === undefined ? null : categoriesOnWire(below),
  }));

export const attributesOnWire = (category: Category): unknown[] =>
  attributesOf(category).map(({ id, name, isRequired, terms }) => ({
    id,
    key: name.toLowerCase(),
    name,
    description: null,
    attributeType: 'Term',
    valueFormatting: null,
    minNumberOfValues: isRequired ? 1 : 0,
    maxNumberOfValues: 1,
    possibleTermValues: terms,
  }));
