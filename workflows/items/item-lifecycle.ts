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
import type { BlockedReason } from '../../core/operations/reasons.ts';
import { plainTime } from '../../core/operations/plain-words.ts';
import { createVisibility, hideBlock, showBlock, timeIn, type Visibility } from '../visibility.ts';
import type { ItemLifecycleInput } from '../contracts/items.ts';
import { siblingQueue, type QueueKind } from '../contracts/queues.ts';
import { lookAgainSignalName } from '../contracts/signals.ts';

export const lookAgainSignal = defineSignal(lookAgainSignalName);

const { advanceItem } = proxyLocalActivities<ItemActivities>({
  startToCloseTimeout: '20 seconds',
  retry: { initialInterval: '250 milliseconds', maximumInterval: '30 seconds' },
});

/** A run accepts 10,000 signals and gives no warning before that limit, so a new run begins well before it. */
const signalsMax = 2_000;

type Owed = Awaited<ReturnType<ItemActivities['advanceItem']>>;
type Wait = Extract<Owed, { kind: 'wait' }>;
type Settled = Extract<Owed, { kind: 'settled' }>;

/**
 * One item's life while it owes work. Level-triggered: it reads the item, takes the next step, and repeats until no work is left.
 * A signal only means "look again", so the number of signals and lost ones do not matter (protocol 3).
 */
export async function itemLifecycle(input: ItemLifecycleInput): Promise<void> {
  const { itemId } = input;
  let signals = 0;
  setHandler(lookAgainSignal, () => {
    signals += 1;
  });
  const shown = createVisibility('working');
  const { hostImages, enrich, prepareListing, publish, revise, takeDown } = createSteps(itemId, shown);
  for (;;) {
    const signalsSeen = signals;
    const isSignalled = (): boolean => signals > signalsSeen;
    setCurrentDetails('Looking at what the item owes.');
    const owed = await advanceItem(itemId);
    switch (owed.kind) {
      case 'process-images':
        await hostImages(isSignalled);
        break;
      case 'enrich':
        await enrich(isSignalled);
        break;
      case 'prepare-listing':
        await prepareListing(owed.publication);
        break;
      case 'go-live':
        await publish(owed.publication);
        break;
      case 'revise':
        await revise(owed.publication);
        break;
      case 'take-down':
        await takeDown(owed.publication);
        break;
      case 'wait':
        await waitVisibly(owed, isSignalled);
        break;
      case 'settled':
        // Nothing is awaited between this comparison and the end, so no signal can be missed.
        if (isSignalled()) break;
        restVisibly(owed);
        return;
    }
    if (workflowInfo().continueAsNewSuggested || signals > signalsMax) {
      // Search attributes carry over to the next run, which would not know that it must clear them.
      shown.clear();
      await continueAsNew<typeof itemLifecycle>(input);
    }
  }
}

/** The long steps of an item, each an activity on the queue of its kind. A failed step pauses; then the item is read again. */
function createSteps(itemId: ItemLifecycleInput['itemId'], shown: Visibility) {
  const images = activitiesOn('images', '30 minutes');
  const enrichment = activitiesOn('enrichment', '2 minutes');
  const marketplace = activitiesOn('marketplace', '5 minutes');
  const attempt = createAttempts(shown);
  const prepare = createPreparations();
  const publicationStep = (kind: string, says: string, work: () => Promise<void>) => attempt({ kind, says }, work);
  return {
    hostImages: (isSignalled: () => boolean) =>
      prepare('process-images', isSignalled, (kind) =>
        attempt({ kind, says: 'Downloading and hosting the images.', blockedReason: 'image_store' }, () =>
          inTurn(() => images.processImages(itemId)),
        ),
      ),
    enrich: (isSignalled: () => boolean) =>
      prepare('enrich', isSignalled, (kind) =>
        attempt(
          { kind, says: 'Finding out what the caller left to the service: vehicle, category, better text.' },
          () => enrichment.enrichItem(itemId),
        ),
      ),
    prepareListing: (publication: number) =>
      publicationStep(
        'prepare-listing',
        `Preparing publication ${publication}: draft and images go to the marketplace. Nothing is for sale yet.`,
        () => marketplace.prepareListing({ itemId, publication }),
      ),
    publish: (publication: number) =>
      publicationStep(
        'go-live',
        `Putting publication ${publication} up for sale and waiting for the marketplace to confirm it.`,
        () => marketplace.goLive({ itemId, publication }),
      ),
    revise: (publication: number) =>
      publicationStep('revise', `Making the auction of publication ${publication} show the item as it is now.`, () =>
        marketplace.reviseListing({ itemId, publication }),
      ),
    takeDown: (publication: number) =>
      publicationStep('take-down', `Taking the auction of publication ${publication} down.`, () =>
        marketplace.takeDown({ itemId, publication }),
      ),
  };
}

/** Repeats a step that a worker did not begin, because it has many items of the account at hand. */
async function inTurn(step: () => ReturnType<ItemActivities['processImages']>): Promise<void> {
  for (let waitMs = 2_000; (await step()) === 'crowded'; waitMs = Math.min(2 * waitMs, 60_000)) {
    setCurrentDetails(`Images of other items of this account come first; asking again in ${waitMs / 1_000} s.`);
    await sleep(waitMs);
  }
}

/**
 * Preparing an item may take long or fail repeatedly. A signal makes the workflow read the item meanwhile, so that a take-down
 * never waits for it. The preparation goes on and is not started twice.
 */
function createPreparations() {
  const running = new Map<string, Promise<void>>();
  return async (kind: string, isSignalled: () => boolean, begin: (kind: string) => Promise<void>): Promise<void> => {
    const work = running.get(kind) ?? begin(kind).finally(() => running.delete(kind));
    running.set(kind, work);
    await Promise.race([work, condition(isSignalled)]);
  };
}

/** Fewer failures in a row are over within seconds. */
const failuresUntilShown = 3;

interface Step {
  readonly kind: string;
  /** The present work, for operators. */
  readonly says: string;
  /** The blocked reason after repeated failures. */
  readonly blockedReason?: BlockedReason;
}

/** Tries a step once. The item holds the progress of a failed step; its outcome is read from the marketplace, never assumed. */
function createAttempts(shown: Visibility) {
  let failures = 0;
  let failingSinceMs = 0;
  return async ({ kind, says, blockedReason = 'failing_step' }: Step, work: () => Promise<void>): Promise<void> => {
    setCurrentDetails(says);
    try {
      await work();
      failures = 0;
      shown.clear();
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      failures += 1;
      if (failures === 1) failingSinceMs = Date.now();
      const pauseMs = Math.min(500 * 2 ** failures, 60_000);
      log.warn('item.step_failed', { step: kind, failures });
      if (failures >= failuresUntilShown) shown.set({ stage: 'failing', reason: blockedReason });
      setCurrentDetails(
        failures < failuresUntilShown
          ? `${says} It failed, ${failures} in a row; looking again in ${pauseMs / 1_000} s.`
          : `${says}\n\n${explainWait({
              ...{ reason: blockedReason, since: new Date(failingSinceMs), until: timeIn(pauseMs), attempts: failures },
              lastError: error.cause?.message ?? error.message,
            })}`,
      );
      await sleep(pauseMs);
    }
  };
}

/** Each is attempted once: after a failure the next look at the item decides. */
const activitiesOn = (kind: QueueKind, startToCloseTimeout: Duration) =>
  proxyActivities<ItemActivities>({
    taskQueue: siblingQueue(workflowInfo().taskQueue, kind),
    startToCloseTimeout,
    heartbeatTimeout: '8 seconds',
    retry: { maximumAttempts: 1 },
  });

/** Waits with a blocked reason that an operator can find and read: why, since when, and what to do. */
async function waitVisibly(wait: Wait, isSignalled: () => boolean): Promise<void> {
  const isLong = wait.forMs > 5_000;
  if (isLong) showBlock({ stage: 'waiting', reason: wait.waitingFor, member: wait.member });
  setCurrentDetails(
    explainWait({
      ...{ reason: wait.waitingFor, until: timeIn(wait.forMs), attempts: wait.attempts, lastError: wait.lastError },
      since: wait.since === null ? null : new Date(wait.since),
    }),
  );
  await condition(isSignalled, Math.max(1, wait.forMs));
  if (isLong) hideBlock('working');
}

/** Sets the last details of a run. An item that needs attention stays findable by its reason after the run has ended. */
function restVisibly({ blocked }: Settled): void {
  if (blocked === undefined) {
    setCurrentDetails(`Nothing is left to do since ${plainTime(timeIn(0))}.`);
    return;
  }
  setCurrentDetails(explainRest(blocked));
  showBlock({ stage: 'resting', ...blocked });
}
