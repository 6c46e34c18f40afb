import type { Item, Processing } from './item.ts';
import type { Actor, JournalEntry, JournalKind } from './journal.ts';

/** One line of an item's timeline, as its account reads it. */
export interface TimelineEntry {
  /** ISO 8601. */
  readonly at: string;
  readonly kind: JournalKind;
  readonly message: string;
  /** Who: of a reseller only that it was the reseller. */
  readonly actor: Actor['kind'];
}

export interface Timeline {
  /** Newest first. */
  readonly entries: readonly TimelineEntry[];
  /** `before` of the next page; null when there is nothing older. */
  readonly nextBefore: number | null;
}

export interface TimelinePage {
  /** At most so many entries. */
  readonly limit: number;
  /** Number of an entry: only older ones. null for the newest page, which begins with what the item waits for. */
  readonly before: number | null;
}

/** The entries of one page. `stored` holds at least the newest `limit` of the journal below `before`, newest first. */
export function describeTimeline(item: Item, stored: readonly JournalEntry[], page: TimelinePage): Timeline {
  const journal = mergeJournal(item, stored, page.before);
  const waiting = page.before === null ? waitingEntry(item, journal[0]) : null;
  const history = journal.filter((entry, index) => !isSaidAlready(entry, journal[index - 1], waiting));
  const shown = history.slice(0, waiting === null ? page.limit : page.limit - 1);
  // With nothing shown but the wait, the next page goes on below the entry that it stands for, if it stands for one.
  const newest = history[0] === journal[0] ? undefined : journal[0]?.number;
  const oldest = shown.at(-1)?.number ?? newest ?? item.journalNumber + 1;
  return {
    entries: [...(waiting === null ? [] : [waiting]), ...shown.map(describeEntry)],
    nextBefore: oldest > 1 && (history.length > shown.length || stored.length > page.limit) ? oldest : null,
  };
}

/** The beginning of a wait that the first entry tells of, or the same wait noted twice. */
function isSaidAlready(entry: JournalEntry, newer: JournalEntry | undefined, waiting: TimelineEntry | null): boolean {
  if (entry.kind !== 'waiting') return false;
  if (newer === undefined) return waiting !== null && entry.at.toISOString() === waiting.at;
  return newer.kind === entry.kind && newer.message === entry.message && newer.at.getTime() === entry.at.getTime();
}

/** What the item still carries comes on top of what is stored; for a moment an entry is in both. */
function mergeJournal(item: Item, stored: readonly JournalEntry[], before: number | null): JournalEntry[] {
  const byNumber = new Map([...stored, ...item.journal].map((entry) => [entry.number, entry]));
  return [...byNumber.values()]
    .filter(({ number }) => before === null || number < before)
    .sort((a, b) => b.number - a.number);
}

const describeEntry = ({ at, kind, message, actor }: JournalEntry): TimelineEntry => ({
  at: at.toISOString(),
  kind,
  message,
  actor: actor.kind,
});

/** Why the item waits right now; at the time of the last try, and never older than what follows it. */
function waitingEntry({ processing }: Item, newest: JournalEntry | undefined): TimelineEntry | null {
  if (processing.waitingFor === null) return null;
  const at = Math.max(processing.updatedAt.getTime(), newest?.at.getTime() ?? 0);
  const message = describeWaiting(processing, processing.waitingFor);
  return { at: new Date(at).toISOString(), kind: 'waiting', message, actor: 'service' };
}

function describeWaiting({ since, notBefore, lastError }: Processing, waitingFor: string): string {
  const what = waits.get(waitingFor) ?? waitingFor.replaceAll('_', ' ');
  const help = helps.get(waitingFor);
  const parts = [
    `Waiting${since === null ? '' : ` since ${readable(since)}`} for ${what}`,
    ...(help === undefined ? [] : [help]),
    ...(notBefore === null ? [] : [`next try at ${readable(notBefore)}`]),
    ...(lastError === null ? [] : [`last problem: ${lastError.replace(/\.$/, '')}`]),
  ];
  return `${parts.join('; ')}.`;
}

/** `processing.waitingFor` in words that go on after "Waiting for". */
const waits: ReadonlyMap<string, string> = new Map([
  ['marketplace_connection', 'a marketplace account to be connected'],
  ['marketplace_reconnection', 'the marketplace account to be reconnected'],
  ['marketplace_budget', 'new calls to the marketplace, whose daily number is used up'],
  ['marketplace', 'the marketplace to take the request'],
  ['marketplace_active_limit', 'room on the marketplace, which allows no more active listings of this account'],
  ['marketplace_take_down', 'the marketplace to take the auction down'],
  ['operator', "the service's operator, whose access the marketplace refuses"],
  ['image_store', "the service's image store"],
  ['images', 'other images, because none of those that were pushed could be hosted'],
  ['auction_end', 'the auction to end'],
  ['previous_listing', 'the auction of the deleted item with the same external_id to come down'],
]);

/** What ends a wait sooner than the next try does. */
const helps: ReadonlyMap<string, string> = new Map([
  ['marketplace_connection', 'work goes on as soon as one is connected'],
  ['marketplace_reconnection', 'work goes on as soon as it is'],
  ['images', 'a push with other image URLs goes on at once, retry tries the same ones again'],
]);

const readable = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;
