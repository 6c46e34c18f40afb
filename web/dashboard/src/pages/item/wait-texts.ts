import { defineTexts } from '../../i18n/define-texts.ts';

interface Wait {
  /** What it waits for, as a sentence. */
  readonly what: string;
  /** What ends it, or what to do. */
  readonly help: string;
}

interface WaitWords {
  /** By `processing.waitingFor`. */
  readonly waits: Readonly<Record<string, Wait>>;
  /** For a reason that this page doesn't know (yet). */
  readonly other: (reason: string) => Wait;
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
        help: 'Anslut kontot, så fortsätter arbetet av sig självt.',
      },
      marketplace_reconnection: {
        what: 'Väntar på att kontot på marknadsplatsen ansluts på nytt.',
        help: 'Behörigheten har gått ut eller återkallats. Anslut igen, så fortsätter arbetet av sig självt.',
      },
      marketplace_budget: {
        what: 'Väntar på nya anrop till marknadsplatsen; dagens antal är förbrukat.',
        help: 'Inget behöver göras: det fortsätter när nya anrop finns.',
      },
      marketplace: {
        what: 'Väntar på att marknadsplatsen svarar.',
        help: 'Tjänsten försöker igen av sig själv, med allt längre mellanrum.',
      },
      marketplace_active_limit: {
        what: 'Väntar på plats på marknadsplatsen, som inte tillåter fler aktiva annonser för kontot.',
        help: 'Ta ned någon annan annons, eller höj gränsen hos marknadsplatsen.',
      },
      marketplace_take_down: {
        what: 'Väntar på att marknadsplatsen tar ned auktionen.',
        help: 'En auktion med bud kan inte alltid avslutas; tjänsten försöker igen.',
      },
      operator: {
        what: 'Väntar på tjänstens driftansvariga, vars behörighet marknadsplatsen nekar.',
        help: 'De är underrättade; inget behöver göras här.',
      },
      image_store: {
        what: 'Väntar på tjänstens bildlager.',
        help: 'Tjänsten försöker igen av sig själv.',
      },
      images: {
        what: 'Väntar på andra bilder: ingen av dem som skickades kunde hämtas.',
        help: 'Skicka artikeln med andra bildadresser, eller försök igen med samma.',
      },
      auction_end: {
        what: 'Väntar på att auktionen tar slut.',
        help: 'Det finns bud, så ändringen görs först därefter.',
      },
      previous_listing: {
        what: 'Väntar på att auktionen för den borttagna artikeln med samma external_id tas ned.',
        help: 'Inget behöver göras.',
      },
      start_time: {
        what: 'Väntar på tiden då auktionen får börja.',
        help: 'Då läggs den upp av sig själv. Skicka artikeln med en annan start, eller utan, för att ändra det.',
      },
    },
    other: (reason) => ({
      what: `Väntar på ${reason.replaceAll('_', ' ')}.`,
      help: 'Tjänsten försöker igen av sig själv.',
    }),
    since: 'Sedan',
    nextTry: 'Nästa försök',
    attempts: (count) => `${count} försök hittills`,
    lastProblem: 'Senaste problem:',
    failed: 'Publiceringen gavs upp',
    refused: 'Senaste försöket gick inte',
    working: 'Arbete pågår …',
    toConnection: 'Till anslutningen',
  },
  en: {
    waits: {
      marketplace_connection: {
        what: 'Waiting for a marketplace account to be connected.',
        help: 'Connect the account, and work goes on by itself.',
      },
      marketplace_reconnection: {
        what: 'Waiting for the marketplace account to be reconnected.',
        help: 'The permission has run out or was withdrawn. Connect again, and work goes on by itself.',
      },
      marketplace_budget: {
        what: 'Waiting for new calls to the marketplace; today’s number is used up.',
        help: 'Nothing to do: it goes on when there are new ones.',
      },
      marketplace: {
        what: 'Waiting for the marketplace to answer.',
        help: 'The service tries again by itself, at growing intervals.',
      },
      marketplace_active_limit: {
        what: 'Waiting for room on the marketplace, which allows no more active listings of this account.',
        help: 'Take another listing down, or have the marketplace raise the limit.',
      },
      marketplace_take_down: {
        what: 'Waiting for the marketplace to take the auction down.',
        help: 'An auction with bids can’t always be ended; the service tries again.',
      },
      operator: {
        what: 'Waiting for the service’s operator, whose access the marketplace refuses.',
        help: 'They have been told; there is nothing to do here.',
      },
      image_store: {
        what: 'Waiting for the service’s image store.',
        help: 'The service tries again by itself.',
      },
      images: {
        what: 'Waiting for other images: none of those that were pushed could be fetched.',
        help: 'Push the item with other image addresses, or try the same ones again.',
      },
      auction_end: {
        what: 'Waiting for the auction to end.',
        help: 'There are bids, so the change is made after that.',
      },
      previous_listing: {
        what: 'Waiting for the auction of the deleted item with the same external_id to come down.',
        help: 'Nothing to do.',
      },
      start_time: {
        what: 'Waiting for the time at which the auction may begin.',
        help: 'It goes up by itself then. Push the item with another start, or none, to change that.',
      },
    },
    other: (reason) => ({
      what: `Waiting for ${reason.replaceAll('_', ' ')}.`,
      help: 'The service tries again by itself.',
    }),
    since: 'Since',
    nextTry: 'Next try',
    attempts: (count) => `${count} tries so far`,
    lastProblem: 'Last problem:',
    failed: 'The publication was given up',
    refused: 'The last try did not go well',
    working: 'Work is under way…',
    toConnection: 'To the connection',
  },
});
