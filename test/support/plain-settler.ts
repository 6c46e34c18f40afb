import { createSettler } from '../../dispatch/dispatch-items.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import type { Delivery } from '../../store/deliveries/deliveries.ts';
import { planUnreserved } from './stored-events.ts';

/** Stores what items' steps come to, where no process sends: the deliveries wait in their queues, and `onStored` is told of them. */
export const plainSettler = (
  store: StoreConnection,
  now: () => Date,
  onStored: (deliveries: readonly Delivery[]) => void = () => undefined,
) =>
  createSettler(store, {
    deliveries: { plan: () => ({ planDeliveries: planUnreserved, onStored, drop: () => undefined }) },
    now,
  });
