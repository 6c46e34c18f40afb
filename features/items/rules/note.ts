import type { Item } from './item.ts';
import type { Actor, NewJournalEntry } from './journal.ts';

/**
 * Adds an entry to the item's history, stored by the same write that it describes. An entry of a caller also sets the item's
 * `requestId`: the cause of all work that follows.
 */
export function note(item: Item, entry: NewJournalEntry): Item {
  const number = item.journalNumber + 1;
  const requestId = causeAfter(item, entry.actor);
  const isNewCause = requestId !== (item.requestId ?? null);
  return {
    ...item,
    ...(isNewCause && { requestId }),
    journalNumber: number,
    journal: [...item.journal, { number, ...entry }],
  };
}

/** An entry of the service or the marketplace without a `requestId` of its own keeps the present cause. */
function causeAfter(item: Item, { kind, requestId }: Actor): string | null {
  const isCaller = kind !== 'service' && kind !== 'marketplace';
  return isCaller ? requestId : (requestId ?? item.requestId ?? null);
}
