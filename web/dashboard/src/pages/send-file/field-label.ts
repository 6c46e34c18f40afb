import type { Language } from '../../i18n/languages.ts';

const labels: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  externalId: { sv: 'Artikelns id (krävs)', en: 'Id of the item (required)' },
  title: { sv: 'Titel (krävs)', en: 'Title (required)' },
  price: { sv: 'Pris (krävs)', en: 'Price (required)' },
  description: { sv: 'Beskrivning', en: 'Description' },
  imageUrls: { sv: 'Bilder, åtskilda av |', en: 'Images, separated by |' },
  shippingCost: { sv: 'Frakt', en: 'Shipping cost' },
  weightKg: { sv: 'Vikt i kg', en: 'Weight in kg' },
  quantity: { sv: 'Antal', en: 'Quantity' },
  autoPublishTradera: { sv: 'Publicera: ja eller nej', en: 'Publish: yes or no' },
  refreshImages: { sv: 'Hämta bilderna igen: ja eller nej', en: 'Fetch images again: yes or no' },
  useAiEnhancement: { sv: 'AI-förbättring: ja eller nej', en: 'AI enhancement: yes or no' },
  domain: { sv: 'Kategori', en: 'Category' },
  account: { sv: 'Medlemmens referens', en: 'Reference of the member' },
  currency: { sv: 'Valuta', en: 'Currency' },
};

/** For people; a field that has no word of its own by the name that the API has for it. */
export function fieldLabel(name: string, language: Language): string {
  const image = /^imageUrls\.(\d+)$/.exec(name)?.[1];
  if (image !== undefined) return `${language === 'sv' ? 'Bild' : 'Image'} ${Number(image) + 1}`;
  return labels[name]?.[language] ?? name;
}
