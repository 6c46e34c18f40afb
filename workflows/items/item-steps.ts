import {
  condition,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { Duration } from '@temporalio/common';
import type { ItemActivities } from '../../activities/activities.ts';
import { createAttempts, failed, type Asked } from '../attempt-step.ts';
import { siblingQueue, type ItemLifecycleInput, type QueueKind } from '../contracts/workflows.ts';
import type { Visibility } from '../visibility.ts';

/** A few short repetitions. Operators see a step that still fails after them; then the next round begins. */
const { advanceItem, retryItem } = proxyLocalActivities<ItemActivities>({
  startToCloseTimeout: '20 seconds',
  retry: { initialInterval: '250 milliseconds', maximumAttempts: 3 },
});

/** What a look at the item finds. */
export type NextStep = Awaited<ReturnType<ItemActivities['advanceItem']>>;
type Published = Extract<NextStep, { readonly publication: number }>;

/**
 * The steps of an item. The long ones are activities on the queue of their kind. After a failed step comes a pause; then the item is
 * read again.
 */
export function createSteps(item: ItemLifecycleInput, shown: Visibility, asked: Asked) {
  // Each counts its failures in a row: a look that succeeds ends no row of failed steps.
  const attemptLook = createAttempts(shown, asked);
  const attempt = createAttempts(shown, asked);
  const prepare = createPreparations();
  const listing = (does: string) => activitiesOn('marketplace', '5 minutes', does);
  return {
    /** Reads the item, after writing the retries that operators asked for. */
    nextStep: async (): Promise<NextStep | { readonly kind: 'failed' }> => {
      const step = await attemptLook({ kind: 'look', says: 'Looking at what the item owes.' }, async () => {
        const { retries, retriesDone } = asked;
        asked.isInVain = retries > retriesDone && (await retryItem(item)) === 'nothing_to_retry';
        asked.retriesDone = retries;
        return advanceItem(item);
      });
      return step === failed ? { kind: 'failed' } : step;
    },
    hostImages: (isSignalled: () => boolean) =>
      prepare('process-images', isSignalled, (kind) =>
        attempt({ kind, says: 'Downloading and hosting the images.', blockedReason: 'image_store' }, () =>
          inTurn(() => activitiesOn('images', '30 minutes', 'download and host the images').processImages(item)),
        ),
      ),
    enrich: (isSignalled: () => boolean) =>
      prepare('enrich', isSignalled, (kind) =>
        attempt(
          { kind, says: 'Finding out what the caller left to the service: vehicle, category, better text.' },
          () => activitiesOn('enrichment', '2 minutes', 'vehicle, category, better text').enrichItem(item),
        ),
      ),
    /** The draft with its pictures, and then, after another look at the item, the sale. */
    autoPublish: ({ kind, publication }: Published) =>
      kind === 'prepare-listing'
        ? attempt(
            {
              kind,
              says: `Preparing publication ${publication}: draft and images go to the marketplace. Nothing is for sale yet.`,
            },
            () => listing(`publication ${publication}: draft and pictures`).prepareListing({ ...item, publication }),
          )
        : attempt(
            {
              kind,
              says: `Putting publication ${publication} up for sale and waiting for the marketplace to confirm it.`,
            },
            () => listing(`publication ${publication}: put up for sale`).goLive({ ...item, publication }),
          ),
    propagatePrice: ({ kind, publication }: Published) =>
      attempt({ kind, says: `Giving the auction of publication ${publication} the item's prices.` }, () =>
        listing(`publication ${publication}: set the price`).sendPrice({ ...item, publication }),
      ),
    delist: ({ kind, publication }: Published) =>
      attempt({ kind, says: `Taking the auction of publication ${publication} down.` }, () =>
        listing(`publication ${publication}: take it down`).takeDown({ ...item, publication }),
      ),
  };
}

/** Repeats a step that the worker refused, because this account already uses its share of the worker. */
async function inTurn(step: () => ReturnType<ItemActivities['processImages']>): Promise<void> {
  for (let waitMs = 2_000; (await step()) === 'crowded'; waitMs = Math.min(2 * waitMs, 60_000)) {
    setCurrentDetails(`Images of other items of this account come first; asking again in ${waitMs / 1_000} s.`);
    await sleep(waitMs, { summary: 'images of other items of this account come first' });
  }
}

/**
 * Preparing an item may take long or fail repeatedly. A signal makes the workflow read the item meanwhile, so that a take-down
 * never waits for it. The preparation goes on and is not started twice.
 */
function createPreparations() {
  const running = new Map<string, Promise<unknown>>();
  return async (kind: string, isSignalled: () => boolean, begin: (kind: string) => Promise<unknown>): Promise<void> => {
    const work = running.get(kind) ?? begin(kind).finally(() => running.delete(kind));
    running.set(kind, work);
    await Promise.race([work, condition(isSignalled)]);
  };
}

/** Each activity is attempted once: after a failure the next look at the item decides. */
const activitiesOn = (kind: QueueKind, startToCloseTimeout: Duration, summary: string) =>
  proxyActivities<ItemActivities>({
    taskQueue: siblingQueue(workflowInfo().taskQueue, kind),
    startToCloseTimeout,
    summary,
    heartbeatTimeout: '8 seconds',
    retry: { maximumAttempts: 1 },
  });
