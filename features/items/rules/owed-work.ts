import { isUp, type Item } from './item.ts';
import type { Processing } from './processing.ts';

/** The progress of an item without work. */
export const idle = (now: Date): Processing => ({
  stage: 'queued',
  waitingFor: null,
  attempts: 0,
  lastError: null,
  since: null,
  notBefore: null,
  updatedAt: now,
});

/** Nothing is owed, and no workflow holds the row. */
export const notOwed = { startAt: null, starts: 0, bulk: null, trace: null } as const;

/** Whether a workflow was started for the item, and works, waits, or rests with a problem. Each write must signal it. */
export const isHeld = ({ startAt, bulk }: Pick<Item, 'startAt' | 'bulk'>): boolean =>
  startAt !== null && bulk !== 'waits';

/**
 * Marks a change as an accepted write: the revision goes up, and work is owed until this revision is settled (protocol 1). The date of
 * its workflow is set when the write is complete (complete-write.ts).
 */
export const acceptWrite = (item: Item, now: Date): Item => ({
  ...item,
  revision: item.revision + 1,
  bulk: null,
  trace: null,
  // Any write to a tombstone restarts its retention.
  purgeAt: null,
  updatedAt: now,
});

/** An accepted write that is not urgent: its workflow waits for its account's turn, unless one holds the row already. */
export const inBulk = (item: Item): Item => ({ ...item, bulk: 'waits' });

/** How long a tombstone is kept, because the marketplace may still report a sale (protocol 5). */
export const tombstoneMs = 90 * 86_400_000;

/** Marks the revision as done. The store refuses this when another write came between (protocol 3). */
export const settle = (item: Item, now: Date): Item => ({
  ...item,
  settledRevision: item.revision,
  ...notOwed,
  purgeAt: purgeTime(item),
  processing: restingProcessing(item.processing, now),
});

/**
 * What a partner reads while no work is in progress. A wait for working images stays, and so does the cause of a failure until
 * something succeeds. Any other wait ends.
 */
function restingProcessing(processing: Processing, now: Date): Processing {
  if (processing.waitingFor === 'images') return processing;
  if (processing.waitingFor !== null || processing.lastError === null) return { ...idle(now), stage: 'settled' };
  return { ...processing, attempts: 0, since: null, notBefore: null };
}

function purgeTime({ removedAt, listings }: Item): Date | null {
  if (removedAt === null || listings.some(isUp)) return null;
  return new Date(removedAt.getTime() + tombstoneMs);
}

/** Whether the item owes nothing; the date of its workflow does not matter. */
export const isAtRest = (item: Item): boolean => item.revision === item.settledRevision;
