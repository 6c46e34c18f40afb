import type { Language } from '../i18n/languages.ts';

/** Words for fields of the interface: of an item, a webhook, and the terms of auctions. */
const names: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  title: { sv: 'titel', en: 'title' },
  description: { sv: 'beskrivning', en: 'description' },
  price: { sv: 'pris', en: 'price' },
  shippingCost: { sv: 'frakt', en: 'shipping cost' },
  weightKg: { sv: 'vikt', en: 'weight' },
  currency: { sv: 'valuta', en: 'currency' },
  imageUrls: { sv: 'bilder', en: 'images' },
  domain: { sv: 'kategori och egenskaper', en: 'category and attributes' },
  useAiEnhancement: { sv: 'AI-förbättring', en: 'AI enhancement' },
  listing: { sv: 'auktionsvillkor', en: 'auction terms' },
  quantity: { sv: 'antal', en: 'quantity' },
  refreshImages: { sv: 'bilderna hämtas på nytt', en: 'images are fetched again' },
  url: { sv: 'adress', en: 'URL' },
  eventTypes: { sv: 'händelser', en: 'events' },
  scope: { sv: 'vems händelser', en: 'whose events' },
  active: { sv: 'av eller på', en: 'on or off' },
  autoRecover: { sv: 'automatisk omsändning', en: 'automatic resending' },
  durationDays: { sv: 'längd', en: 'duration' },
  relist: { sv: 'upplagd igen', en: 'relisting' },
  shippingOptions: { sv: 'fraktalternativ', en: 'shipping options' },
  vatPercent: { sv: 'moms', en: 'VAT' },
};

/** `titel, pris`; a field without a word keeps its name. */
export const tellFields = (fields: readonly string[], language: Language): string =>
  fields.map((field) => (Object.hasOwn(names, field) ? names[field]?.[language] : undefined) ?? field).join(', ');
