import type { Item } from '../items/item.ts';
import { theService } from '../items/journal.ts';
import { note } from '../items/note.ts';
import type { WaitingFor } from '../items/processing.ts';

/** `processing.waitingFor` of an item whose auction is not to begin yet. */
export const startTime = 'start_time' satisfies WaitingFor;

/** The marketplace takes no start for an auction, so the service makes the draft only then: one that waits there may be dropped. */
export function waitForStart(item: Item, start: Date, now: Date): Item {
  const { processing } = item;
  if (processing.waitingFor === startTime && processing.notBefore?.getTime() === start.getTime()) return item;
  const waiting: Item = {
    ...item,
    processing: {
      ...{ stage: 'publishing', waitingFor: startTime, attempts: 0, lastError: null },
      ...{ since: now, notBefore: start, updatedAt: now },
    },
    updatedAt: now,
  };
  const details = { waitingFor: startTime, since: null, nextTryAt: start.toISOString(), lastError: null };
  return note(waiting, { at: now, kind: 'waiting', details, actor: theService });
}
