import { defineTexts } from '../../i18n/define-texts.ts';

export const statusTexts = defineTexts({
  sv: {
    service: {
      draft: 'Utkast',
      active: 'Till salu',
      sold: 'Såld',
      not_listed: 'Nedtagen',
      archived: 'Arkiverad',
    },
    marketplace: {
      active: 'Auktion pågår',
      sold: 'Såld',
      ended: 'Avslutad',
      pending_sync: 'Ingen auktion',
      sync_error: 'Fel',
    },
    publishing: 'Publiceras',
    noImages: 'Bilderna misslyckades',
  },
  en: {
    service: {
      draft: 'Draft',
      active: 'For sale',
      sold: 'Sold',
      not_listed: 'Not listed',
      archived: 'Archived',
    },
    marketplace: {
      active: 'Auction live',
      sold: 'Sold',
      ended: 'Ended',
      pending_sync: 'No auction',
      sync_error: 'Error',
    },
    publishing: 'Publishing',
    noImages: 'Images failed',
  },
});
