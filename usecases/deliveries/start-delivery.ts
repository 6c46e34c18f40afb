import type { Orchestrator, StartedDelivery } from '../../gateways/orchestrator/port.ts';
import type { Delivery, DeliveryStore } from '../../store/deliveries/deliveries.ts';
import { hintAll } from '../hints.ts';
import type { FirstAttempts } from './first-attempts.ts';

export const startOf = (delivery: Delivery): StartedDelivery => ({
  deliveryId: delivery._id,
  accountId: delivery.aboutAccountId,
  externalId: delivery.externalId,
  eventType: delivery.eventType,
  target: delivery.target,
});

/** The lane as far as others know it. */
export type Lane = Pick<FirstAttempts, 'offer' | 'isFull'>;

export interface DeliverySweepDependencies {
  readonly deliveries: DeliveryStore;
  readonly orchestrator: Pick<Orchestrator, 'startDelivery'>;
  readonly lane: Lane;
  readonly now: () => Date;
}

/** Few: what a worker had claimed and not yet started when it was killed waits until the claim runs out. */
const rowsMax = 20;
/** Enough that the lane never waits for the next look. */
const laneRowsMax = 100;
/** While the engine is away, or the lane has no room, it is tried this often. */
const retryMs = 2_000;

/**
 * Every pending delivery that is past its time goes on: its start or its timer was lost, or the process that had taken it
 * (protocol 14). The lane takes those that no attempt was made for, the workflow all others.
 */
export async function sweepDeliveries(dependencies: DeliverySweepDependencies): Promise<number> {
  const { lane } = dependencies;
  if (lane.isFull) return sweep(dependencies, { limit: rowsMax, which: 'tried' });
  const untried = await sweep(dependencies, { limit: laneRowsMax, which: 'untried' });
  return untried + (await sweep(dependencies, { limit: rowsMax, which: 'tried' }));
}

async function sweep(
  { deliveries, orchestrator, lane, now }: DeliverySweepDependencies,
  wish: Parameters<DeliveryStore['claimDue']>[1],
): Promise<number> {
  const due = await deliveries.claimDue(now(), wish);
  const others: Delivery[] = [];
  const waiting: Delivery[] = [];
  for (const delivery of due) {
    const taken = lane.offer(delivery);
    if (taken !== 'taken') (taken === 'later' ? waiting : others).push(delivery);
  }
  const lost = await hintAll(others, (delivery) => orchestrator.startDelivery(startOf(delivery)));
  const released = [...lost, ...waiting].map(({ _id }) => _id);
  if (released.length > 0) await deliveries.releaseClaims(released, new Date(now().getTime() + retryMs));
  return due.length - released.length;
}
