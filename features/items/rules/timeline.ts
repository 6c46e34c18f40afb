import { deepEqual } from '../../rules/deep-equal.ts';
import { inEnglish } from './history-in-english.ts';
import type { Item } from './item.ts';
import { theService, type JournalEntry, type NewJournalEntry } from './journal.ts';

/** One entry of an item's timeline, as its account reads it. An actor's kind is shown; a reseller is not named. */
export type TimelineEntry = ReturnType<typeof describeEntry>;

export interface TimelinePage {
  /** The most entries on the page. */
  readonly limit: number;
  /** Number of an entry: the page holds only older ones. null for the newest page, which begins with the item's present wait. */
  readonly before: number | null;
}

/** The entries of one page. `journal` holds at least the newest `limit` of the item's entries below `before`, newest first. */
export function describeTimeline(item: Item, journal: readonly JournalEntry[], page: TimelinePage) {
  const waiting = page.before === null ? waitingEntry(item, journal[0]) : null;
  const history = journal.filter((entry, index) => !isSaidAlready(entry, journal[index - 1], waiting));
  const shown = history.slice(0, waiting === null ? page.limit : page.limit - 1);
  // When the page shows only the wait, the next page starts below the entry that the wait replaces, if there is one.
  const newest = history[0] === journal[0] ? undefined : journal[0]?.number;
  const oldest = shown.at(-1)?.number ?? newest ?? item.journalNumber + 1;
  return {
    entries: [...(waiting === null ? [] : [waiting]), ...shown.map(describeEntry)],
    nextBefore: oldest > 1 && (history.length > shown.length || journal.length > page.limit) ? oldest : null,
  };
}

/**
 * Whether the entry repeats another: it begins the wait that the first entry of the page shows, or notes the same wait
 * again.
 */
function isSaidAlready(entry: JournalEntry, newer: JournalEntry | undefined, waiting: TimelineEntry | null): boolean {
  if (entry.kind !== 'waiting') return false;
  if (newer === undefined) return waiting !== null && entry.at.toISOString() === waiting.at;
  return (
    newer.kind === entry.kind && deepEqual(newer.details, entry.details) && newer.at.getTime() === entry.at.getTime()
  );
}

const describeEntry = (entry: NewJournalEntry) => ({
  at: entry.at.toISOString(),
  kind: entry.kind,
  message: inEnglish(entry),
  details: entry.details,
  actor: entry.actor.kind,
});

/** The item's present wait, dated at its last try and never older than the entry that follows. */
function waitingEntry({ processing }: Item, newest: JournalEntry | undefined): TimelineEntry | null {
  if (processing.waitingFor === null) return null;
  const at = Math.max(processing.updatedAt.getTime(), newest?.at.getTime() ?? 0);
  const { waitingFor, since, notBefore, lastError } = processing;
  const times = { since: since?.toISOString() ?? null, nextTryAt: notBefore?.toISOString() ?? null };
  const details = { waitingFor, ...times, lastError };
  return describeEntry({ at: new Date(at), kind: 'waiting', details, actor: theService });
}
