const swedish = {
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
  order: { pending: 'Väntar på betalning', paid: 'Betald', completed: 'Avslutad', cancelled: 'Makulerad' },
  platform: {
    marketplace: 'Marknadsplatsen',
    service: 'Direkt',
    service_card: 'Direkt, kort',
    service_mobile: 'Direkt, mobil',
  },
  delivery: { success: 'Levererad', failed: 'Misslyckades' },
};

type StateWords = {
  readonly [Kind in keyof typeof swedish]: Readonly<Record<keyof (typeof swedish)[Kind], string>>;
};

/** What pages and files call the states of items, orders and deliveries, by the codes of the interface. */
export const stateWords: Readonly<Record<'sv' | 'en', StateWords>> = {
  sv: swedish,
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
    order: { pending: 'Awaiting payment', paid: 'Paid', completed: 'Completed', cancelled: 'Cancelled' },
    platform: {
      marketplace: 'The marketplace',
      service: 'Direct',
      service_card: 'Direct, card',
      service_mobile: 'Direct, mobile',
    },
    delivery: { success: 'Delivered', failed: 'Failed' },
  },
};
