import {
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setWorkflowOptions,
  sleep as sleepMs,
  workflowInfo,
} from '@temporalio/workflow';
import type { DeliveryActivities } from '../../activities/activities.ts';
import { attemptsMax, waitBefore } from '../../features/webhooks/rules/retry-schedule.ts';
import { siblingQueue, type DeliverEventInput } from '../contracts/workflows.ts';

/**
 * One delivery that its process could not make at the first attempt, or that a person asked for. The row counts the attempts, each
 * reserved by compare-and-set, so a restarted workflow makes no further one (protocol 14, 15).
 */
export async function deliverEvent({ deliveryId: _id, accountId, attempt }: DeliverEventInput): Promise<void> {
  const delivery = { _id, accountId };
  for (; attempt <= attemptsMax; attempt += 1) {
    await sleep(waitBefore(attempt));
    if ((await attemptDelivery(delivery, attempt)) !== 'failed') return;
  }
  await countFailure(delivery);
}

/** Operators read which attempt comes next, and when. */
async function sleep(ms: number): Promise<void> {
  if (ms > 0) await sleepMs(ms, { summary: 'before the next attempt' });
}

const { countFailure } = proxyLocalActivities<DeliveryActivities>({
  startToCloseTimeout: '20 seconds',
  retry: { initialInterval: '250 milliseconds', maximumInterval: '8 seconds' },
});

const attemptDelivery: DeliveryActivities['attemptDelivery'] = (delivery, attempt) => {
  setCurrentDetails(`Attempt ${attempt} of ${attemptsMax}. The delivery log has the errors of the earlier ones.`);
  return proxyActivities<DeliveryActivities>({
    taskQueue: siblingQueue(workflowInfo().taskQueue, 'attempts'),
    startToCloseTimeout: '45 seconds',
    heartbeatTimeout: '8 seconds',
    // For tries that end without a result: the receiver has no room, the worker died, or the database is unreachable.
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '8 seconds' },
    summary: `attempt ${attempt}`,
  }).attemptDelivery(delivery, attempt);
};

/** A delivery ends on the build it began with. The server accepts this option only from workers with versions. */
setWorkflowOptions(
  () =>
    (workflowInfo().currentDeploymentVersion?.deploymentName ?? '') === '' ? {} : { versioningBehavior: 'PINNED' },
  deliverEvent,
);
