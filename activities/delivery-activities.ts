import type { DeliveryId } from '../core/ids.ts';
import { attemptDelivery } from '../usecases/deliveries/attempt-delivery.ts';
import type { DeliveryDependencies, DeliveryStep } from '../usecases/deliveries/delivery-dependencies.ts';

export interface DeliveryActivities {
  /** Makes the next attempt, or says how long it has to wait. */
  attemptDelivery(deliveryId: DeliveryId): Promise<DeliveryStep>;
}

export function createDeliveryActivities(dependencies: DeliveryDependencies): DeliveryActivities {
  return { attemptDelivery: (deliveryId) => attemptDelivery(dependencies, deliveryId) };
}
