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
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { ActivityFailure } from '@temporalio/common';
import type { ItemActivities } from '../../activities/item-activities.ts';
import { nudgeSignalName, type ItemLifecycleInput } from '../contracts/items.ts';
import { siblingQueue } from '../contracts/queues.ts';
import { blockedReasonKey, stageKey } from '../contracts/search-attributes.ts';

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

/**
 * One item's life while it owes work. Level-triggered: it looks at the document, takes the next step, and looks again until
 * nothing is owed. A nudge only says "look again", so it doesn't matter how many there were or which got lost (protocol 3).
 */
export async function itemLifecycle(input: ItemLifecycleInput): Promise<void> {
  let nudges = 0;
  setHandler(nudgeSignal, () => {
    nudges += 1;
  });
  const takeStep = stepTaker(input);
  for (;;) {
    const nudgesSeen = nudges;
    setCurrentDetails('Looking at what the item owes.');
    const advance = await advanceItem(input.itemId);
    if (advance.kind === 'settled') {
      // Nothing is awaited between this comparison and the end, so no nudge can be missed.
      if (nudges === nudgesSeen) return;
    } else if (advance.kind === 'wait') {
      await waitVisibly(advance, () => nudges > nudgesSeen);
    } else {
      await takeStep(advance);
    }
    if (workflowInfo().continueAsNewSuggested || nudges > nudgesMax) await continueAsNew<typeof itemLifecycle>(input);
  }
}

/** The activities of the long steps, each on the queue of its kind of work. */
function stepTaker({ itemId }: ItemLifecycleInput): (step: LongStep) => Promise<void> {
  const { taskQueue } = workflowInfo();
  const images = proxyActivities<ItemActivities>({
    taskQueue: siblingQueue(taskQueue, 'images'),
    startToCloseTimeout: '5 minutes',
    heartbeatTimeout: '8 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  });
  const enrichment = proxyActivities<ItemActivities>({
    taskQueue: siblingQueue(taskQueue, 'enrichment'),
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '8 seconds',
    retry: { maximumAttempts: 1 },
  });
  const marketplace = proxyActivities<ItemActivities>({
    taskQueue: siblingQueue(taskQueue, 'marketplace'),
    startToCloseTimeout: '5 minutes',
    heartbeatTimeout: '8 seconds',
    retry: { maximumAttempts: 1 },
  });
  let failures = 0;
  return async (step) => {
    setCurrentDetails(describeStep(step));
    try {
      await run(step);
      failures = 0;
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      // How far the step came is in the document; what its outcome was is asked of the marketplace, never assumed.
      failures += 1;
      const pauseMs = Math.min(500 * 2 ** failures, 60_000);
      log.warn('item.step_failed', { step: step.kind, failures });
      setCurrentDetails(
        `${describeStep(step)} It failed, ${failures} in a row; looking again in ${pauseMs / 1_000} s.`,
      );
      await sleep(pauseMs);
    }
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
  if (isLong) {
    upsertSearchAttributes([
      { key: stageKey, value: 'waiting' },
      { key: blockedReasonKey, value: wait.waitingFor },
    ]);
  }
  setCurrentDetails(
    `Waiting for **${wait.waitingFor}**, at most ${Math.ceil(wait.forMs / 1_000)} s. Last error: ${wait.lastError ?? 'none'}`,
  );
  await condition(isNudged, Math.max(1, wait.forMs));
  if (isLong) {
    upsertSearchAttributes([
      { key: stageKey, value: 'working' },
      { key: blockedReasonKey, value: null },
    ]);
  }
}
