import { setTimeout as delay } from 'node:timers/promises';
import type { AccountId, ItemId } from '../../core/ids.ts';
import { settle } from '../../core/items/accept-write.ts';
import { announceImages } from '../../core/items/image-set.ts';
import type { Item } from '../../core/items/item.ts';
import { nextStep, type NextStep } from '../../core/items/next-step.ts';
import { emptied, isEmptied, isShortWay } from '../../core/items/short-way.ts';
import { blockedReasonOf } from '../../core/operations/blocked-reason-of.ts';
import { previousListing, waitForPreviousListing } from '../../core/listings/previous-listing.ts';
import { callOff, openListing, redraft } from '../../core/listings/publication.ts';
import { confirmShown } from '../../core/listings/revision.ts';
import type { ItemStore } from '../../store/items/items.ts';

/** The work left for the workflow after all short steps are done. */
export type Advance =
  | { readonly kind: 'settled'; readonly blocked?: RestingReason }
  | { readonly kind: 'process-images' }
  | { readonly kind: 'enrich' }
  | { readonly kind: 'prepare-listing'; readonly publication: number }
  | { readonly kind: 'go-live'; readonly publication: number }
  | { readonly kind: 'revise'; readonly publication: number }
  | { readonly kind: 'take-down'; readonly publication: number }
  | {
      readonly kind: 'wait';
      readonly waitingFor: string;
      readonly lastError: string | null;
      readonly forMs: number;
      /** ISO 8601; null when that is not known. */
      readonly since: string | null;
      readonly attempts: number;
      readonly member: string | null;
    };

/** Why an item at rest needs attention. */
export interface RestingReason {
  /** A key of core/operations/reasons.ts. */
  readonly reason: string;
  readonly lastError: string | null;
  /** The reseller's reference for the account; null without a reseller. */
  readonly member: string | null;
}

export interface AdvanceDependencies {
  readonly items: ItemStore;
  /** Stores events, deliveries, orders and history that the item carries; done again, it changes nothing. */
  readonly storeOutbox: (item: Item) => Promise<void>;
  /** The reseller's reference for the account, shown with waiting items. Undefined or failing: no reference is shown. */
  readonly memberOf?: (account: AccountId) => Promise<string | null>;
  /** Called for each look at an item with open work, before any step. */
  readonly onLook?: (item: Item) => void;
  /** Called after each look that found work, with what comes next. */
  readonly tell?: (item: Item, advance: Advance) => void;
  readonly now: () => Date;
}

const minute = 60_000;
/** While a workflow works on the item or waits, the sweep must leave the item alone (protocol 4). */
const sweepAfterMs = { working: minute, waiting: 60 * minute };

const roundsMax = 100;

/**
 * Does all short steps that an item owes, one write each, and returns the long step that comes next. Safe to repeat at any point.
 */
export async function advanceItem(dependencies: AdvanceDependencies, id: ItemId): Promise<Advance> {
  for (let round = 0; round < roundsMax; round += 1) {
    const item = await dependencies.items.findById(id);
    if (item === null) return { kind: 'settled' };
    const advance = await (isAtRest(item) ? leaveAlone(dependencies, item) : tryAdvance(dependencies, item));
    if (advance === 'overtaken') await letTrail(round);
    else if (advance !== null) return advance;
  }
  throw new Error(`item ${id} did not come to rest in ${roundsMax} rounds`);
}

/**
 * Like {@link advanceItem}, for an item whose whole work is short (core/items/short-way.ts). Returns false when the item needs a
 * workflow, now or after a concurrent write. `found` is the item as read. Safe to repeat at any point, and in parallel with a
 * workflow.
 */
export async function settleShortly(dependencies: AdvanceDependencies, id: ItemId, found?: Item): Promise<boolean> {
  let item = found ?? (await dependencies.items.findById(id));
  for (let round = 0; round < roundsMax; round += 1) {
    if (item === null) return true;
    if (!isAtRest(item) && !isShortWay(item, dependencies.now())) return false;
    const advance = await (isAtRest(item) ? leaveAlone(dependencies, item) : tryAdvance(dependencies, item));
    if (advance === 'overtaken') await letTrail(round);
    else if (advance !== null) return true;
    item = await dependencies.items.findById(id);
  }
  return false;
}

/** A majority read is a few milliseconds behind the newest write; an immediate repeat would return the same version. */
const letTrail = (round: number): Promise<void> => delay(Math.min(2 + round * 2, 50));

const isAtRest = (item: Item): boolean => item.revision === item.settledRevision && isEmptied(item);

/** A nudge after the settling has set a date for the sweep; an item without work needs none. */
async function leaveAlone(dependencies: AdvanceDependencies, item: Item): Promise<Advance | 'overtaken'> {
  if (item.nextNudgeAt === null) return settled(dependencies, item);
  const swept = await dependencies.items.replace(item, { ...item, nextNudgeAt: null });
  return swept === null ? 'overtaken' : settled(dependencies, swept);
}

/** Runs one round. null: another step is due. "overtaken": a concurrent write came first. */
async function tryAdvance(dependencies: AdvanceDependencies, item: Item): Promise<Advance | 'overtaken' | null> {
  const { items, storeOutbox, now } = dependencies;
  dependencies.onLook?.(item);
  await storeOutbox(item);
  const owing = emptied(item);
  const step = nextStep(owing, now());
  const next = await applyStep(dependencies, owing, step);
  const stored = await items.replace(item, next);
  if (stored === null) return 'overtaken';
  if (step.kind === 'settle') await callSuccessor(dependencies, stored);
  const advance = await describe(dependencies, step, stored);
  if (advance !== null) dependencies.tell?.(stored, advance);
  return advance;
}

/** A new item under the same external id may wait for this deleted one, so it is made due. */
async function callSuccessor({ items, now }: AdvanceDependencies, item: Item): Promise<void> {
  if (!item.current)
    await items.makeSuccessorDue(item.accountId, item.externalId, { waitingFor: previousListing, now: now() });
}

/** At most one auction per external id is up at any time, also after a deletion and re-creation (protocol 7). */
const openWhenFree = async (items: ItemStore, item: Item, now: Date): Promise<Item> =>
  (await items.hasPredecessorUp(item.accountId, item.externalId))
    ? waitForPreviousListing(item, now)
    : openListing(item, now);

async function applyStep({ items, now: clock }: AdvanceDependencies, item: Item, step: NextStep): Promise<Item> {
  const now = clock();
  switch (step.kind) {
    case 'store-outbox':
      return item;
    case 'announce-images':
      return announceImages(item, now);
    case 'open-listing':
      return openWhenFree(items, item, now);
    case 'redraft':
      return redraft(item, now);
    case 'call-off':
      return callOff(item);
    case 'confirm-shown':
      return confirmShown(item, now);
    case 'settle':
      return restOf(settle(item, now));
    case 'process-images':
    case 'enrich':
    case 'prepare-listing':
    case 'go-live':
    case 'revise':
    case 'take-down':
      return sweptAt(atWork(item, step.kind), now.getTime() + sweepAfterMs.working);
    case 'wait':
      return sweptAt(item, Math.max(step.until.getTime() + sweepAfterMs.working, now.getTime() + sweepAfterMs.waiting));
  }
}

/** Shown to a partner while the long step runs. A wait that is being retried keeps its own text. */
const atWork = (item: Item, kind: LongStepKind): Item =>
  item.processing.waitingFor === null && item.processing.stage !== stageOf[kind]
    ? { ...item, processing: { ...item.processing, stage: stageOf[kind] } }
    : item;

type LongStepKind = keyof typeof stageOf;
const stageOf = {
  'process-images': 'images',
  enrich: 'enriching',
  'prepare-listing': 'publishing',
  'go-live': 'publishing',
  revise: 'revising',
  'take-down': 'taking_down',
} as const;

const sweptAt = (item: Item, atMs: number): Item => ({ ...item, hasRun: true, nextNudgeAt: new Date(atMs) });

/** An item with a blocked reason keeps `hasRun`: its last workflow run shows the reason until another run replaces it. */
const restOf = (item: Item): Item =>
  item.hasRun === true && blockedReasonOf(item) === null ? { ...item, hasRun: false } : item;

type Telling = Pick<AdvanceDependencies, 'memberOf' | 'now'>;

async function settled({ memberOf }: Telling, item: Item): Promise<Advance> {
  const blocked = blockedReasonOf(item);
  if (blocked === null) return { kind: 'settled' };
  const member = (await memberOf?.(item.accountId).catch(() => null)) ?? null;
  return { kind: 'settled', blocked: { reason: blocked.reason, lastError: item.processing.lastError, member } };
}

async function waiting(
  { memberOf, now }: Telling,
  { waitingFor, until }: Extract<NextStep, { kind: 'wait' }>,
  { accountId, processing }: Item,
): Promise<Advance> {
  return {
    kind: 'wait',
    waitingFor,
    lastError: processing.lastError,
    forMs: Math.max(0, until.getTime() - now().getTime()),
    since: processing.since?.toISOString() ?? null,
    attempts: processing.attempts,
    member: (await memberOf?.(accountId).catch(() => null)) ?? null,
  };
}

async function describe(telling: Telling, step: NextStep, stored: Item): Promise<Advance | null> {
  switch (step.kind) {
    case 'store-outbox':
    case 'announce-images':
    case 'open-listing':
    case 'redraft':
    case 'call-off':
    case 'confirm-shown':
      return null;
    case 'settle':
      return settled(telling, stored);
    case 'wait':
      return waiting(telling, step, stored);
    case 'process-images':
    case 'enrich':
    case 'prepare-listing':
    case 'go-live':
    case 'revise':
    case 'take-down':
      return step;
  }
}
