import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { RecoveryActivities } from '../../activities/activities.ts';
import { createAttempts, failed, listen } from '../attempt-step.ts';
import { createVisibility } from '../visibility.ts';
import { siblingQueue, type RecoverEndpointInput } from '../contracts/workflows.ts';
import { deliveryAttempts } from '../deliveries/deliver-event.ts';

/**
 * Sends the missed events of a target again, oldest first, one at a time, until none is left or the target fails again. The
 * stored row holds the progress, so the workflow may be restarted at any time.
 */
export async function recoverEndpoint({ recoveryId }: RecoverEndpointInput): Promise<void> {
  const { sendMissed } = proxyActivities<RecoveryActivities>({
    taskQueue: siblingQueue(workflowInfo().taskQueue, 'recoveries'),
    startToCloseTimeout: '60 seconds',
    summary: 'send what was missed, oldest first',
    retry: { initialInterval: '250 milliseconds', maximumAttempts: 5 },
  });
  const attempts = deliveryAttempts();
  const shown = createVisibility('sending');
  const attempt = createAttempts(shown, listen());
  let says = 'Finding what was missed.';
  while (!workflowInfo().continueAsNewSuggested) {
    const step = await attempt({ kind: 'send-missed', says, failuresUntilShown: 1 }, () => sendMissed(recoveryId));
    if (step === failed) continue;
    if (step.kind === 'ended') return;
    says = step.progress;
    setCurrentDetails(says);
    if (step.kind === 'follow') await attempts.attemptDelivery(step.deliveryId);
    if (step.kind === 'busy') await sleep(busyPauseMs, { summary: 'another worker makes the attempt' });
  }
  // Search attributes carry over to the next run, which would not know that it must clear them.
  shown.clear();
  await continueAsNew<typeof recoverEndpoint>({ recoveryId });
}

/** The pause while another worker makes the attempt. */
const busyPauseMs = 2_000;
