import { callOff, redraft } from '../../listings/rules/publication.ts';
import { confirmShown } from '../../listings/rules/price.ts';
import { blockedReasonOf } from '../../operations/rules/explain-wait.ts';
import { isHeld, settle } from './owed-work.ts';
import { announceImages } from '../../images/rules/image-set.ts';
import type { Item } from './item.ts';
import { nextStep, type NextStep } from './next-step.ts';

/** An item after its short steps. */
interface ShortSteps {
  readonly item: Item;
  /** The first step that is not short. */
  readonly step: LongStep;
}

/** Steps that need no call outside the database: the write that is about to be stored takes them. */
const shortSteps = {
  'announce-images': announceImages,
  'confirm-shown': confirmShown,
  redraft,
  'call-off': callOff,
} as const satisfies Partial<Record<NextStep['kind'], (item: Item, now: Date) => Item>>;

type ShortKind = keyof typeof shortSteps;
export type LongStep = Exclude<NextStep, { readonly kind: ShortKind }>;

const isShort = (step: NextStep): step is Extract<NextStep, { readonly kind: ShortKind }> => step.kind in shortSteps;

/** Each step removes its own reason, so more steps than this would never end. */
const stepsMax = 20;

export function takeShortSteps(item: Item, now: Date): ShortSteps {
  let ahead = item;
  for (let taken = 0; taken < stepsMax; taken += 1) {
    const step = nextStep(ahead, now);
    if (!isShort(step)) return { item: ahead, step };
    ahead = shortSteps[step.kind](ahead, now);
  }
  throw new Error(`item ${item.id} took more than ${stepsMax} short steps`);
}

/**
 * A write with all that follows from it in our own database, so that nothing of that is left to do once it is stored. The rest is
 * owed to a workflow. A workflow that holds the row is signalled also when nothing is left to do, because one that waits must end.
 * Only an accepted write is completed; any other write is a step of the item's workflow.
 */
export function completed(previous: Item | null, next: Item): Item {
  if (next.revision === (previous?.revision ?? 0)) return next;
  const { updatedAt: now } = next;
  const { item: ahead, step } = takeShortSteps(next, now);
  if (previous !== null && isHeld(previous)) return { ...ahead, ...startFrom(startedBy(now)) };
  if (step.kind === 'settle') return settle(ahead, now);
  // An item that waits already keeps its place, so that its index entry is not written again.
  if (next.bulk === 'waits') return { ...ahead, startAt: placeOf(previous) ?? now, starts: 0 };
  return { ...ahead, ...startFrom(startedBy(now)) };
}

const placeOf = (item: Item | null): Date | null => (item?.bulk === 'waits' ? item.startAt : null);

/** A workflow holds the row, and is started again from then on. */
const startFrom = (at: Date) => ({ startAt: at, starts: 0, bulk: null }) as const;

/**
 * The item when its workflow has no work left. If it rests with a problem, the workflow stays and shows the problem to operators.
 */
export function rested(item: Item, now: Date): Item {
  const settled = settle(item, now);
  if (!isHeld(item) || blockedReasonOf(settled) === null) return settled;
  return { ...settled, startAt: restingDate(item, now), trace: item.trace };
}

/** A resting run looks at its item once a day. If the run was lost, a relay starts another an hour later. */
const restMs = { look: 24 * 3_600_000, grace: 3_600_000 };

/** Keeps a date that is far enough away, so that looks at a resting item write nothing. */
function restingDate({ startAt }: Item, now: Date): Date {
  const nextLook = now.getTime() + restMs.look;
  return startAt !== null && startAt.getTime() > nextLook ? startAt : new Date(nextLook + restMs.grace);
}

/** The process that stores the write starts the workflow. After this time a relay does. */
const startGraceMs = 5_000;
const startedBy = (now: Date): Date => new Date(now.getTime() + startGraceMs);

/** While a workflow works on the item or waits, no relay starts it again (protocol 4). */
const minute = 60_000;
const lookAfterMs = { working: minute, waiting: 60 * minute };

/** The item while its workflow takes the step. */
export function heldByWorkflow(item: Item, step: LongStep, now: Date): Item {
  const atMs =
    step.kind === 'wait'
      ? Math.max(step.until.getTime() + lookAfterMs.working, now.getTime() + lookAfterMs.waiting)
      : now.getTime() + lookAfterMs.working;
  const bulk = item.bulk === 'started' && step.kind !== 'wait' ? item.bulk : null;
  return { ...atWork(item, step.kind), ...startFrom(new Date(atMs)), bulk };
}

/** Shown to a partner while the step runs. A wait that is being retried keeps its own text. */
function atWork(item: Item, kind: LongStep['kind']): Item {
  const stage = stageOf[kind];
  if (stage === undefined || item.processing.waitingFor !== null || item.processing.stage === stage) return item;
  return { ...item, processing: { ...item.processing, stage } };
}

const stageOf: Partial<Record<LongStep['kind'], Item['processing']['stage']>> = {
  'process-images': 'images',
  enrich: 'enriching',
  'prepare-listing': 'publishing',
  'go-live': 'publishing',
  'send-price': 'pricing',
  'take-down': 'taking_down',
};
