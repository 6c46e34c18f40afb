import { defineTexts } from '../../i18n/define-texts.ts';

/** What is done to several items at once. */
export const bulkTexts = defineTexts({
  sv: {
    externalId: 'Artikelnummer',
    publish: 'Publicera',
    publishTitle: (count: string) => `Publicera ${count} artiklar?`,
    publishBody: 'Varje artikel läggs ut på marknadsplatsen. De som redan ligger ute eller är sålda ändras inte.',
    takeDown: 'Ta ned',
    takeDownTitle: (count: string) => `Ta ned ${count} artiklar?`,
    takeDownBody: 'Auktionerna avslutas på marknadsplatsen. Artiklarna finns kvar här och kan publiceras igen.',
    retry: 'Försök igen',
    retryTitle: (count: string) => `Försöka igen med ${count} artiklar?`,
    retryBody: 'Det som misslyckades eller väntar görs om på en gång. Artiklar där inget har misslyckats ändras inte.',
  },
  en: {
    externalId: 'External id',
    publish: 'Publish',
    publishTitle: (count: string) => `Publish ${count} items?`,
    publishBody: 'Each item is put up on the marketplace. Items that are already up or sold are left as they are.',
    takeDown: 'Take down',
    takeDownTitle: (count: string) => `Take down ${count} items?`,
    takeDownBody: 'Their auctions end on the marketplace. The items stay here and can be published again.',
    retry: 'Try again',
    retryTitle: (count: string) => `Try again with ${count} items?`,
    retryBody: 'Whatever failed or waits is tried again at once. Items where nothing failed are left as they are.',
  },
});
