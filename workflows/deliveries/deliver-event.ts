import { setCurrentDetails, setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import { attemptsMax } from '../../core/webhooks/delivery.ts';
import type { DeliverEventInput } from '../contracts/deliveries.ts';
import { deliveryAttempts } from './attempts.ts';

/**
 * One delivery whose first attempt has failed, or that a person asked for: it is attempted, five times at most, with growing waits,
 * until the receiver has it. Each attempt is logged, and the fifth failure counts against the endpoint. The stored row holds the
 * progress, so the workflow may be restarted at any time without an extra attempt (protocol 14, 15).
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
