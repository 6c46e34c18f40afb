import type { WaitingFor } from '../../items/rules/processing.ts';

/** What an item waits for, for partners and operators: it follows "Waiting for". */
export const waitWords: Readonly<Record<'sv' | 'en', Readonly<Record<WaitingFor, string>>>> = {
  sv: {
    marketplace_connection: 'att ett konto på marknadsplatsen ansluts',
    marketplace_reconnection: 'att kontot på marknadsplatsen ansluts på nytt',
    marketplace_budget: 'att dagens kvot hos marknadsplatsen fylls på',
    marketplace: 'att marknadsplatsen svarar',
    marketplace_unclear: 'att marknadsplatsen säger om auktionen ligger uppe',
    marketplace_active_limit: 'plats för fler aktiva annonser på marknadsplatsen',
    marketplace_take_down: 'att marknadsplatsen tar ned auktionen',
    operator: 'att ett fel hos oss åtgärdas: marknadsplatsen nekar tjänstens behörighet',
    image_store: 'att ett fel hos oss åtgärdas: bilderna kan inte lagras',
    images: 'nya bilder: ingen av bilderna kunde användas',
    auction_end: 'att auktionen tar slut',
    previous_listing: 'att auktionen för den borttagna artikeln med samma id tas ned',
    start_time: 'auktionens starttid',
  },
  en: {
    marketplace_connection: 'a marketplace account to be connected',
    marketplace_reconnection: 'the marketplace account to be reconnected',
    marketplace_budget: 'today’s marketplace quota to reset',
    marketplace: 'the marketplace to respond',
    marketplace_unclear: 'the marketplace to say whether the auction is up',
    marketplace_active_limit: 'room for more active listings on the marketplace',
    marketplace_take_down: 'the marketplace to take down the auction',
    operator: 'a problem on our side to be fixed: the marketplace is refusing the service’s access',
    image_store: 'a problem on our side to be fixed: images can’t be stored',
    images: 'new images: none of the images could be used',
    auction_end: 'the auction to end',
    previous_listing: 'the auction of the deleted item with the same id to be taken down',
    start_time: 'the auction’s start time',
  },
};
