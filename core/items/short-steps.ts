import { dueFrom, type Due } from '../due.ts';
import { callOff, redraft } from '../listings/publication.ts';
import { confirmShown } from '../listings/price.ts';
import { blockedReasonOf } from '../operations/explain-wait.ts';
import { isEmptied, settle } from './owed-work.ts';
import { announceImages } from './image-set.ts';
import type { Item, OutboxEntry } from './item.ts';
import type { JournalEntry } from './journal.ts';
import { nextStep, type NextStep } from './next-step.ts';

/** The result of an item's short steps. One write stores all of it. */
export interface ShortSteps {
  /** The item after the steps, with an empty outbox. */
  readonly item: Item;
  /** The events that its outbox held, and those that the steps added, in this order. */
  readonly events: readonly OutboxEntry[];
  readonly journal: readonly JournalEntry[];
  /** The first step that is not short. */
  readonly step: LongStep;
}

/** Steps that are done by the write that stores them, without a call outside the database. */
const shortSteps = {
  'store-outbox': (item: Item) => item,
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

/** Takes an item's short steps in memory. Events that arise on the way count as accepted `now`. */
export function takeShortSteps(item: Item, now: Date): ShortSteps {
  const [events, journal]: [OutboxEntry[], JournalEntry[]] = [[], []];
  let ahead = item;
  for (let taken = 0; taken < stepsMax; taken += 1) {
    events.push(...ahead.outbox.map((entry) => ({ ...entry, acceptedAt: entry.acceptedAt ?? now })));
    journal.push(...ahead.journal);
    ahead = emptied(ahead);
    const step = nextStep(ahead, now);
    if (!isShort(step)) return { item: ahead, events, journal, step };
    ahead = shortSteps[step.kind](ahead, now);
  }
  throw new Error(`item ${item.id} took more than ${stepsMax} short steps`);
}

const emptied = (item: Item): Item =>
  isEmptied(item) ? item : { ...item, outbox: [], journal: [], pendingOrders: [] };

/**
 * The item when no work is left. An item that rests with a problem keeps its run, which shows the problem to operators.
 */
export function rested(item: Item, now: Date): Item {
  const settled = settle(item, now);
  if (settled.hasRun !== true) return settled;
  return blockedReasonOf(settled) === null ? { ...settled, hasRun: false } : { ...settled, due: restingDue(item, now) };
}

/** A resting run looks at its item once a day. If the run was lost, the dispatcher starts another an hour later. */
const restMs = { look: 24 * 3_600_000, grace: 3_600_000 };

/** Keeps a date that is far enough away, so that looks at a resting item write nothing. */
function restingDue({ due }: Item, now: Date): Due {
  const nextLook = now.getTime() + restMs.look;
  if (due?.by === 'workflow' && due.at.getTime() > nextLook) return due;
  return dueFrom('workflow', new Date(nextLook + restMs.grace), due?.trace);
}

/** After this time without a start, the dispatcher checks whether the start was lost. */
const startGraceMs = 5_000;

/**
 * The item when its next step is a workflow's: it calls outside, waits, or is for operators to see. An item with a
 * running workflow always goes there, so that the workflow sees the change.
 */
export const forWorkflow = (item: Item, { kind }: LongStep, now: Date): Item => ({
  ...atWork(item, kind),
  hasRun: true,
  due: dueFrom('workflow', new Date(now.getTime() + startGraceMs), item.due?.trace),
});

/** While a workflow works on the item or waits, the dispatcher leaves it alone (protocol 4). */
const minute = 60_000;
const lookAfterMs = { working: minute, waiting: 60 * minute };

/** The item while its workflow takes the step. */
export function inWorkflow(item: Item, step: LongStep, now: Date): Item {
  const atMs =
    step.kind === 'wait'
      ? Math.max(step.until.getTime() + lookAfterMs.working, now.getTime() + lookAfterMs.waiting)
      : now.getTime() + lookAfterMs.working;
  return { ...atWork(item, step.kind), hasRun: true, due: dueFrom('workflow', new Date(atMs), item.due?.trace) };
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
