import { waits } from '../../items/rules/processing.ts';
import { waitWords } from './wait-words.ts';

/** The role that can end a wait. `nobody`: the wait ends by itself. */
export type Helper = 'partner' | 'operator' | 'nobody';

export interface ReasonText {
  /** A noun phrase: it follows "Waiting for", and heads a row of a table. */
  readonly what: string;
  /** Why this blocks the work. One or two sentences. */
  readonly why: string;
  /** What the operator does. Markdown; one or more sentences. */
  readonly whatToDo: string;
  readonly helper: Helper;
  /** Heading of the runbook in docs/operations.md, as an anchor. */
  readonly runbook: string;
}

/**
 * Every reason for which work is blocked, or came to rest with a problem for an operator, in plain words. Shown by workflows
 * (current details; the keys are the values of `BlockedReason`), by `itembridge ops` and by docs/operations.md.
 */
export const reasonTexts = {
  marketplace_connection: {
    what: waitWords.en.marketplace_connection,
    why: 'The item is to be sold at the marketplace, and its account has none connected.',
    whatToDo:
      'The partner connects one on the dashboard ("Connection") or takes the item off. Nothing is lost meanwhile; once it is connected, all its waiting items go on by themselves.',
    helper: 'partner',
    runbook: 'marketplace-token-expired-or-never-connected',
  },
  marketplace_reconnection: {
    what: waitWords.en.marketplace_reconnection,
    why: 'The marketplace no longer takes the token with which we act for this account.',
    whatToDo:
      'Ask the partner to connect the account again on the dashboard ("Connection"). All its waiting items then go on by themselves, 30 a second over all accounts. A retry before that only fails again.',
    helper: 'partner',
    runbook: 'marketplace-token-expired-or-never-connected',
  },
  marketplace_budget: {
    what: waitWords.en.marketplace_budget,
    why: 'The marketplace allows our application so many calls of one kind a day, over all accounts. Urgent work goes first.',
    whatToDo:
      'Wait: calls come back through the day. If this happens often, have the marketplace raise the limit and set `MARKETPLACE_CALLS_PER_DAY` to it. A retry spends nothing and gains nothing.',
    helper: 'operator',
    runbook: 'marketplace-call-budget-exhausted',
  },
  marketplace: {
    what: waitWords.en.marketplace,
    why: 'The marketplace does not answer, or answers with an error of its own. It is asked again with growing pauses of up to 10 minutes; after 24 hours it is given up, unless the auction may be up already.',
    whatToDo:
      'See whether the marketplace is down for everybody. When it is back, `itembridge ops retry --reason marketplace` has all of them tried at once instead of within 10 minutes.',
    helper: 'nobody',
    runbook: 'marketplace-down-or-timing-out',
  },
  marketplace_unclear: {
    what: waitWords.en.marketplace_unclear,
    why: 'The marketplace was told to put the auction up, and neither its answer, nor the result of the request, nor the auction itself could be read. It may be for sale.',
    whatToDo:
      'Look at the marketplace, under the id in the last error. The service only reads from now on, every 10 minutes at the latest, and goes on by itself when an answer can be read. If answers can be read for no account, the interface has changed: `itembridge marketplace probe`.',
    helper: 'operator',
    runbook: 'it-is-unclear-whether-an-auction-is-up',
  },
  marketplace_active_limit: {
    what: waitWords.en.marketplace_active_limit,
    why: 'The marketplace limits how many auctions one seller has at a time.',
    whatToDo:
      'It goes on when other auctions of the account end; it is tried every 10 to 60 minutes. The partner can ask the marketplace for a higher limit or take other items off.',
    helper: 'partner',
    runbook: 'marketplace-limit-of-active-listings',
  },
  marketplace_take_down: {
    what: waitWords.en.marketplace_take_down,
    why: 'The partner wants the item off, and the marketplace refuses without naming bids as the cause.',
    whatToDo:
      'It is tried again for as long as the auction runs, and the end of the auction ends the wait. Look at the last error; if it is urgent, end the auction at the marketplace by hand.',
    helper: 'operator',
    runbook: 'a-take-down-is-refused',
  },
  operator: {
    what: waitWords.en.operator,
    why: "The marketplace does not accept our application's id and key, so nothing of any account gets through; or it does not permit this call, to the application or to this seller. The last error says which.",
    whatToDo:
      "Check `MARKETPLACE_APP_ID` and `MARKETPLACE_APP_KEY` and the application's standing at the marketplace, start the API and the worker anew with the right ones, then `itembridge ops retry --reason operator`.",
    helper: 'operator',
    runbook: 'the-marketplace-refuses-our-application',
  },
  image_store: {
    what: waitWords.en.image_store,
    why: 'Images were downloaded but could not be stored: a full disk, missing rights, or a store that is away.',
    whatToDo:
      "Look at the worker's log (`image_store.failed`, `step.failed`) and the disk behind `IMAGE_STORE_DIR`, or the bucket; when it works again the items go on within ten minutes, at once by a retry.",
    helper: 'operator',
    runbook: 'the-image-store-fails',
  },
  images: {
    what: waitWords.en.images,
    why: 'Every image of the item failed: not public HTTPS, not found, too large, or no image at all. Without one it is not published.',
    whatToDo:
      'The reason of each image is in `itembridge ops explain`. The partner pushes other URLs, which go on at once; if their server was down and is back, `itembridge ops retry` downloads the same ones again.',
    helper: 'partner',
    runbook: 'images-broken',
  },
  auction_end: {
    what: waitWords.en.auction_end,
    why: 'The auction has bids, so the marketplace does not let it be taken down; or it is over and its outcome was not read yet.',
    whatToDo:
      'Usually nothing: a winner becomes an order, no winner ends the wait. If the auction is over for more than an hour, look whether the feeds are read (connection of the account, call budget).',
    helper: 'nobody',
    runbook: 'bids-block-a-price-or-a-take-down',
  },
  previous_listing: {
    what: waitWords.en.previous_listing,
    why: 'The item was deleted and pushed again; two auctions of one thing must never be up together.',
    whatToDo:
      'Look at what the deleted item waits for (`itembridge ops explain` names it); this one goes on by itself after it.',
    helper: 'nobody',
    runbook: 'bids-block-a-price-or-a-take-down',
  },
  start_time: {
    what: waitWords.en.start_time,
    why: 'The push names a start (`listing.startsAt`) that is still to come. The auction goes up then, by itself.',
    whatToDo: 'Nothing. The partner pushes another start, or none, to have it up earlier.',
    helper: 'nobody',
    runbook: 'an-auction-waits-for-its-start',
  },
  failing_step: {
    what: 'a step that fails again and again',
    why: 'A step of the work ended with an error that is none of the known kinds: a database that is away, a worker that dies on it, or a bug.',
    whatToDo:
      "Open the workflow's history: the last failed activity has the error, and the worker's log has more under its workflow id. It is tried again at least once a minute; no retry is needed once the cause is mended.",
    helper: 'operator',
    runbook: 'a-step-or-a-workflow-task-fails',
  },
  given_up: {
    what: 'somebody to ask for the publication again, because it was given up',
    why: 'The marketplace refused the listing or its change for good, or did not answer for 24 hours. The partner was told by listing.failed.',
    whatToDo:
      'Read the last error. After a refusal the partner changes the item (a push goes on at once); after an outage `itembridge ops retry` publishes it again.',
    helper: 'partner',
    runbook: 'a-publication-was-given-up',
  },
  change_refused: {
    what: 'the bidding to end, because the auction has bids and takes no change',
    why: 'The marketplace changes no price of an auction that has bids. A refused start price went back to the one that the auction shows; reserve and buy-now prices are kept for the next auction.',
    whatToDo: 'Nothing. Tell the partner that buyers have bid; the change can be made when the auction is over.',
    helper: 'nobody',
    runbook: 'bids-block-a-price-or-a-take-down',
  },
  plate_unknown: {
    what: 'a plate that the vehicle registry knows',
    why: 'The item came with a registration plate and nothing else, and the registry has no such plate. It went on without make, model and year.',
    whatToDo:
      'The partner corrects the plate or sends make, model and year; the registry is asked again with that push.',
    helper: 'partner',
    runbook: 'plate-unknown-or-registry-down',
  },
  registry_silent: {
    what: 'an answer of the vehicle registry',
    why: 'The registry did not answer when it was asked for the plate. The item went on without make, model and year.',
    whatToDo:
      'When the registry is back, `itembridge ops retry --reason registry_silent` asks again; so does any push of the item that changes something.',
    helper: 'operator',
    runbook: 'plate-unknown-or-registry-down',
  },
  text_model_silent: {
    what: 'an answer of the language model',
    why: 'No model improved title and description: it was away, too slow, or its budget was used up. The item went on with the words it came with.',
    whatToDo:
      'When the model is back, `itembridge ops retry --reason text_model_silent` asks again; so does any push of the item that changes something.',
    helper: 'operator',
    runbook: 'ai-down',
  },
  receiver: {
    what: 'the webhook receiver to take the event',
    why: 'The receiver does not answer with success. Each event gets five attempts; while several are between two attempts, later events wait untried in the queue.',
    whatToDo:
      'Tell the partner which error the receiver gives. When one gets through, the queue flows by itself. What was given up is kept for 30 days: `itembridge ops retry --delivery ID` sends one again, a recovery of the endpoint all that it missed.',
    helper: 'partner',
    runbook: 'webhook-receiver-dead-or-slow',
  },
  endpoint_disabled: {
    what: 'its owner to enable the webhook endpoint, which was disabled',
    why: 'The endpoint was disabled, by its owner or after 15 deliveries in a row were given up. Events for it are kept for 30 days as missed.',
    whatToDo:
      'Tell the partner the last error. When the receiver works again, the partner enables the endpoint on the dashboard or with `active: true` and has a recovery send what it missed.',
    helper: 'partner',
    runbook: 'webhook-receiver-dead-or-slow',
  },
  events_missed: {
    what: 'a recovery of the webhook endpoint, which has missed events',
    why: 'The receiver answers again, and events that were given up while it did not have not been sent again.',
    whatToDo:
      'The partner has a recovery send them (dashboard, or `POST /integration/webhooks/{id}/recover`), or does without them: after 30 days they are gone.',
    helper: 'partner',
    runbook: 'webhook-receiver-dead-or-slow',
  },
  receiver_slow: {
    what: 'a place in the queue before a slow webhook receiver',
    why: 'As many calls as this receiver gets at once are under way, it answers slowly, and its queue grows. No attempt is counted for those that wait.',
    whatToDo:
      'Tell the partner that the receiver is slow: it should answer before it does its work. Other receivers are not held up by it.',
    helper: 'partner',
    runbook: 'webhook-receiver-dead-or-slow',
  },
} as const satisfies Readonly<Record<string, ReasonText>>;

export type BlockedReason = keyof typeof reasonTexts;

const byReason: ReadonlyMap<string, ReasonText> = new Map(Object.entries(reasonTexts));

export const blockedReasons: readonly string[] = [...byReason.keys()];

/** Reasons with which an item came to rest: it owes nothing, and something about it failed. */
export const restingReasons = [
  'images',
  'given_up',
  'change_refused',
  'plate_unknown',
  'registry_silent',
  'text_model_silent',
] as const satisfies readonly BlockedReason[];

/** Why an item is in the list of those with a problem: it waits, or came to rest so. A chosen start is no problem. */
export const itemProblems = [...waits.filter((wait) => wait !== 'start_time' && wait !== 'images'), ...restingReasons];
export type ItemProblem = (typeof itemProblems)[number];

/** Reasons of webhook receivers: their rows have them, and no item's. */
export const receiverReasons: readonly string[] = [
  'receiver',
  'receiver_slow',
  'endpoint_disabled',
  'events_missed',
] satisfies readonly BlockedReason[];

/** Reasons that the engine must be asked for: the step may have failed before it could write anything. */
export const engineReasons: readonly string[] = ['failing_step', 'image_store'] satisfies readonly BlockedReason[];

/**
 * Whether items with this reason belong in a list of stuck work. A start that the partner has chosen does not, because
 * it would hide the rest.
 */
export const isTrouble = (reason: string): boolean => reason !== 'start_time';

/** The text of a reason. A reason that only a newer version knows gets its name as text. */
export const textOfReason = (reason: string): ReasonText =>
  byReason.get(reason) ?? {
    what: reason.replaceAll('_', ' '),
    why: 'This version has no words for it.',
    whatToDo: 'See docs/operations.md.',
    helper: 'operator',
    runbook: 'find-what-is-stuck',
  };
