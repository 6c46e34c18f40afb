import { CancellationScope, continueAsNew } from '@temporalio/workflow';
import type { ItemLifecycleInput } from '../contracts/workflows.ts';
import { isLongEnough, listen } from '../attempt-step.ts';
import { createVisibility } from '../visibility.ts';
import { createSteps } from './item-steps.ts';
import { rest, showDone, wait } from './item-waits.ts';

/**
 * One item's life while it owes work or rests with a problem. Level-triggered: it reads the item, takes the next step, and repeats
 * until no work is left. A signal only means "look again", so the number of signals and lost ones do not matter (protocol 3).
 * "Request Cancellation" has no effect: an item whose run ended would still owe its work, where no list shows it.
 */
export const itemLifecycle = (input: ItemLifecycleInput): Promise<void> =>
  CancellationScope.nonCancellable(() => liveOn(input));

async function liveOn(input: ItemLifecycleInput): Promise<void> {
  const asked = listen();
  const shown = createVisibility('working');
  const { nextStep, hostImages, enrich, autoPublish, propagatePrice, delist } = createSteps(input, shown, asked);
  for (;;) {
    const signalsSeen = asked.signals;
    const isSignalled = (): boolean => asked.signals > signalsSeen;
    const step = await nextStep();
    switch (step.kind) {
      case 'process-images':
        await hostImages(isSignalled);
        break;
      case 'enrich':
        await enrich(isSignalled);
        break;
      case 'prepare-listing':
      case 'go-live':
        await autoPublish(step);
        break;
      case 'send-price':
        await propagatePrice(step);
        break;
      case 'take-down':
        await delist(step);
        break;
      case 'wait':
        await wait(step, isSignalled);
        break;
      case 'settled':
        // Nothing is awaited between this comparison and the end, so no signal can be missed.
        if (isSignalled()) break;
        if (step.blocked === undefined) {
          showDone();
          return;
        }
        await rest(step.blocked, asked.isInVain, isSignalled);
        break;
      case 'failed':
        break;
    }
    if (isLongEnough(asked)) {
      // Search attributes carry over to the next run, which would not know that it must clear them.
      shown.clear();
      await continueAsNew<typeof itemLifecycle>(input);
    }
  }
}
