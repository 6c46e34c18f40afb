import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { DeliveryActivities } from '../../activities/delivery-activities.ts';
import type { RecoveryActivities } from '../../activities/recovery-activities.ts';
import { createVisibility } from '../visibility.ts';
import { siblingQueue } from '../contracts/queues.ts';
import type { RecoverEndpointInput } from '../contracts/recoveries.ts';
import { finishDelivery } from './finish-delivery.ts';

/**
 * Sends the missed events of a target again, oldest first, one at a time, until none is left or the target fails again. The
 * stored row holds the progress, so the workflow may be restarted at any time.
 */
export async function recoverEndpoint({ recoveryId }: RecoverEndpointInput): Promise<void> {
  const { taskQueue } = workflowInfo();
  const { sendMissed } = proxyActivities<RecoveryActivities>({
    ...patiently,
    taskQueue: siblingQueue(taskQueue, 'recoveries'),
  });
  const { attemptDelivery } = proxyActivities<DeliveryActivities>({
    ...patiently,
    taskQueue: siblingQueue(taskQueue, 'attempts'),
  });
  const mark = createVisibility('sending');
  while (!workflowInfo().continueAsNewSuggested) {
    const step = await sendMissed(recoveryId);
    if (step.kind === 'ended') return;
    setCurrentDetails(step.progress);
    if (step.kind === 'follow') {
      await finishDelivery(step.deliveryId, step.step, { attemptDelivery, mark });
      mark.clear();
    }
    if (step.kind === 'busy') await sleep(busyPauseMs);
  }
  await continueAsNew<typeof recoverEndpoint>({ recoveryId });
}

const patiently = {
  startToCloseTimeout: '40 seconds',
  retry: { initialInterval: '250 milliseconds', maximumInterval: '2 seconds' },
} as const;

/** Used while another worker makes the attempt. */
const busyPauseMs = 2_000;
