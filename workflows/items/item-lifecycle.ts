import {
  CancellationScope,
  condition,
  continueAsNew,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { Duration } from '@temporalio/common';
import type { ItemActivities } from '../../activities/activities.ts';
import { explainRest, explainWait, plainTime } from '../../core/operations/explain-wait.ts';
import { isTrouble } from '../../core/operations/reasons.ts';
import { createAttempts, failed, listen, type Asked } from '../attempt-step.ts';
import { createVisibility, hideBlock, showBlock, timeIn, type Visibility } from '../visibility.ts';
import { siblingQueue, type ItemLifecycleInput, type QueueKind } from '../contracts/workflows.ts';

/** A few short repetitions. Operators see a step that still fails after them; then the next round begins. */
const { advanceItem, retryItem } = proxyLocalActivities<ItemActivities>({
  startToCloseTimeout: '20 seconds',
  retry: { initialInterval: '250 milliseconds', maximumAttempts: 3 },
});

/** A run accepts 10,000 signals and gives no warning before that limit, so a new run begins well before it. */
const signalsMax = 2_000;

type Owed = Awaited<ReturnType<ItemActivities['advanceItem']>>;
type Wait = Extract<Owed, { kind: 'wait' }>;
type Rest = NonNullable<Extract<Owed, { kind: 'settled' }>['blocked']>;

/**
 * One item's life while it owes work or rests with a problem. Level-triggered: it reads the item, takes the next step, and repeats
 * until no work is left. A signal only means "look again", so the number of signals and lost ones do not matter (protocol 3).
 * "Request Cancellation" has no effect: an item whose run ended would still owe its work, where no list shows it.
 */
export const itemLifecycle = (input: ItemLifecycleInput): Promise<void> =>
  CancellationScope.nonCancellable(() => liveOn(input));

async function liveOn(input: ItemLifecycleInput): Promise<void> {
  const { itemId } = input;
  const asked = listen();
  const shown = createVisibility('working');
  const look = createLook(itemId, shown, asked);
  const { hostImages, enrich, prepareListing, publish, sendPrice, takeDown } = createSteps(itemId, shown, asked);
  for (;;) {
    const signalsSeen = asked.signals;
    const isSignalled = (): boolean => asked.signals > signalsSeen;
    const owed = await look();
    switch (owed.kind) {
      case 'failed':
        break;
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
      case 'send-price':
        await sendPrice(owed.publication);
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
        if (owed.blocked === undefined) {
          setCurrentDetails(`Nothing is left to do since ${plainTime(timeIn(0))}.`);
          return;
        }
        await restVisibly(owed.blocked, asked.isInVain, isSignalled);
        break;
    }
    if (isLongEnough(asked)) {
      // Search attributes carry over to the next run, which would not know that it must clear them.
      shown.clear();
      await continueAsNew<typeof itemLifecycle>(input);
    }
  }
}

/** A retry is stored in no row before it is done, so a continued run would lose it. */
const isLongEnough = ({ signals, retries, retriesDone }: Asked): boolean =>
  (workflowInfo().continueAsNewSuggested || signals > signalsMax) && retries === retriesDone;

/** Reads the item, after writing the retries that operators asked for. */
function createLook(itemId: ItemLifecycleInput['itemId'], shown: Visibility, asked: Asked) {
  const attempt = createAttempts(shown, asked);
  const step = { kind: 'look', says: 'Looking at what the item owes.' };
  const work = async (): Promise<Owed> => {
    const { retries, retriesDone } = asked;
    asked.isInVain = retries > retriesDone && (await retryItem(itemId)) === 'nothing_to_retry';
    asked.retriesDone = retries;
    return advanceItem(itemId);
  };
  return async (): Promise<Owed | { readonly kind: 'failed' }> => {
    const owed = await attempt(step, work);
    return owed === failed ? { kind: 'failed' } : owed;
  };
}

/** The long steps of an item, each an activity on the queue of its kind. A failed step pauses; then the item is read again. */
function createSteps(itemId: ItemLifecycleInput['itemId'], shown: Visibility, asked: Asked) {
  const attempt = createAttempts(shown, asked);
  const prepare = createPreparations();
  const listing = (publication: number, does: string) =>
    activitiesOn('marketplace', '5 minutes', `publication ${publication}: ${does}`);
  const publicationStep = (kind: string, says: string, work: () => Promise<void>) => attempt({ kind, says }, work);
  return {
    hostImages: (isSignalled: () => boolean) =>
      prepare('process-images', isSignalled, (kind) =>
        attempt({ kind, says: 'Downloading and hosting the images.', blockedReason: 'image_store' }, () =>
          inTurn(() => activitiesOn('images', '30 minutes', 'download and host the images').processImages(itemId)),
        ),
      ),
    enrich: (isSignalled: () => boolean) =>
      prepare('enrich', isSignalled, (kind) =>
        attempt(
          { kind, says: 'Finding out what the caller left to the service: vehicle, category, better text.' },
          () => activitiesOn('enrichment', '2 minutes', 'vehicle, category, better text').enrichItem(itemId),
        ),
      ),
    prepareListing: (publication: number) =>
      publicationStep(
        'prepare-listing',
        `Preparing publication ${publication}: draft and images go to the marketplace. Nothing is for sale yet.`,
        () => listing(publication, 'draft and pictures').prepareListing({ itemId, publication }),
      ),
    publish: (publication: number) =>
      publicationStep(
        'go-live',
        `Putting publication ${publication} up for sale and waiting for the marketplace to confirm it.`,
        () => listing(publication, 'put up for sale').goLive({ itemId, publication }),
      ),
    sendPrice: (publication: number) =>
      publicationStep('send-price', `Giving the auction of publication ${publication} the item's prices.`, () =>
        listing(publication, 'set the price').sendPrice({ itemId, publication }),
      ),
    takeDown: (publication: number) =>
      publicationStep('take-down', `Taking the auction of publication ${publication} down.`, () =>
        listing(publication, 'take it down').takeDown({ itemId, publication }),
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

/** A caller chooses when an auction begins, and the engine's timers can't hold every date. */
const waitMaxMs = 30 * 86_400_000;

/** Waits with a blocked reason that operators can find and read: why, since when, and what to do. */
async function waitVisibly(wait: Wait, isSignalled: () => boolean): Promise<void> {
  const isListed = wait.forMs > 5_000 && isTrouble(wait.waitingFor);
  if (isListed) showBlock({ stage: 'waiting', reason: wait.waitingFor, member: wait.member });
  setCurrentDetails(
    explainWait({
      ...{ reason: wait.waitingFor, until: timeIn(wait.forMs), attempts: wait.attempts, lastError: wait.lastError },
      since: wait.since === null ? null : new Date(wait.since),
    }),
  );
  await condition(isSignalled, Math.min(Math.max(1, wait.forMs), waitMaxMs), { summary: `waits: ${wait.waitingFor}` });
  if (isListed) hideBlock('working');
}

/** How often a resting run reads its item, in case the database was corrected by hand. */
const restMs = 86_400_000;

/**
 * Holds the run of an item that owes nothing and needs attention. So operators find it among the running workflows and
 * can retry it. Any write of the item wakes it.
 */
async function restVisibly(blocked: Rest, isRetryInVain: boolean, isSignalled: () => boolean): Promise<void> {
  setCurrentDetails(explainRest({ ...blocked, isRetryInVain }));
  showBlock({ stage: 'resting', ...blocked });
  await condition(isSignalled, restMs, { summary: `rests: ${blocked.reason}` });
  hideBlock('working');
}
