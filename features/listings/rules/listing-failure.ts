import { listingFailedId } from '../../webhooks/rules/event-types.ts';
import { emit } from '../../webhooks/rules/event-data.ts';
import { isUnwanted, isUp, newestListing, type Item } from '../../items/rules/item.ts';
import { theMarketplace, theService } from '../../items/rules/journal.ts';
import { note } from '../../items/rules/note.ts';
import type { Stage, WaitingFor } from '../../items/rules/processing.ts';
import { marketplaceStatusAfter } from '../../items/rules/transitions.ts';
import { backoffMs } from '../../rules/backoff.ts';
import { changeNewestListing } from './publication.ts';

/** Why work on an auction can't go on now. The codes are stable: `data.error` of listing.failed starts with them. */
export type FailureCause =
  | 'MARKETPLACE_NOT_CONNECTED'
  | 'MARKETPLACE_TOKEN_EXPIRED'
  | 'MARKETPLACE_BUDGET_EXHAUSTED'
  | 'MARKETPLACE_TIMEOUT'
  | 'MARKETPLACE_UNSEEN'
  | 'MARKETPLACE_ACTIVE_LIMIT'
  | 'MARKETPLACE_APPLICATION_REFUSED'
  | 'IMAGE_STORE_FAILED'
  | 'TAKEDOWN_REFUSED_BIDS'
  | 'TAKEDOWN_REFUSED'
  | 'AUCTION_OVER'
  | 'PUBLICATION_UNCLEAR'
  | 'DRAFT_FAILS'
  | 'PRICE_REFUSED'
  | 'LISTING_REFUSED';

/** The work that failed. A take-down is never given up. A price that is given up leaves the auction unchanged. */
export type ListingWork = 'publish' | 'price' | 'take-down';

interface FailureRule {
  /** Shown as `processing.waitingFor`; null when the work is given up at once. */
  readonly waitingFor: WaitingFor | null;
  /** Age of the problem at which the partner is told. */
  readonly tellAfterMs: number;
  /** Backoff unless the marketplace asks for a longer pause; doubles from the first to the second figure. */
  readonly retryMs: readonly [first: number, max: number];
  /** It is given up after a day and so many tries, unless something may be up; absent: never. */
  readonly triesMin?: number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * The whole policy in one table. Source: interface-decisions "Events and webhooks", issue text "retried with backoff up to 24 h".
 */
const rules: Readonly<Record<FailureCause, FailureRule>> = {
  // A new connection makes the items due at once; earlier retries would cost each of an account's thousands of items a step.
  MARKETPLACE_NOT_CONNECTED: { waitingFor: 'marketplace_connection', tellAfterMs: 0, retryMs: [day, day] },
  MARKETPLACE_TOKEN_EXPIRED: { waitingFor: 'marketplace_reconnection', tellAfterMs: 0, retryMs: [day, day] },
  MARKETPLACE_BUDGET_EXHAUSTED: { waitingFor: 'marketplace_budget', tellAfterMs: 0, retryMs: [minute, hour] },
  MARKETPLACE_TIMEOUT: {
    waitingFor: 'marketplace',
    tellAfterMs: 5 * minute,
    retryMs: [1_000, 10 * minute],
    triesMin: 50,
  },
  // After a restore: no partner's trouble, and the look at the seller ends it.
  MARKETPLACE_UNSEEN: {
    waitingFor: 'marketplace',
    tellAfterMs: Number.POSITIVE_INFINITY,
    retryMs: [1_000, 10 * minute],
  },
  MARKETPLACE_ACTIVE_LIMIT: { waitingFor: 'marketplace_active_limit', tellAfterMs: 0, retryMs: [10 * minute, hour] },
  // The operator's fault: no partner's publication is given up because of it.
  MARKETPLACE_APPLICATION_REFUSED: { waitingFor: 'operator', tellAfterMs: 5 * minute, retryMs: [minute, 10 * minute] },
  IMAGE_STORE_FAILED: { waitingFor: 'image_store', tellAfterMs: 5 * minute, retryMs: [5_000, 10 * minute] },
  // Bids may be withdrawn, so a refused removal may succeed later. The end of the auction ends the wait.
  TAKEDOWN_REFUSED_BIDS: { waitingFor: 'auction_end', tellAfterMs: 0, retryMs: [hour, 6 * hour] },
  TAKEDOWN_REFUSED: { waitingFor: 'marketplace_take_down', tellAfterMs: 0, retryMs: [10 * minute, 6 * hour] },
  // The auction has ended; the look at the seller tells how.
  AUCTION_OVER: { waitingFor: 'auction_end', tellAfterMs: Number.POSITIVE_INFINITY, retryMs: [minute, 10 * minute] },
  // An auction may be up that the service does not follow, so a person is told at once. Only reading goes on.
  PUBLICATION_UNCLEAR: { waitingFor: 'marketplace_unclear', tellAfterMs: 0, retryMs: [10_000, 10 * minute] },
  // The marketplace fails on this draft alone: a value in it that it can't take.
  DRAFT_FAILS: { waitingFor: 'marketplace', tellAfterMs: 0, retryMs: [10 * minute, 6 * hour], triesMin: 5 },
  PRICE_REFUSED: { waitingFor: null, tellAfterMs: 0, retryMs: [0, 0] },
  LISTING_REFUSED: { waitingFor: null, tellAfterMs: 0, retryMs: [0, 0] },
};

/**
 * A failure of the marketplace itself is retried at least this long, and as often as its rule says. Work that waits for the partner
 * waits without an end.
 */
const retryForMs = 24 * hour;
/** Upper bound of every pause: a longer pause that the marketplace asks for is cut to it. */
const delayMaxMs = 24 * hour;

export interface ListingFailure {
  readonly cause: FailureCause;
  /** Safe to show to the partner. */
  readonly message: string;
  /** Pause that the marketplace asked for; overrides a shorter backoff of the table. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * Makes the work wait visibly or gives it up, and tells the partner once for each cause. A listing that may be up, or that a
 * commit in flight may still put up, is never given up: only the marketplace's own answer that it is not up decides.
 */
export function withFailure(item: Item, met: ListingFailure, { now, work }: { now: Date; work: ListingWork }): Item {
  const mayBeUp = work === 'publish' && isPossiblyUp(item);
  const isUnsure = work === 'publish' && isFollowed(item) && rules[met.cause].waitingFor === null;
  const failure: ListingFailure = isUnsure ? { ...met, cause: 'MARKETPLACE_TIMEOUT' } : met;
  const rule = rules[failure.cause];
  if (rule.waitingFor === null) return giveUp(item, failure, { now, work });
  const { isSameTrouble, since, attempts } = troubleOf(item, failure.cause, now);
  const ageMs = now.getTime() - since.getTime();
  const isTriedEnough = ageMs >= retryForMs && attempts >= (rule.triesMin ?? Number.POSITIVE_INFINITY);
  if (isTriedEnough && !mayBeUp && work !== 'take-down') {
    return giveUp(item, { ...failure, message: `given up after 24 hours: ${failure.message}` }, { now, work });
  }
  const told = ageMs >= rule.tellAfterMs ? tell(item, failure, now) : item;
  return {
    ...(isSameTrouble ? told : noteWaiting(told, failure, { waitingFor: rule.waitingFor, now })),
    processing: {
      stage: stageOf[work],
      waitingFor: rule.waitingFor,
      attempts,
      lastError: `${failure.cause}: ${failure.message}`,
      since,
      notBefore: new Date(now.getTime() + delayMs(rule, failure, attempts)),
      updatedAt: now,
    },
    // A further try with the same problem does not count as a change, because lists by last update would repeat waiting
    // items.
    updatedAt: isSameTrouble ? item.updatedAt : now,
  };
}

/** When the present problem began, and how often it was met. Another problem restarts both. */
function troubleOf({ processing }: Item, cause: FailureCause, now: Date) {
  const isSameTrouble =
    processing.waitingFor === rules[cause].waitingFor && isUnseen(processing.lastError) === isUnseen(cause);
  return {
    isSameTrouble,
    since: isSameTrouble && processing.since !== null ? processing.since : now,
    attempts: isSameTrouble ? processing.attempts + 1 : 1,
  };
}

/** It counts for no failure of the marketplace that comes after it. */
const isUnseen = (error: string | null): boolean => error?.startsWith('MARKETPLACE_UNSEEN') === true;

const stageOf: Readonly<Record<ListingWork, Stage>> = {
  publish: 'publishing',
  price: 'pricing',
  'take-down': 'taking_down',
};

function delayMs(
  { retryMs: [firstMs, maxMs] }: FailureRule,
  { retryAfterMs = 0 }: ListingFailure,
  attempts: number,
): number {
  return Math.min(Math.max(retryAfterMs, backoffMs(attempts, firstMs, maxMs)), delayMaxMs);
}

/**
 * A commit in progress must be followed to its outcome. A refused commit is final, because the request was looked up
 * first.
 */
const isFollowed = (item: Item): boolean => newestListing(item)?.state === 'committing';

function isPossiblyUp(item: Item): boolean {
  const newest = newestListing(item);
  return newest !== undefined && isUp(newest);
}

const noteWaiting = (
  item: Item,
  { cause, message }: ListingFailure,
  { waitingFor, now }: { waitingFor: WaitingFor; now: Date },
): Item =>
  note(item, {
    at: now,
    kind: cause === 'TAKEDOWN_REFUSED_BIDS' ? 'take_down_refused' : 'waiting',
    details: { waitingFor, since: null, nextTryAt: null, lastError: `${cause}: ${message}` },
    actor: theMarketplace,
  });

function giveUp(item: Item, failure: ListingFailure, { now, work }: { now: Date; work: ListingWork }): Item {
  const isRefusal = rules[failure.cause].waitingFor === null;
  const cause = isRefusal ? failure.cause : `${failure.cause}_GIVEN_UP`;
  const { message } = failure;
  // A price that is given up leaves the auction unchanged; the next accepted write tries again.
  const refusedRevision = work === 'price' ? item.revision : 0;
  const told = emitFailure(item, { cause, message, refusedRevision }, now);
  const over = changeNewestListing(told, work === 'price' ? { refusedRevision } : { state: 'failed' });
  return note(
    {
      ...over,
      // An item that was sold by an older auction stays sold.
      marketplaceStatus:
        isUnwanted(item) && item.marketplaceStatus === 'sold'
          ? 'sold'
          : marketplaceStatusAfter('giveUp', item.marketplaceStatus),
      processing: {
        ...item.processing,
        stage: 'given_up',
        waitingFor: null,
        lastError: `${cause}: ${message}`,
        notBefore: null,
        updatedAt: now,
      },
      updatedAt: now,
    },
    { at: now, kind: 'given_up', details: { cause, error: message }, actor: theService },
  );
}

function tell(item: Item, { cause, message }: ListingFailure, now: Date): Item {
  const announced = newestListing(item)?.announcedCauses ?? [];
  if (announced.includes(cause)) return item;
  const told = emitFailure(item, { cause, message, refusedRevision: 0 }, now);
  return changeNewestListing(told, { announcedCauses: [...announced, cause] });
}

/** Emits listing.failed. `cause` is a stable code; `refusedRevision` is 0 unless prices of a live auction were refused. */
export function emitFailure(
  item: Item,
  { cause, message, refusedRevision }: { cause: string; message: string; refusedRevision: number },
  now: Date,
): Item {
  const publication = newestListing(item)?.publication ?? item.wantedPublication;
  return emit(item, {
    eventId: listingFailedId(item.id, { publication, cause, refusedRevision }),
    type: 'listing.failed',
    occurredAt: now,
    platform: 'marketplace',
    extra: { error: `${cause}: ${message}` },
  });
}
