import type { DeliveryId } from '../../core/ids.ts';

/** Workflow type of one delivery: one event on its way to one target. */
export const deliverEventType = 'deliverEvent';
export const deliveryWorkflowId = (deliveryId: DeliveryId): string => `delivery:${deliveryId}`;

export interface DeliverEventInput {
  readonly deliveryId: DeliveryId;
}
