import { defineTexts } from '../../i18n/define-texts.ts';

const articles = (count: string): string => (count === '1' ? 'artikeln' : `${count} artiklar`);
const items = (count: string): string => (count === '1' ? 'the item' : `${count} items`);

/** Texts of actions on several items. */
export const bulkTexts = defineTexts({
  sv: {
    externalId: 'Artikel-id',
    publish: 'Publicera',
    publishTitle: (count: string) => `Publicera ${articles(count)}?`,
    publishBody: 'Varje artikel läggs upp på marknadsplatsen. De som redan är uppe eller sålda ändras inte.',
    takeDown: 'Ta ned',
    takeDownTitle: (count: string) => `Ta ned ${articles(count)}?`,
    takeDownBody: 'Auktionerna avslutas på marknadsplatsen. Artiklarna finns kvar här och kan publiceras igen.',
    retry: 'Försök igen',
    retryTitle: (count: string) => `Försöka igen med ${articles(count)}?`,
    retryBody: 'Ett nytt försök görs direkt med det som har misslyckats eller väntar. Övriga artiklar ändras inte.',
  },
  en: {
    externalId: 'Item id',
    publish: 'Publish',
    publishTitle: (count: string) => `Publish ${items(count)}?`,
    publishBody: 'Each item is listed on the marketplace. Items already listed or sold don’t change.',
    takeDown: 'Take down',
    takeDownTitle: (count: string) => `Take down ${items(count)}?`,
    takeDownBody: 'The auctions end on the marketplace. The items stay here and can be published again.',
    retry: 'Try again',
    retryTitle: (count: string) => `Retry ${items(count)}?`,
    retryBody: 'Anything that has failed or is waiting is retried right away. Other items don’t change.',
  },
});
