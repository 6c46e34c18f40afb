import type { Item } from '../../items/rules/item.ts';
import { theService } from '../../items/rules/journal.ts';
import { note } from '../../items/rules/note.ts';
import type { WaitingFor } from '../../items/rules/processing.ts';
import { backoffMs } from '../../rules/backoff.ts';

/** `processing.waitingFor` of an item whose predecessor under the same external id is still up (protocol 7). */
export const previousListing = 'previous_listing' satisfies WaitingFor;

/** At most one auction is up at any time: the old item's must be taken down or end before the new item's is put up. */
export function waitForPreviousListing(item: Item, now: Date): Item {
  const isWaiting = item.processing.waitingFor === previousListing;
  const attempts = isWaiting ? item.processing.attempts + 1 : 1;
  const message = 'the auction of the deleted item with the same external_id is still up';
  const waiting: Item = {
    ...item,
    processing: {
      stage: 'publishing',
      waitingFor: previousListing,
      attempts,
      lastError: message,
      since: isWaiting ? item.processing.since : now,
      notBefore: new Date(now.getTime() + backoffMs(attempts, 1_000, 600_000)),
      updatedAt: now,
    },
    updatedAt: isWaiting ? item.updatedAt : now,
  };
  if (isWaiting) return waiting;
  const details = { waitingFor: previousListing, since: null, nextTryAt: null, lastError: message };
  return note(waiting, { at: now, kind: 'waiting', details, actor: theService });
}

/** `processing.waitingFor` of an item whose auction begins at a later time. */
export const startTime = 'start_time' satisfies WaitingFor;

/** Drafts at the marketplace have no start time, and may expire. So the service creates the draft only at that time. */
export function waitForStart(item: Item, start: Date, now: Date): Item {
  const { processing } = item;
  if (processing.waitingFor === startTime && processing.notBefore?.getTime() === start.getTime()) return item;
  const waiting: Item = {
    ...item,
    processing: {
      stage: 'publishing',
      waitingFor: startTime,
      attempts: 0,
      lastError: null,
      since: now,
      notBefore: start,
      updatedAt: now,
    },
    updatedAt: now,
  };
  const details = { waitingFor: startTime, since: null, nextTryAt: start.toISOString(), lastError: null };
  return note(waiting, { at: now, kind: 'waiting', details, actor: theService });
}
