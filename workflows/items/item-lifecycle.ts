import {
  condition,
  continueAsNew,
  defineSignal,
  log,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { ActivityFailure, type Duration } from '@temporalio/common';
import type { ItemActivities } from '../../activities/item-activities.ts';
import { explainRest, explainWait } from '../../core/operations/explain-wait.ts';
import { plainTime } from '../../core/operations/plain-words.ts';
import { createVisibility, hideBlock, showBlock, timeIn, type Visibility } from '../visibility.ts';
import { nudgeSignalName, type ItemLifecycleInput } from '../contracts/items.ts';
import { siblingQueue, type QueueKind } from '../contracts/queues.ts';

export const nudgeSignal = defineSignal(nudgeSignalName);

const { advanceItem } = proxyLocalActivities<ItemActivities>({
  startToCloseTimeout: '20 seconds',
  retry: { initialInterval: '250 milliseconds', maximumInterval: '30 seconds' },
});

/** A run takes 10,000 signals; nothing hints at that limit, so a new run begins well before it. */
const nudgesMax = 2_000;

type Advance = Awaited<ReturnType<ItemActivities['advanceItem']>>;
type LongStep = Exclude<Advance, { kind: 'settled' | 'wait' }>;
type Wait = Extract<Advance, { kind: 'wait' }>;
type Settled = Extract<Advance, { kind: 'settled' }>;

/**
 * One item's life while it owes work. Level-triggered: it looks at the document, takes the next step, and looks again until
 * nothing is owed. A nudge only says "look again", so it doesn't matter how many there were or which got lost (protocol 3).
 */
export async function itemLifecycle(input: ItemLifecycleInput): Promise<void> {
  let nudges = 0;
  setHandler(nudgeSignal, () => {
    nudges += 1;
  });
  const mark = createVisibility('working');
  const takeStep = stepTaker(input, mark);
  for (;;) {
    const nudgesSeen = nudges;
    setCurrentDetails('Looking at what the item owes.');
    const advance = await advanceItem(input.itemId);
    if (advance.kind === 'settled') {
      // Nothing is awaited between this comparison and the end, so no nudge can be missed.
      if (nudges === nudgesSeen) {
        restVisibly(advance);
        return;
      }
    } else if (advance.kind === 'wait') {
      await waitVisibly(advance, () => nudges > nudgesSeen);
    } else {
      await takeStep(advance, () => nudges > nudgesSeen);
    }
    if (workflowInfo().continueAsNewSuggested || nudges > nudgesMax) {
      // Search attributes go over to the next run, which would not know that it has something to take away.
      mark.clear();
      await continueAsNew<typeof itemLifecycle>(input);
    }
  }
}

/** Fewer failures in a row are over within seconds. */
const failuresUntilShown = 3;

type StepTaker = (step: LongStep, isNudged: () => boolean) => Promise<void>;

/**
 * What makes an item ready may take long or fail again and again; a nudge has the document looked at meanwhile, so that a
 * take-down never waits for it. The preparation itself goes on and is not begun a second time.
 */
const isPreparation = ({ kind }: LongStep): boolean => kind === 'process-images' || kind === 'enrich';

/** The activities of the long steps, each on the queue of its kind of work. */
function stepTaker({ itemId }: ItemLifecycleInput, mark: Visibility): StepTaker {
  const images = activitiesOn('images', '5 minutes');
  const enrichment = activitiesOn('enrichment', '2 minutes');
  const marketplace = activitiesOn('marketplace', '5 minutes');
  let failures = 0;
  let failingSinceMs = 0;
  const take = async (step: LongStep): Promise<void> => {
    setCurrentDetails(describeStep(step));
    try {
      await run(step);
      failures = 0;
      mark.clear();
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      // How far the step came is in the document; what its outcome was is asked of the marketplace, never assumed.
      failures += 1;
      if (failures === 1) failingSinceMs = Date.now();
      const pauseMs = Math.min(500 * 2 ** failures, 60_000);
      log.warn('item.step_failed', { step: step.kind, failures });
      const reason = step.kind === 'process-images' ? 'image_store' : 'failing_step';
      if (failures >= failuresUntilShown) mark.set({ stage: 'failing', reason });
      setCurrentDetails(
        failures < failuresUntilShown
          ? `${describeStep(step)} It failed, ${failures} in a row; looking again in ${pauseMs / 1_000} s.`
          : `${describeStep(step)}\n\n${explainWait({
              ...{ reason, since: new Date(failingSinceMs), until: timeIn(pauseMs), attempts: failures },
              lastError: error.cause?.message ?? error.message,
            })}`,
      );
      await sleep(pauseMs);
    }
  };
  const preparations = new Map<LongStep['kind'], Promise<void>>();
  return async (step, isNudged) => {
    if (!isPreparation(step)) return take(step);
    const running = preparations.get(step.kind) ?? take(step).finally(() => preparations.delete(step.kind));
    preparations.set(step.kind, running);
    await Promise.race([running, condition(isNudged)]);
  };

  function run(step: LongStep): Promise<void> {
    switch (step.kind) {
      case 'process-images':
        return images.processImages(itemId);
      case 'prepare-listing':
        return marketplace.prepareListing({ itemId, publication: step.publication });
      case 'enrich':
        return enrichment.enrichItem(itemId);
      case 'go-live':
        return marketplace.goLive({ itemId, publication: step.publication });
      case 'revise':
        return marketplace.reviseListing({ itemId, publication: step.publication });
      case 'take-down':
        return marketplace.takeDown({ itemId, publication: step.publication });
    }
  }
}

/** Each is tried once: what comes after a failure is decided by a look at the document. */
const activitiesOn = (kind: QueueKind, startToCloseTimeout: Duration) =>
  proxyActivities<ItemActivities>({
    taskQueue: siblingQueue(workflowInfo().taskQueue, kind),
    startToCloseTimeout,
    heartbeatTimeout: '8 seconds',
    retry: { maximumAttempts: 1 },
  });

function describeStep(step: LongStep): string {
  switch (step.kind) {
    case 'process-images':
      return 'Downloading and hosting the images.';
    case 'enrich':
      return 'Finding out what the caller left to the service: vehicle, category, better text.';
    case 'prepare-listing':
      return `Preparing publication ${step.publication}: draft and images go to the marketplace. Nothing is for sale yet.`;
    case 'go-live':
      return `Putting publication ${step.publication} up for sale and waiting for the marketplace to confirm it.`;
    case 'revise':
      return `Making the auction of publication ${step.publication} show the item as it is now.`;
    case 'take-down':
      return `Taking the auction of publication ${step.publication} down.`;
  }
}

/** Waits in a way that an operator can find and read: why, since when, and what to do. */
async function waitVisibly(wait: Wait, isNudged: () => boolean): Promise<void> {
  const isLong = wait.forMs > 5_000;
  if (isLong) showBlock({ stage: 'waiting', reason: wait.waitingFor, member: wait.member });
  setCurrentDetails(
    explainWait({
      ...{ reason: wait.waitingFor, until: timeIn(wait.forMs), attempts: wait.attempts, lastError: wait.lastError },
      since: wait.since === null ? null : new Date(wait.since),
    }),
  );
  await condition(isNudged, Math.max(1, wait.forMs));
  if (isLong) hideBlock('working');
}

/** The last words of a run. What somebody should look at stays findable by its reason after the run has ended. */
function restVisibly({ blocked }: Settled): void {
  if (blocked === undefined) {
    setCurrentDetails(`Nothing is left to do since ${plainTime(timeIn(0))}.`);
    return;
  }
  setCurrentDetails(explainRest(blocked));
  showBlock({ stage: 'resting', ...blocked });
}
