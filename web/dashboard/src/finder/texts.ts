import { defineTexts } from '../i18n/define-texts.ts';

export const finderTexts = defineTexts({
  sv: {
    title: 'Sök',
    label: 'Sök artiklar, ordrar, webhook-logg och medlemmar',
    hint: 'Skriv ett ord, ett artikel-id, ett order-id eller en medlems namn.',
    none: (typed: string) => `Inget hittades för ”${typed}”.`,
    count: (count: number) => (count === 1 ? '1 träff' : `${count} träffar`),
    searching: 'Söker …',
    keys: 'Välj med pilarna, öppna med Enter',
    groups: { items: 'Artiklar', orders: 'Ordrar', deliveries: 'Webhook-logg', members: 'Medlemmar' },
    delivered: { success: 'Levererad', failed: 'Misslyckad' },
  },
  en: {
    title: 'Search',
    label: 'Search items, orders, webhook log and members',
    hint: 'Type a word, an item id, an order id or a member’s name.',
    none: (typed: string) => `Nothing found for “${typed}”.`,
    count: (count: number) => (count === 1 ? '1 result' : `${count} results`),
    searching: 'Searching…',
    keys: 'Choose with the arrow keys, open with Enter',
    groups: { items: 'Items', orders: 'Orders', deliveries: 'Webhook log', members: 'Members' },
    delivered: { success: 'Delivered', failed: 'Failed' },
  },
});
