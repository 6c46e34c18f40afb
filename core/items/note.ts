import type { Item } from './item.ts';
import type { JournalEntry } from './journal.ts';

/** The item with one more line of history, carried by the same write that makes it true. */
export function note(item: Item, entry: Omit<JournalEntry, 'number'>): Item {
  const number = item.journalNumber + 1;
  return { ...item, journalNumber: number, journal: [...item.journal, { number, ...entry }] };
}

/** The item without the entries that are stored now. */
export function withoutStoredJournal(item: Item, storedUpTo: number): Item {
  const journal = item.journal.filter(({ number }) => number > storedUpTo);
  return journal.length === item.journal.length ? item : { ...item, journal };
}
