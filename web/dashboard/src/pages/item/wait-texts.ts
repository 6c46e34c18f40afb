import type { ItemProblem } from '../../../../../client/generated/types.gen.ts';
import { defineTexts } from '../../i18n/define-texts.ts';

interface Wait {
  /** What the item waits for, as a sentence. */
  readonly what: string;
  /** What ends it, or what to do. */
  readonly help: string;
}

interface WaitWords {
  /** By `processing.waitingFor`. */
  readonly waits: Readonly<Record<string, Wait>>;
  /** By `problem`: what to do when the item went ahead without something. */
  readonly rests: Readonly<Partial<Record<ItemProblem, string>>>;
  /** For reasons that this page does not know. */
  readonly other: Wait;
  readonly since: string;
  readonly nextTry: string;
  readonly attempts: (count: string) => string;
  readonly lastProblem: string;
  readonly failed: string;
  readonly refused: string;
  readonly working: string;
  readonly toConnection: string;
}

export const waitTexts = defineTexts<WaitWords>({
  sv: {
    waits: {
      marketplace_connection: {
        what: 'Väntar på att ett konto på marknadsplatsen ansluts.',
        help: 'Anslut kontot, så fortsätter allt automatiskt.',
      },
      marketplace_reconnection: {
        what: 'Väntar på att kontot på marknadsplatsen ansluts på nytt.',
        help: 'Behörigheten har gått ut eller återkallats. Anslut igen, så fortsätter allt automatiskt.',
      },
      marketplace_budget: {
        what: 'Dagens kvot hos marknadsplatsen är slut.',
        help: 'Du behöver inte göra något. Det fortsätter automatiskt när kvoten fylls på.',
      },
      marketplace: {
        what: 'Väntar på att marknadsplatsen svarar.',
        help: 'Vi försöker igen automatiskt, med allt längre mellanrum.',
      },
      marketplace_unclear: {
        what: 'Marknadsplatsen säger inte om auktionen ligger uppe.',
        help: 'Titta på marknadsplatsen. Vi läser av den igen, men lägger inte upp något nytt förrän det är klart.',
      },
      marketplace_active_limit: {
        what: 'Kontot har nått gränsen för antal aktiva annonser på marknadsplatsen.',
        help: 'Ta ned en annan annons, eller be marknadsplatsen höja gränsen.',
      },
      marketplace_take_down: {
        what: 'Väntar på att marknadsplatsen tar ned auktionen.',
        help: 'En auktion med bud kan inte alltid avslutas. Vi försöker igen.',
      },
      operator: {
        what: 'Fel hos oss: marknadsplatsen nekar tjänstens behörighet.',
        help: 'Du behöver inte göra något. Artikeln fortsätter automatiskt när felet är åtgärdat.',
      },
      image_store: {
        what: 'Fel hos oss: bilderna kan inte lagras just nu.',
        help: 'Du behöver inte göra något. Vi försöker igen automatiskt.',
      },
      images: {
        what: 'Ingen av bilderna kunde användas.',
        help: 'Skicka artikeln med andra bildadresser, eller försök igen med samma.',
      },
      auction_end: {
        what: 'Väntar på att auktionen tar slut.',
        help: 'Det finns bud, så ändringen görs när auktionen är slut.',
      },
      previous_listing: {
        what: 'Väntar på att auktionen för den borttagna artikeln med samma id tas ned.',
        help: 'Du behöver inte göra något.',
      },
      start_time: {
        what: 'Väntar på auktionens starttid.',
        help: 'Den läggs upp automatiskt då. Skicka artikeln med en annan starttid, eller utan, för att ändra det.',
      },
    },
    rests: {
      registry_silent: 'Artikeln gick vidare utan fordonsuppgifter. Försök igen, så frågas registret på nytt.',
      plate_unknown: 'Artikeln gick vidare utan fordonsuppgifter. Kontrollera numret och skicka artikeln igen.',
      text_model_silent: 'Artikeln visas med din egen text. Försök igen, så frågas AI-tjänsten på nytt.',
    },
    other: { what: 'Artikeln väntar.', help: 'Vi försöker igen automatiskt.' },
    since: 'Sedan',
    nextTry: 'Nästa försök',
    attempts: (count) => `${count} försök hittills`,
    lastProblem: 'Senaste problem:',
    failed: 'Publiceringen misslyckades',
    refused: 'Senaste försöket misslyckades',
    working: 'Bearbetas …',
    toConnection: 'Visa anslutningen',
  },
  en: {
    waits: {
      marketplace_connection: {
        what: 'Waiting for a marketplace account to be connected.',
        help: 'Connect the account and everything continues automatically.',
      },
      marketplace_reconnection: {
        what: 'Waiting for the marketplace account to be reconnected.',
        help: 'The permission has expired or was withdrawn. Reconnect and everything continues automatically.',
      },
      marketplace_budget: {
        what: 'Today’s marketplace quota is used up.',
        help: 'No action needed. It continues automatically when the quota resets.',
      },
      marketplace: {
        what: 'Waiting for the marketplace to respond.',
        help: 'We retry automatically, at increasing intervals.',
      },
      marketplace_unclear: {
        what: 'The marketplace doesn’t say whether the auction is up.',
        help: 'Look at the marketplace. We keep checking, and list nothing else until it is clear.',
      },
      marketplace_active_limit: {
        what: 'The account has reached the marketplace’s limit for active listings.',
        help: 'Take down another listing, or ask the marketplace to raise the limit.',
      },
      marketplace_take_down: {
        what: 'Waiting for the marketplace to take the auction down.',
        help: 'An auction with bids can’t always be ended. We’ll keep retrying.',
      },
      operator: {
        what: 'Problem on our side: the marketplace is refusing the service’s access.',
        help: 'No action needed. The item continues automatically once this is fixed.',
      },
      image_store: {
        what: 'Problem on our side: images can’t be stored right now.',
        help: 'No action needed. We’ll retry automatically.',
      },
      images: {
        what: 'None of the images could be used.',
        help: 'Send the item with other image addresses, or retry with the same ones.',
      },
      auction_end: {
        what: 'Waiting for the auction to end.',
        help: 'There are bids, so the change is made when the auction has ended.',
      },
      previous_listing: {
        what: 'Waiting for the auction of the deleted item with the same id to be taken down.',
        help: 'No action needed.',
      },
      start_time: {
        what: 'Waiting for the auction’s start time.',
        help: 'It will be listed automatically then. To change that, send the item with another start time, or none.',
      },
    },
    rests: {
      registry_silent: 'The item went ahead without vehicle details. Retry to ask the registry again.',
      plate_unknown: 'The item went ahead without vehicle details. Check the number and send the item again.',
      text_model_silent: 'The item is shown with your own text. Retry to ask the AI service again.',
    },
    other: { what: 'The item is waiting.', help: 'We’ll retry automatically.' },
    since: 'Since',
    nextTry: 'Next attempt',
    attempts: (count) => `${count} attempts so far`,
    lastProblem: 'Last problem:',
    failed: 'Publishing failed',
    refused: 'The last attempt failed',
    working: 'Processing…',
    toConnection: 'View the connection',
  },
});
