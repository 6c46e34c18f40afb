import type { ItemProblem, WaitingFor } from '../../../../client/generated/types.gen.ts';
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

/** What ends a problem or a wait, or what to do about it: of one item or of several. */
export const problemHelpTexts = defineTexts<Readonly<Record<ItemProblem | WaitingFor, string>>>({
  sv: {
    given_up: 'Öppna artikeln för att se vad som gick fel och försöka igen.',
    images: 'Skicka andra bildadresser, eller försök igen med samma.',
    plate_unknown: 'Märke, modell och år saknas. Rätta numret, eller skicka uppgifterna.',
    marketplace_active_limit: 'Ta ned en annan annons, eller be marknadsplatsen höja gränsen.',
    marketplace_connection: 'Anslut kontot, så fortsätter allt automatiskt.',
    marketplace_reconnection:
      'Behörigheten har gått ut eller återkallats. Anslut igen, så fortsätter allt automatiskt.',
    marketplace: 'Vi försöker igen automatiskt, med allt längre mellanrum.',
    marketplace_unclear:
      'Titta på marknadsplatsen. Vi läser av den igen, men lägger inte upp något nytt förrän det är klart.',
    marketplace_take_down: 'En auktion med bud kan inte alltid avslutas. Vi försöker igen.',
    marketplace_budget: 'Du behöver inte göra något. Det fortsätter automatiskt när kvoten fylls på.',
    registry_silent: 'Märke, modell och år saknas. Försök igen, så frågas registret på nytt.',
    text_model_silent: 'Texten är kvar som den skickades. Försök igen, så frågas AI-tjänsten på nytt.',
    change_refused: 'Priset eller texten ändras inte så länge auktionen pågår.',
    auction_end: 'Det finns bud, så ändringen görs när auktionen är slut.',
    previous_listing: 'Du behöver inte göra något.',
    operator: 'Du behöver inte göra något. Det fortsätter automatiskt när felet är åtgärdat.',
    image_store: 'Du behöver inte göra något. Vi försöker igen automatiskt.',
    start_time: 'Den läggs upp automatiskt då. Skicka artikeln med en annan starttid, eller utan, för att ändra det.',
  },
  en: {
    given_up: 'Open the item to see what went wrong and retry.',
    images: 'Send other image addresses, or retry with the same ones.',
    plate_unknown: 'Make, model and year are missing. Correct the plate, or send them.',
    marketplace_active_limit: 'Take down another listing, or ask the marketplace to raise the limit.',
    marketplace_connection: 'Connect the account and everything continues automatically.',
    marketplace_reconnection:
      'The permission has expired or was withdrawn. Reconnect and everything continues automatically.',
    marketplace: 'We retry automatically, at increasing intervals.',
    marketplace_unclear: 'Look at the marketplace. We keep checking, and list nothing else until it is clear.',
    marketplace_take_down: 'An auction with bids can’t always be ended. We’ll keep retrying.',
    marketplace_budget: 'No action needed. It continues automatically when the quota resets.',
    registry_silent: 'Make, model and year are missing. Retry to ask the registry again.',
    text_model_silent: 'The text stays as it was sent. Retry to ask the AI service again.',
    change_refused: 'The price or text stays as it is while the auction runs.',
    auction_end: 'There are bids, so the change is made when the auction has ended.',
    previous_listing: 'No action needed.',
    operator: 'No action needed. It continues automatically once this is fixed.',
    image_store: 'No action needed. We’ll retry automatically.',
    start_time: 'It will be listed automatically then. To change that, send the item with another start time, or none.',
  },
});
