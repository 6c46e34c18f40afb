import { isUp, type Item } from './item.ts';
import type { Processing } from './processing.ts';

/** The dispatcher signals an item this long after a write, in case the write's own signal was lost (protocol 1). */
export const firstNudgeDelayMs = 2_000;
export const nudgeDelayMaxMs = 600_000;

export const idle = (now: Date): Processing => ({
  stage: 'queued',
  waitingFor: null,
  attempts: 0,
  lastError: null,
  since: null,
  notBefore: null,
  updatedAt: now,
});

/** Marks a change as an accepted write: the revision goes up, so work is owed until a workflow has settled this revision. */
export const acceptWrite = (item: Item, now: Date): Item => ({
  ...item,
  revision: item.revision + 1,
  nextNudgeAt: new Date(now.getTime() + firstNudgeDelayMs),
  nudgeDelayMs: firstNudgeDelayMs,
  backlogAt: null,
  // Any write to a tombstone starts its retention anew.
  purgeAt: null,
  updatedAt: now,
});

/** For an item that owes work: whether its last write was signalled at once and has not been claimed yet. */
export const isNudged = ({ nextNudgeAt, updatedAt }: Pick<Item, 'nextNudgeAt' | 'updatedAt'>): boolean =>
  nextNudgeAt !== null && nextNudgeAt.getTime() - updatedAt.getTime() === firstNudgeDelayMs;

/** An accepted write that is not urgent: it waits in the backlog for its account's turn and is not signalled. */
export const inBacklog = (item: Item, now: Date): Item => ({ ...item, nextNudgeAt: null, backlogAt: now });

/** How long a tombstone is kept, because the marketplace may still report a sale (protocol 5). */
export const tombstoneMs = 90 * 86_400_000;

/** Marks the revision as done. The store refuses this when another write came between (protocol 3). */
export const settle = (item: Item, now: Date): Item => ({
  ...item,
  settledRevision: item.revision,
  nextNudgeAt: null,
  backlogAt: null,
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
