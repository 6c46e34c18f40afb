import type { Client } from '@temporalio/client';
import pLimit from 'p-limit';
import type { AccountId } from '../../core/ids.ts';
import { createTemporalOrchestrator } from '../../gateways/orchestrator/temporal-orchestrator.ts';
import type { Delivery } from '../../store/deliveries.ts';
import { recordEvents } from '../../store/event-log.ts';
import type { DueEvent } from '../../store/events.ts';
import { startOf } from '../../usecases/deliveries/start-delivery.ts';
import { planDeliveries } from '../../usecases/events/plan-deliveries.ts';
import { createdItem } from '../support/catalogue.ts';
import type { Product } from '../support/product.ts';

/** As the worker's own: events of one transaction, starts under way. */
const eventsAtOnce = 100;
const startsAtOnce = 16;

export interface DeliveryStarter {
  /** When each event occurred, in ms since 1970. */
  readonly occurredAt: Map<string, number>;
  startMany(count: number): Promise<void>;
  /** Deliveries whose outcome is not recorded yet. */
  countOpen(): Promise<number>;
}

/**
 * Makes events exactly as an item's workflow does (one transaction of event and delivery records, then the start of the
 * delivery's workflow), but without an item's workflow, so that nothing but deliveries is measured.
 */
export function deliveryStarter(
  { foundation, taskQueue }: Product,
  account: AccountId,
  client: Client,
): DeliveryStarter {
  const { store } = foundation;
  const orchestrator = createTemporalOrchestrator(client, taskQueue);
  const deliveries = store.connection.collection<Delivery>('deliveries');
  const limit = pLimit(startsAtOnce);
  const occurredAt = new Map<string, number>();

  const startBatch = async (count: number): Promise<void> => {
    const events = Array.from({ length: count }, () => itemCreated(account));
    const at = performance.timeOrigin + performance.now();
    for (const { entry } of events) occurredAt.set(entry.eventId, at);
    const now = new Date();
    const planned = await recordEvents(store, account, {
      events,
      now,
      planDeliveries: (event, targets) => planDeliveries(event, targets, now),
    });
    await Promise.all(planned.map((delivery) => limit(() => orchestrator.startDelivery(startOf(delivery)))));
  };

  return {
    occurredAt,
    startMany: async (count) => {
      for (let left = count; left > 0; left -= eventsAtOnce) await startBatch(Math.min(left, eventsAtOnce));
    },
    countOpen: () => deliveries.countDocuments({ state: 'pending' }),
  };
}

let made = 0;

function itemCreated(account: AccountId): DueEvent {
  made += 1;
  const item = createdItem(account, `delivery-${made}`);
  const [entry] = item.outbox;
  if (entry === undefined) throw new Error('a new item has no event');
  return { entry, accountId: account, itemId: item.id, externalId: item.externalId };
}
