import { continueAsNew, proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow';
import type { DeliveryActivities } from '../../activities/delivery-activities.ts';
import type { DeliverEventInput } from '../contracts/deliveries.ts';
import { siblingQueue } from '../contracts/queues.ts';
import { finishDelivery } from './finish-delivery.ts';

const { attemptCheaply } = proxyLocalActivities<DeliveryActivities>({
  startToCloseTimeout: '20 seconds',
  retry: { initialInterval: '250 milliseconds', maximumInterval: '2 seconds' },
});

/**
 * One delivery: up to five attempts with growing waits. The record in the database says how far it came, so this
 * may be started again at any time without an attempt too many (protocol 14, 15).
 */
export async function deliverEvent({ deliveryId }: DeliverEventInput): Promise<void> {
  const { attemptDelivery } = proxyActivities<DeliveryActivities>({
    taskQueue: siblingQueue(workflowInfo().taskQueue, 'attempts'),
    startToCloseTimeout: '20 seconds',
    retry: { initialInterval: '250 milliseconds', maximumInterval: '2 seconds' },
  });
  const isFinished = await finishDelivery(deliveryId, await attemptCheaply(deliveryId), attemptDelivery);
  if (!isFinished) await continueAsNew<typeof deliverEvent>({ deliveryId });
}
