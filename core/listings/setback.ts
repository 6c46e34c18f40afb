import { listingFailedId } from '../events/event-id.ts';
import { emit } from '../events/outbox.ts';
import { newestListing, type Item } from '../items/item.ts';
import { changeNewestListing } from './publication.ts';

/** Why a publication can't go on now. The codes are stable: `data.error` of listing.failed starts with them. */
export type SetbackCause =
  | 'MARKETPLACE_NOT_CONNECTED'
  | 'MARKETPLACE_TOKEN_EXPIRED'
  | 'MARKETPLACE_BUDGET_EXHAUSTED'
  | 'MARKETPLACE_TIMEOUT'
  | 'MARKETPLACE_ACTIVE_LIMIT'
  | 'MARKETPLACE_APPLICATION_REFUSED'
  | 'IMAGE_STORE_FAILED'
  | 'LISTING_REFUSED';

interface SetbackRule {
  /** Shown as `processing.waitingFor`; null: given up at once. */
  readonly waitingFor: string | null;
  /** The partner is told when the trouble is this old. */
  readonly tellAfterMs: number;
  /** When nothing else says when to try again; grows by doubling from the first to the second figure. */
  readonly retryMs: readonly [first: number, max: number];
}

const minute = 60_000;
const hour = 60 * minute;

/** The whole policy as one table. Source: decisions "Events and webhooks", issue text "retried with backoff up to 24 h". */
const rules: Readonly<Record<SetbackCause, SetbackRule>> = {
  MARKETPLACE_NOT_CONNECTED: { waitingFor: 'marketplace_connection', tellAfterMs: 0, retryMs: [hour, hour] },
  MARKETPLACE_TOKEN_EXPIRED: { waitingFor: 'marketplace_reconnection', tellAfterMs: 0, retryMs: [hour, hour] },
  MARKETPLACE_BUDGET_EXHAUSTED: { waitingFor: 'marketplace_budget', tellAfterMs: 0, retryMs: [minute, hour] },
  MARKETPLACE_TIMEOUT: { waitingFor: 'marketplace', tellAfterMs: 5 * minute, retryMs: [1_000, 10 * minute] },
  MARKETPLACE_ACTIVE_LIMIT: { waitingFor: 'marketplace_active_limit', tellAfterMs: 0, retryMs: [10 * minute, hour] },
  // Ours to mend: no partner's publication is given up for it.
  MARKETPLACE_APPLICATION_REFUSED: { waitingFor: 'operator', tellAfterMs: 5 * minute, retryMs: [minute, 10 * minute] },
  IMAGE_STORE_FAILED: { waitingFor: 'image_store', tellAfterMs: 5 * minute, retryMs: [5_000, 10 * minute] },
  LISTING_REFUSED: { waitingFor: null, tellAfterMs: 0, retryMs: [0, 0] },
};

/** Trouble of the marketplace's own is tried for this long, and this often; what somebody must mend waits without an end. */
const retryForMs = 24 * hour;
const retriesMin = 50;
/** Nobody is believed who says "come back later than that". */
const delayMaxMs = 24 * hour;

export interface Setback {
  readonly cause: SetbackCause;
  /** Safe to show to the partner. */
  readonly message: string;
  /** What the marketplace said; overrides the table's backoff. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * Makes the publication wait, visibly, or gives it up; tells the partner once for each cause. What may be up already
 * (`committing`) is never given up: only the marketplace's own word that it is not up takes it out of that state.
 */
export function setBack(item: Item, met: Setback, now: Date): Item {
  const isUnsure = mayBeUp(item) && rules[met.cause].waitingFor === null;
  const setback: Setback = isUnsure ? { ...met, cause: 'MARKETPLACE_TIMEOUT' } : met;
  const rule = rules[setback.cause];
  const isSameTrouble = item.processing.waitingFor === rule.waitingFor;
  const since = isSameTrouble && item.processing.since !== null ? item.processing.since : now;
  const ageMs = now.getTime() - since.getTime();
  if (rule.waitingFor === null) return giveUp(item, setback, now);
  const attempts = isSameTrouble ? item.processing.attempts + 1 : 1;
  const isTriedEnough = ageMs >= retryForMs && attempts >= retriesMin && !mayBeUp(item);
  if (setback.cause === 'MARKETPLACE_TIMEOUT' && isTriedEnough) {
    return giveUp(item, { ...setback, message: `given up after 24 hours: ${setback.message}` }, now);
  }
  const [firstMs, maxMs] = rule.retryMs;
  const ownDelayMs = Math.min(firstMs * 2 ** Math.min(attempts - 1, 20), maxMs);
  const delayMs = Math.min(Math.max(setback.retryAfterMs ?? 0, ownDelayMs), delayMaxMs);
  const told = ageMs >= rule.tellAfterMs ? tell(item, setback, now) : item;
  return {
    ...told,
    processing: {
      stage: 'publishing',
      waitingFor: rule.waitingFor,
      attempts,
      lastError: `${setback.cause}: ${setback.message}`,
      since,
      notBefore: new Date(now.getTime() + delayMs),
      updatedAt: now,
    },
    updatedAt: now,
  };
}

const mayBeUp = (item: Item): boolean => newestListing(item)?.state === 'committing';

function giveUp(item: Item, setback: Setback, now: Date): Item {
  const cause = setback.cause === 'LISTING_REFUSED' ? setback.cause : `${setback.cause}_GIVEN_UP`;
  const told = emitFailure(item, { cause, message: setback.message }, now);
  return {
    ...changeNewestListing(told, { state: 'failed' }),
    marketplaceStatus: 'sync_error',
    processing: {
      ...item.processing,
      stage: 'given_up',
      waitingFor: null,
      lastError: `${cause}: ${setback.message}`,
      notBefore: null,
      updatedAt: now,
    },
    updatedAt: now,
  };
}

function tell(item: Item, setback: Setback, now: Date): Item {
  const announced = newestListing(item)?.announcedCauses ?? [];
  if (announced.includes(setback.cause)) return item;
  return changeNewestListing(emitFailure(item, setback, now), { announcedCauses: [...announced, setback.cause] });
}

function emitFailure(item: Item, failure: { cause: string; message: string }, now: Date): Item {
  const publication = newestListing(item)?.publication ?? item.wantedPublication;
  return emit(item, {
    eventId: listingFailedId(item.id, { publication, cause: failure.cause, refusedRevision: 0 }),
    type: 'listing.failed',
    occurredAt: now,
    platform: 'marketplace',
    extra: { error: `${failure.cause}: ${failure.message}` },
  });
}
