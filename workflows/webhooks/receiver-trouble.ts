import { condition, continueAsNew, proxyLocalActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { ReceiverActivities } from '../../activities/activities.ts';
import { explainReceiver } from '../../core/operations/explain-wait.ts';
import { createAttempts, failed, listen } from '../attempt-step.ts';
import { createVisibility } from '../visibility.ts';
import type { ReceiverTroubleInput } from '../contracts/workflows.ts';

const { lookAtReceiver, retryReceiver } = proxyLocalActivities<ReceiverActivities>({
  startToCloseTimeout: '20 seconds',
  retry: { initialInterval: '250 milliseconds', maximumAttempts: 3 },
});

/**
 * Shows operators a webhook target in trouble: how many deliveries wait, the oldest of them, the last error, the next
 * attempt, and what to do. It makes no attempt. `retry` enables what the service disabled, and starts a recovery. The
 * workflow ends when the target is enabled and has received all that it missed.
 */
export async function receiverTrouble({ target }: ReceiverTroubleInput): Promise<void> {
  const asked = listen();
  const shown = createVisibility('waiting');
  const attempt = createAttempts(shown, asked);
  let says = 'Looking at the receiver.';
  for (;;) {
    const { signals: signalsSeen, retries } = asked;
    const trouble = await attempt({ kind: 'look', says }, async () => {
      asked.isInVain = retries > asked.retriesDone && (await retryReceiver(target)) === 'nothing_to_retry';
      asked.retriesDone = retries;
      return lookAtReceiver(target);
    });
    // Nothing is awaited between this comparison and the end, so no signal can be missed.
    if (trouble === null && asked.signals === signalsSeen) {
      setCurrentDetails('The receiver is enabled, answers, and has missed nothing; or it was deleted.');
      shown.clear();
      return;
    }
    if (trouble !== null && trouble !== failed) {
      // The last known state stays readable while the target is read again.
      says = explainReceiver({ ...trouble, isRetryInVain: asked.isInVain });
      setCurrentDetails(says);
      shown.set({ stage: 'waiting', reason: trouble.reason, member: trouble.member });
      const summary = `looks again: ${trouble.reason}`;
      await condition(() => asked.signals > signalsSeen, trouble.lookAgainMs, { summary });
    }
    if (workflowInfo().continueAsNewSuggested && asked.retries === asked.retriesDone) {
      // Search attributes carry over to the next run, which would not know that it must clear them.
      shown.clear();
      await continueAsNew<typeof receiverTrouble>({ target });
    }
  }
}
