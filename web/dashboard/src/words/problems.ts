import type { ItemProblem } from '../../../../client/generated/types.gen.ts';
import { defineTexts } from '../i18n/define-texts.ts';

/** What is wrong with an item, in a few words. A new problem does not compile without them. */
export const problemTexts = defineTexts<Readonly<Record<ItemProblem, string>>>({
  sv: {
    given_up: 'Publiceringen misslyckades',
    images: 'Bilderna misslyckades',
    plate_unknown: 'Okänt registreringsnummer',
    marketplace_active_limit: 'För många aktiva annonser',
    marketplace_connection: 'Marknadsplatsen är inte ansluten',
    marketplace_reconnection: 'Anslutningen har gått ut',
    marketplace: 'Marknadsplatsen svarar inte',
    marketplace_unclear: 'Oklart om auktionen ligger uppe',
    marketplace_take_down: 'Auktionen kan inte tas ned',
    marketplace_budget: 'Dagens kvot är slut',
    registry_silent: 'Fordonsregistret svarade inte',
    text_model_silent: 'AI-tjänsten svarade inte',
    change_refused: 'Ändringen nekades: det finns bud',
    auction_end: 'Väntar på att auktionen tar slut',
    previous_listing: 'Väntar på en tidigare auktion',
    operator: 'Fel hos oss: behörigheten nekas',
    image_store: 'Fel hos oss: bilder kan inte lagras',
  },
  en: {
    given_up: 'Publishing failed',
    images: 'Images failed',
    plate_unknown: 'Unknown registration plate',
    marketplace_active_limit: 'Too many active listings',
    marketplace_connection: 'Marketplace not connected',
    marketplace_reconnection: 'Connection expired',
    marketplace: 'Marketplace not responding',
    marketplace_unclear: 'Unclear whether the auction is up',
    marketplace_take_down: 'Auction can’t be taken down',
    marketplace_budget: 'Daily quota used up',
    registry_silent: 'Vehicle registry didn’t respond',
    text_model_silent: 'AI service didn’t respond',
    change_refused: 'Change refused: there are bids',
    auction_end: 'Waiting for the auction to end',
    previous_listing: 'Waiting for an earlier auction',
    operator: 'Problem on our side: access refused',
    image_store: 'Problem on our side: images can’t be stored',
  },
});

/** All problems, in the order of the filter. */
export const itemProblems = Object.keys(problemTexts.sv).filter((key): key is ItemProblem => key in problemTexts.sv);
