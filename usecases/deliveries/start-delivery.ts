import type { Orchestrator, StartedDelivery } from '../../gateways/orchestrator/port.ts';
import type { Delivery, DeliveryStore } from '../../store/deliveries.ts';
import { hintAll } from '../hints.ts';

export const startOf = (delivery: Delivery): StartedDelivery => ({
  deliveryId: delivery._id,
  accountId: delivery.accountId,
  externalId: delivery.externalId,
  eventType: delivery.eventType,
  target: delivery.target,
});

export interface DeliverySweepDependencies {
  readonly deliveries: DeliveryStore;
  readonly orchestrator: Pick<Orchestrator, 'startDelivery'>;
  readonly now: () => Date;
}

/** Few: what a worker had claimed and not yet started when it was killed waits until the claim runs out. */
const rowsMax = 20;
/** While the engine is away, starts are tried this often. */
const retryMs = 2_000;

/** Starts the workflow of every pending delivery that is past its time: its start or its timer was lost (protocol 14). */
export async function sweepDeliveries({ deliveries, orchestrator, now }: DeliverySweepDependencies): Promise<number> {
  const due = await deliveries.claimDue(now(), rowsMax);
  const lost = await hintAll(due, (delivery) => orchestrator.startDelivery(startOf(delivery)));
  if (lost.length > 0)
    await deliveries.releaseClaims(
      lost.map(({ _id }) => _id),
      new Date(now().getTime() + retryMs),
    );
  return due.length - lost.length;
}
