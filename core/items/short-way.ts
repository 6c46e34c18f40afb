import { confirmShown } from '../listings/revision.ts';
import { withoutStoredEvents } from '../events/outbox.ts';
import { blockedReasonOf } from '../operations/blocked-reason-of.ts';
import { announceImages } from './image-set.ts';
import type { Item } from './item.ts';
import { isNudged } from './accept-write.ts';
import { nextStep, type NextStep } from './next-step.ts';
import { withoutStoredJournal } from './note.ts';

/** Whether the item's events, history and orders are all stored. */
export const isEmptied = ({ outbox, journal, pendingOrders }: Item): boolean =>
  outbox.length === 0 && journal.length === 0 && pendingOrders.length === 0;

/** The item as it is once its events, history and orders are stored. */
export const emptied = (item: Item): Item => ({
  ...withoutStoredJournal(
    withoutStoredEvents(item, new Set(item.outbox.map((entry) => entry.eventId))),
    item.journalNumber,
  ),
  pendingOrders: [],
});

/** Steps that are complete with the write that stores them, and call nothing outside the database. */
const ownSteps: Partial<Record<NextStep['kind'], (item: Item, now: Date) => Item>> = {
  'announce-images': announceImages,
  'confirm-shown': confirmShown,
};
const ownStepsMax = 5;

/**
 * Whether the item owes nothing but writes to our own database, after which it is settled without a blocked reason. The worker
 * that claims such an item does all its work without a workflow: none of it is slow, waits, or needs an operator (decision 100).
 */
export function isShortWay(item: Item, now: Date): boolean {
  if (!isUntouched(item)) return false;
  let ahead = emptied(item);
  for (let count = 0; count <= ownStepsMax; count += 1) {
    const { kind } = nextStep(ahead, now);
    if (kind === 'settle') return blockedReasonOf(ahead) === null;
    const step = ownSteps[kind];
    if (step === undefined) return false;
    ahead = emptied(step(ahead, now));
  }
  return false;
}

/** No workflow works on the item or waits with it, so none has to be signalled. */
const isUntouched = ({ hasRun = false, processing: { stage, waitingFor, notBefore, lastError } }: Item): boolean =>
  !hasRun && restingStages.has(stage) && waitingFor === null && notBefore === null && lastError === null;

const restingStages: ReadonlySet<string> = new Set(['queued', 'settled', 'published']);

/** Set so far back that the row is due for every worker, even one whose clock is a little behind the writer's. */
const dueSinceMs = 5_000;

/** An accepted write on the short way is due at once for the first worker that claims it, and signals no workflow. */
export const takingShortWay = (item: Item, now: Date): Item =>
  item.nextNudgeAt !== null && isShortWay(item, now)
    ? { ...item, nextNudgeAt: new Date(item.updatedAt.getTime() - dueSinceMs) }
    : item;

/** Whether the item is due at once for the first worker that claims it. */
export const isOnShortWay = ({ nextNudgeAt, updatedAt }: Pick<Item, 'nextNudgeAt' | 'updatedAt'>): boolean =>
  nextNudgeAt !== null && nextNudgeAt.getTime() === updatedAt.getTime() - dueSinceMs;

/** For an item that owes work: it was signalled or due at once, so a caller may wait for it, and it has not been claimed yet. */
export const isPressing = (item: Pick<Item, 'nextNudgeAt' | 'updatedAt'>): boolean =>
  isOnShortWay(item) || isNudged(item);
