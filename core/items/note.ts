import type { Item } from './item.ts';
import type { Actor, NewJournalEntry } from './journal.ts';

/** While nobody can store them, this many lines wait in the item; of more in a row of one kind only the newest is kept. */
const waitingMax = 100;

/** The item with one more line of history, carried by the same write that makes it true; a caller's names the cause of all that follows. */
export function note(item: Item, entry: NewJournalEntry): Item {
  const number = item.journalNumber + 1;
  const last = item.journal.at(-1);
  const isRepeat =
    item.journal.length >= waitingMax && last?.kind === entry.kind && last.actor.kind === entry.actor.kind;
  const kept = isRepeat ? item.journal.slice(0, -1) : item.journal;
  const requestId = causeAfter(item, entry.actor);
  const isNewCause = requestId !== (item.requestId ?? null);
  return {
    ...item,
    ...(isNewCause && { requestId }),
    journalNumber: number,
    journal: [...kept, { number, ...entry }],
  };
}

/** What the service and the marketplace do goes on with what was asked before. */
function causeAfter(item: Item, { kind, requestId }: Actor): string | null {
  const isCaller = kind !== 'service' && kind !== 'marketplace';
  return isCaller ? requestId : (requestId ?? item.requestId ?? null);
}

/** The item without the entries that are stored now. */
export function withoutStoredJournal(item: Item, storedUpTo: number): Item {
  const journal = item.journal.filter(({ number }) => number > storedUpTo);
  return journal.length === item.journal.length ? item : { ...item, journal };
}
