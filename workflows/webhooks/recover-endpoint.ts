import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { RecoveryActivities } from '../../activities/recovery-activities.ts';
import { siblingQueue } from '../contracts/queues.ts';
import type { RecoverEndpointInput } from '../contracts/recoveries.ts';
import { deliveryAttempts } from './attempts.ts';

/**
 * Sends the missed events of a target again, oldest first, one at a time, until none is left or the target fails again. The
 * stored row holds the progress, so the workflow may be restarted at any time.
 */
export async function recoverEndpoint({ recoveryId }: RecoverEndpointInput): Promise<void> {
  const { sendMissed } = proxyActivities<RecoveryActivities>({
    taskQueue: siblingQueue(workflowInfo().taskQueue, 'recoveries'),
    startToCloseTimeout: '60 seconds',
    retry: { initialInterval: '250 milliseconds', maximumInterval: '2 seconds' },
  });
  const attempts = deliveryAttempts();
  while (!workflowInfo().continueAsNewSuggested) {
    const step = await sendMissed(recoveryId);
    if (step.kind === 'ended') return;
    setCurrentDetails(step.progress);
    if (step.kind === 'follow') await attempts.attemptDelivery(step.deliveryId);
    if (step.kind === 'busy') await sleep(busyPauseMs);
  }
  await continueAsNew<typeof recoverEndpoint>({ recoveryId });
}

/** Used while another worker makes the attempt. */
const busyPauseMs = 2_000;
