import { confirmShown } from '../listings/revision.ts';
import { withoutStoredEvents } from '../events/outbox.ts';
import { blockedReasonOf } from '../operations/blocked-reason-of.ts';
import { announceImages } from './image-set.ts';
import type { Item } from './item.ts';
import { isNudged } from './accept-write.ts';
import { nextStep, type NextStep } from './next-step.ts';
import { withoutStoredJournal } from './note.ts';

/** Events, history and orders that the item carries are stored. */
export const isEmptied = ({ outbox, journal, pendingOrders }: Item): boolean =>
  outbox.length === 0 && journal.length === 0 && pendingOrders.length === 0;

/** The item as it is when what it carries was stored. */
export const emptied = (item: Item): Item => ({
  ...withoutStoredJournal(
    withoutStoredEvents(item, new Set(item.outbox.map((entry) => entry.eventId))),
    item.journalNumber,
  ),
  pendingOrders: [],
});

/** Steps that are over with the write that stores them, and never begin anything outside. */
const ownSteps: Partial<Record<NextStep['kind'], (item: Item, now: Date) => Item>> = {
  'announce-images': announceImages,
  'confirm-shown': confirmShown,
};
const ownStepsMax = 5;

/**
 * Whether all that an item owes are writes to our own database, after which it rests untroubled. Then whoever looks at it first can do
 * it all, and no workflow is needed: nothing of it can take long, wait for others, or be worth an operator's look.
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

/** No workflow is at it, or waits with it, that would have to be told of a change. */
const isUntouched = ({ hasRun = false, processing: { stage, waitingFor, notBefore, lastError } }: Item): boolean =>
  !hasRun && restingStages.has(stage) && waitingFor === null && notBefore === null && lastError === null;

const restingStages: ReadonlySet<string> = new Set(['queued', 'settled', 'published']);

/** Due so long ago that no worker's clock says "not yet", though it be a little behind the writer's. */
const dueSinceMs = 5_000;

/** An accepted write whose whole work is short is due at once for whoever looks at items first, instead of being nudged. */
export const takingShortWay = (item: Item, now: Date): Item =>
  item.nextNudgeAt !== null && isShortWay(item, now)
    ? { ...item, nextNudgeAt: new Date(item.updatedAt.getTime() - dueSinceMs) }
    : item;

/** It was given to whoever looks first. */
export const isOnShortWay = ({ nextNudgeAt, updatedAt }: Pick<Item, 'nextNudgeAt' | 'updatedAt'>): boolean =>
  nextNudgeAt !== null && nextNudgeAt.getTime() === updatedAt.getTime() - dueSinceMs;

/** Of an item that owes work: a write that was nudged, or due, at once, so that somebody may be waiting for it, and is first looked at. */
export const isPressing = (item: Pick<Item, 'nextNudgeAt' | 'updatedAt'>): boolean =>
  isOnShortWay(item) || isNudged(item);
