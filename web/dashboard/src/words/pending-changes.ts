import type { Language } from '../i18n/languages.ts';

/** Names of the fields that `pendingChanges` of an item can have. */
const names: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  title: { sv: 'titel', en: 'title' },
  description: { sv: 'beskrivning', en: 'description' },
  imageUrls: { sv: 'bilder', en: 'images' },
  shippingCost: { sv: 'frakt', en: 'shipping cost' },
  weightKg: { sv: 'vikt', en: 'weight' },
  domain: { sv: 'kategori', en: 'category' },
  useAiEnhancement: { sv: 'AI-förbättring', en: 'AI enhancement' },
  'listing.durationDays': { sv: 'längd', en: 'duration' },
  'listing.startsAt': { sv: 'start', en: 'start' },
  'listing.endsAt': { sv: 'sluttid', en: 'end' },
  'listing.shippingOptions': { sv: 'fraktsätt', en: 'shipping options' },
  'listing.vatPercent': { sv: 'moms', en: 'VAT' },
  'listing.categoryId': { sv: 'marknadsplatsens kategori', en: 'marketplace category' },
  'listing.reservePrice': { sv: 'reservationspris', en: 'reserve price' },
  'listing.buyNowPrice': { sv: 'köp nu-pris', en: 'buy-now price' },
};

/** For people; a field without a name keeps that of the interface. */
export const pendingName = (field: string, language: Language): string => names[field]?.[language] ?? field;
