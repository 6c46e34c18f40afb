import type { Item } from '../core/items/item.ts';
import type { Delivery } from '../store/deliveries/deliveries.ts';
import { recordEvents } from '../store/events/event-log.ts';
import { createJournalStore } from '../store/items/journal.ts';
import { createOrderStore } from '../store/orders/orders.ts';
import type { Config } from '../platform/config.ts';
import { createEventRecorder } from '../usecases/events/event-recorder.ts';
import { planDeliveries } from '../usecases/events/plan-deliveries.ts';
import { storeOutbox } from '../usecases/events/store-outbox.ts';
import { now, type Foundation } from './foundation.ts';

export function composeOutbox(
  { config, store }: Pick<Foundation, 'store'> & { readonly config: Pick<Config, 'platformFeeBps'> },
  beginDeliveries: (made: readonly Delivery[]) => void,
): (item: Item) => Promise<void> {
  const recordBatch = createEventRecorder(async (account, events) => {
    const at = now();
    beginDeliveries(
      await recordEvents(store, account, {
        events,
        planDeliveries: (...planned) => planDeliveries(...planned, at),
        now: at,
      }),
    );
  });
  const dependencies = {
    recordEvents: recordBatch,
    journal: createJournalStore(store),
    orders: createOrderStore(store),
    platformFeeBps: config.platformFeeBps,
    now,
  };
  return (item) => storeOutbox(dependencies, item);
}
