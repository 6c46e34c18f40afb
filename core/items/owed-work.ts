import { dueFrom, type Due } from '../due.ts';
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

/** Marks a change as an accepted write: the revision goes up, and work is owed until this revision is settled (protocol 1). */
export const acceptWrite = (item: Item, now: Date): Item => ({
  ...item,
  revision: item.revision + 1,
  due: dueFrom('worker', now),
  // Any write to a tombstone restarts its retention.
  purgeAt: null,
  updatedAt: now,
});

/**
 * An accepted write that is not urgent: it waits in the backlog for its account's turn. An item that waits there already (`before`)
 * keeps its place, so that its index entry is not written again.
 */
export function inBacklog(item: Item, now: Date, before: Due | null = null): Item {
  const hasPlace = before?.by === 'backlog' && before.tries === 0 && before.at <= now && before.trace === undefined;
  return { ...item, due: hasPlace ? before : dueFrom('backlog', now) };
}

/** How long a tombstone is kept, because the marketplace may still report a sale (protocol 5). */
export const tombstoneMs = 90 * 86_400_000;

/** Marks the revision as done. The store refuses this when another write came between (protocol 3). */
export const settle = (item: Item, now: Date): Item => ({
  ...item,
  settledRevision: item.revision,
  due: null,
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

/** Whether the item owes nothing; its due date does not matter. */
export const isAtRest = (item: Item): boolean => item.revision === item.settledRevision;
