import {
  condition,
  continueAsNew,
  defineSignal,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ReceiverActivities } from '../../activities/receiver-activities.ts';
import { explainReceiver } from '../../core/operations/explain-wait.ts';
import type { ReceiverTroubleInput } from '../contracts/receivers.ts';
import { lookAgainSignalName } from '../contracts/signals.ts';
import { createVisibility } from '../visibility.ts';

const { lookAtReceiver } = proxyLocalActivities<ReceiverActivities>({
  startToCloseTimeout: '20 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/**
 * Shows operators a webhook target in trouble: the length of its line, the oldest in it, the last error, the next attempt, and what
 * to do. It makes no attempt. It ends when the target is enabled and has all that it missed.
 */
export async function receiverTrouble(input: ReceiverTroubleInput): Promise<void> {
  let signals = 0;
  setHandler(defineSignal(lookAgainSignalName), () => {
    signals += 1;
  });
  const shown = createVisibility('waiting');
  for (;;) {
    const signalsSeen = signals;
    const trouble = await lookAtReceiver(input.target);
    // Nothing is awaited between this comparison and the end, so no signal can be missed.
    if (trouble === null && signals === signalsSeen) {
      setCurrentDetails('The receiver is enabled, answers, and has missed nothing.');
      return;
    }
    if (trouble !== null) {
      setCurrentDetails(explainReceiver(trouble));
      shown.set({ stage: 'waiting', reason: trouble.reason, member: trouble.member });
      await condition(() => signals > signalsSeen, trouble.lookAgainMs);
    }
    if (workflowInfo().continueAsNewSuggested) {
      // Search attributes carry over to the next run, which would not know that it must clear them.
      shown.clear();
      await continueAsNew<typeof receiverTrouble>(input);
    }
  }
}
