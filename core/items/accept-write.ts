import { isUp, type Item } from './item.ts';
import type { Processing } from './processing.ts';

/** The sweep comes this long after a write whose own nudge may have been lost (protocol 1). */
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
  // Whatever happens to a tombstone gives it another life.
  purgeAt: null,
  updatedAt: now,
});

/** Of an item that owes work: a write that was nudged at once, and is first looked at. */
export const isNudged = ({ nextNudgeAt, updatedAt }: Pick<Item, 'nextNudgeAt' | 'updatedAt'>): boolean =>
  nextNudgeAt !== null && nextNudgeAt.getTime() - updatedAt.getTime() === firstNudgeDelayMs;

/** An accepted write that has time: it waits in the backlog lane for its account's turn instead of being nudged. */
export const inBacklog = (item: Item, now: Date): Item => ({ ...item, nextNudgeAt: null, backlogAt: now });

/** How long a tombstone is kept for what the marketplace may still tell (protocol 5). */
export const tombstoneMs = 90 * 86_400_000;

/** Nothing is left to do for this revision. The store refuses it when any write came between (protocol 3). */
export const settle = (item: Item, now: Date): Item => ({
  ...item,
  settledRevision: item.revision,
  nextNudgeAt: null,
  backlogAt: null,
  purgeAt: purgeTime(item),
  processing: restingProcessing(item.processing, now),
});

/**
 * What a partner reads while nothing is being done: images that have to be mended are still waited for, and the cause of a
 * failure stays until something succeeds; any other wait is over.
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
