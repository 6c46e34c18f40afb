import { dueFrom, type Due } from '../due.ts';
import { callOff, redraft } from '../listings/publication.ts';
import { confirmShown } from '../listings/price.ts';
import { blockedReasonOf } from '../operations/explain-wait.ts';
import { settle } from './owed-work.ts';
import { announceImages } from './image-set.ts';
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

/** Takes an item's short steps. */
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
 * owed to a workflow, also where one waits for the item or rests with it. Only an accepted write is completed; any other
 * write is a step of the item's workflow.
 */
export function completed(item: Item): Item {
  const { due, updatedAt: now } = item;
  if (due === null || due.by === 'workflow') return item;
  const { item: ahead, step } = takeShortSteps(item, now);
  if (step.kind === 'settle' && item.hasRun !== true) return rested(ahead, now);
  const owed = due.by === 'backlog' && item.hasRun !== true ? due : dueFrom('workflow', startedBy(now), due.trace);
  return { ...ahead, hasRun: true, due: owed };
}

/**
 * The item when no work is left. An item that rests with a problem keeps its run, which shows the problem to operators.
 */
export function rested(item: Item, now: Date): Item {
  const settled = settle(item, now);
  if (settled.hasRun !== true) return settled;
  return blockedReasonOf(settled) === null ? { ...settled, hasRun: false } : { ...settled, due: restingDue(item, now) };
}

/** A resting run looks at its item once a day. If the run was lost, a relay starts another an hour later. */
const restMs = { look: 24 * 3_600_000, grace: 3_600_000 };

/** Keeps a date that is far enough away, so that looks at a resting item write nothing. */
function restingDue({ due }: Item, now: Date): Due {
  const nextLook = now.getTime() + restMs.look;
  if (due?.by === 'workflow' && due.at.getTime() > nextLook) return due;
  return dueFrom('workflow', new Date(nextLook + restMs.grace), due?.trace);
}

/** The process that stores the write starts the workflow. After this time a relay does. */
const startGraceMs = 5_000;
const startedBy = (now: Date): Date => new Date(now.getTime() + startGraceMs);

/** While a workflow works on the item or waits, no relay starts it again (protocol 4). */
const minute = 60_000;
const lookAfterMs = { working: minute, waiting: 60 * minute };

/** The item while its workflow takes the step. */
export function inWorkflow(item: Item, step: LongStep, now: Date): Item {
  const atMs =
    step.kind === 'wait'
      ? Math.max(step.until.getTime() + lookAfterMs.working, now.getTime() + lookAfterMs.waiting)
      : now.getTime() + lookAfterMs.working;
  const isBulk = item.due?.isBulk === true && step.kind !== 'wait';
  const due = { ...dueFrom('workflow', new Date(atMs), item.due?.trace), ...(isBulk && { isBulk }) };
  return { ...atWork(item, step.kind), hasRun: true, due };
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
