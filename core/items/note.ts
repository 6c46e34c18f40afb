import type { Item } from './item.ts';
import type { Actor, NewJournalEntry } from './journal.ts';

/** Entries that may wait in the item while they cannot be stored. Beyond it, only the newest of a row of equal kind is kept. */
const waitingMax = 100;

/**
 * Adds an entry to the item's history, stored by the same write that it describes. An entry of a caller also sets the item's
 * `requestId`: the cause of all work that follows.
 */
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

/** An entry of the service or the marketplace without a `requestId` of its own keeps the present cause. */
function causeAfter(item: Item, { kind, requestId }: Actor): string | null {
  const isCaller = kind !== 'service' && kind !== 'marketplace';
  return isCaller ? requestId : (requestId ?? item.requestId ?? null);
}
