import { proxyActivities, setCurrentDetails, setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import type { DeliveryActivities } from '../../activities/activities.ts';
import { attemptsMax } from '../../core/webhooks/delivery.ts';
import { siblingQueue, type DeliverEventInput } from '../contracts/workflows.ts';

/**
 * Makes the attempts of deliveries. Each try of the activity is one attempt. A failed one tells the engine in how many
 * seconds the next is due (1, 2, 4, 8). So the engine's page shows the last error and the next attempt.
 */
export const deliveryAttempts = (): DeliveryActivities =>
  proxyActivities<DeliveryActivities>({
    taskQueue: siblingQueue(workflowInfo().taskQueue, 'attempts'),
    startToCloseTimeout: '45 seconds',
    heartbeatTimeout: '8 seconds',
    // For tries that end without a result: the worker died, or the database is unreachable.
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '8 seconds' },
    summary: 'each try of it is one attempt',
  });

/**
 * One delivery whose first attempt has failed, or that a person asked for. It is attempted at most five times, with
 * growing waits, until the receiver accepts it. Each attempt is logged, and the fifth failure counts against the
 * endpoint. The stored row holds the progress, so a restarted workflow makes no extra attempt (protocol 14, 15).
 */
export async function deliverEvent({ deliveryId }: DeliverEventInput): Promise<void> {
  setCurrentDetails(
    `Attempts this delivery until the receiver has it, ${attemptsMax} times at most. The pending activity shows the last error.`,
  );
  await deliveryAttempts().attemptDelivery(deliveryId);
}

/** A delivery ends on the build it began with. The server accepts this option only from workers with versions. */
setWorkflowOptions(
  () =>
    (workflowInfo().currentDeploymentVersion?.deploymentName ?? '') === '' ? {} : { versioningBehavior: 'PINNED' },
  deliverEvent,
);
