import type { Orchestrator, StartedDelivery } from '../../gateways/orchestrator/port.ts';
import type { Delivery, DeliveryStore } from '../../store/deliveries.ts';

export const startOf = (delivery: Delivery): StartedDelivery => ({
  deliveryId: delivery._id,
  accountId: delivery.accountId,
  externalId: delivery.externalId,
  eventType: delivery.eventType,
  target: delivery.endpointId ?? `account-${delivery.accountId}`,
});

export interface DeliverySweepDependencies {
  readonly deliveries: DeliveryStore;
  readonly orchestrator: Pick<Orchestrator, 'startDelivery'>;
  readonly now: () => Date;
}

const rowsMax = 200;

/** Starts the workflow of every pending delivery that is past its time: its start or its timer was lost (protocol 14). */
export async function sweepDeliveries({ deliveries, orchestrator, now }: DeliverySweepDependencies): Promise<number> {
  const due = await deliveries.claimDue(now(), rowsMax);
  await Promise.all(due.map((delivery) => orchestrator.startDelivery(startOf(delivery))));
  return due.length;
}
