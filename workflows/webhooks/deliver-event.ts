import { continueAsNew, proxyActivities, setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import type { DeliveryActivities } from '../../activities/delivery-activities.ts';
import { createVisibility } from '../visibility.ts';
import type { DeliverEventInput } from '../contracts/deliveries.ts';
import { siblingQueue } from '../contracts/queues.ts';
import { finishDelivery } from './finish-delivery.ts';

/**
 * One delivery: up to five attempts with growing waits. The stored row holds the progress, so the workflow may be restarted at
 * any time without an extra attempt (protocol 14, 15).
 */
export async function deliverEvent({ deliveryId }: DeliverEventInput): Promise<void> {
  const { attemptDelivery } = proxyActivities<DeliveryActivities>({
    taskQueue: siblingQueue(workflowInfo().taskQueue, 'attempts'),
    startToCloseTimeout: '20 seconds',
    retry: { initialInterval: '250 milliseconds', maximumInterval: '2 seconds' },
  });
  // Never cleared: the run ends with the delivery.
  const attempts = { attemptDelivery, mark: createVisibility('sending') };
  const isFinished = await finishDelivery(deliveryId, await attemptDelivery(deliveryId), attempts);
  if (!isFinished) await continueAsNew<typeof deliverEvent>({ deliveryId });
}

/** A delivery ends on the build it began with. The server accepts this option only from workers with versions. */
setWorkflowOptions(
  () =>
    (workflowInfo().currentDeploymentVersion?.deploymentName ?? '') === '' ? {} : { versioningBehavior: 'PINNED' },
  deliverEvent,
);
