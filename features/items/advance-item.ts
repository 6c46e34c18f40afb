import type { Item, ItemKey } from './rules/item.ts';
import { isAtRest } from './rules/owed-work.ts';
import { heldByWorkflow, rested, takeShortSteps, type LongStep } from './rules/complete-write.ts';
import { previousListing, waitForPreviousListing, waitForStart } from '../listings/rules/previous-listing.ts';
import { startAheadOf } from '../listings/rules/listing-terms.ts';
import { openListing } from '../listings/rules/publication.ts';
import { blockedReasonOf } from '../operations/rules/explain-wait.ts';
import { untilWon } from '../../platform/concurrency/until-won.ts';
import type { ItemStore } from './store/items.ts';

/** The work left for the workflow after all short steps are taken. */
export type Advance =
  | { readonly kind: 'settled'; readonly blocked?: RestingReason }
  | { readonly kind: 'process-images' }
  | { readonly kind: 'enrich' }
  | { readonly kind: 'prepare-listing'; readonly publication: number }
  | { readonly kind: 'go-live'; readonly publication: number }
  | { readonly kind: 'send-price'; readonly publication: number }
  | { readonly kind: 'take-down'; readonly publication: number }
  | {
      readonly kind: 'wait';
      readonly waitingFor: string;
      readonly lastError: string | null;
      readonly forMs: number;
      /** ISO 8601; null when that is not known. */
      readonly since: string | null;
      readonly attempts: number;
    };

/** Why an item at rest needs attention. */
export interface RestingReason {
  /** A key of features/operations/rules/reasons.ts. */
  readonly reason: string;
  readonly lastError: string | null;
}

export interface AdvanceDependencies {
  readonly items: ItemStore;
  /** Called after each look that found work, with what comes next. */
  readonly log?: (item: Item, advance: Advance) => void;
  readonly now: () => Date;
}

const roundsMax = 100;

/**
 * For the item's workflow: takes all short steps that the item owes, and returns the long step that comes next. Safe to repeat at
 * any point.
 */
export async function advanceItem(dependencies: AdvanceDependencies, key: ItemKey): Promise<Advance> {
  const { items, log, now } = dependencies;
  const advance = async (): Promise<Advance | null> => {
    const item = await items.findById(key);
    if (item === null) return { kind: 'settled' };
    const taken = await takeSteps(dependencies, item);
    if (taken === null || taken.step.kind === 'open-listing') return null;
    const next = describe(taken.step, taken.stored, now());
    log?.(taken.stored, next);
    return next;
  };
  const advanced = await untilWon(advance, { rounds: roundsMax });
  if (advanced !== null) return advanced;
  throw new Error(`item ${key.id} did not come to rest in ${roundsMax} rounds`);
}

interface Taken {
  readonly stored: Item;
  readonly step: LongStep;
}

/** Returns null when another writer was faster. */
async function takeSteps(dependencies: AdvanceDependencies, item: Item): Promise<Taken | null> {
  if (isAtRest(item)) return leaveAlone(dependencies, item);
  const { items, now: clock } = dependencies;
  const now = clock();
  const { item: ahead, step } = takeShortSteps(item, now);
  const stored = await items.replace(item, await nextState(items, ahead, { step, now }));
  if (stored === null) return null;
  // A new item under the same external id may wait for this deleted one.
  if (isAtRest(stored) && !stored.current)
    await items.makeSuccessorDue(stored.accountId, stored.externalId, { waitingFor: previousListing, now });
  return { stored, step };
}

/** For a resting item: a late signal came, or the run of an item with a problem makes its daily look. */
async function leaveAlone({ items, now }: AdvanceDependencies, item: Item): Promise<Taken | null> {
  const step = { kind: 'settle' } as const;
  const { startAt } = rested(item, now());
  if (item.startAt === startAt) return { stored: item, step };
  const stored = await items.replace(item, { ...item, startAt });
  return stored === null ? null : { stored, step };
}

async function nextState(
  items: ItemStore,
  item: Item,
  { step, now }: { readonly step: LongStep; readonly now: Date },
): Promise<Item> {
  if (step.kind === 'settle') return rested(item, now);
  if (step.kind === 'open-listing') return openWhenFree(items, item, now);
  return heldByWorkflow(item, step, now);
}

/** At most one auction per external id is up at any time, also after a deletion and re-creation (protocol 7). */
async function openWhenFree(items: ItemStore, item: Item, now: Date): Promise<Item> {
  const start = startAheadOf(item, now);
  if (start !== null) return waitForStart(item, start, now);
  const isTaken = await items.hasPredecessorUp(item.accountId, item.externalId);
  return isTaken ? waitForPreviousListing(item, now) : openListing(item, now);
}

function describe(step: Exclude<LongStep, { kind: 'open-listing' }>, stored: Item, now: Date): Advance {
  const { processing } = stored;
  if (step.kind === 'settle') {
    const blocked = blockedReasonOf(stored);
    if (blocked === null) return { kind: 'settled' };
    return { kind: 'settled', blocked: { reason: blocked.reason, lastError: processing.lastError } };
  }
  if (step.kind !== 'wait') return step;
  return {
    kind: 'wait',
    waitingFor: step.waitingFor,
    lastError: processing.lastError,
    forMs: Math.max(0, step.until.getTime() - now.getTime()),
    since: processing.since?.toISOString() ?? null,
    attempts: processing.attempts,
  };
}
