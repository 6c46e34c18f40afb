import { setTimeout as pause } from 'node:timers/promises';
import type { StoreConnection } from '../../store/database/connection.ts';
import { attemptDelivery } from '../deliveries/attempt-delivery.ts';
import type { DeliveryDependencies } from '../deliveries/delivery-dependencies.ts';
import type { RecoveryDependencies } from './send-missed.ts';

/** Recoveries send with the same means as all other deliveries. */
export const bindRecoveries = (
  store: StoreConnection,
  deliveries: DeliveryDependencies,
  now: () => Date,
): RecoveryDependencies => ({
  store,
  attempt: (id) => attemptDelivery(deliveries, id, { onlyIfCheap: false }),
  pause,
  now,
});
