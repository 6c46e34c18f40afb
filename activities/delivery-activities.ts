import type { DeliveryId } from '../core/ids.ts';
import { attemptDelivery } from '../usecases/deliveries/attempt-delivery.ts';
import type { DeliveryDependencies, DeliveryStep } from '../usecases/deliveries/delivery-dependencies.ts';

export interface DeliveryActivities {
  /** Local activity: sends only when the receiver is known to answer fast (protocol 16). */
  attemptCheaply(deliveryId: DeliveryId): Promise<DeliveryStep>;
  /** On the fair queue: sends to any receiver. */
  attemptDelivery(deliveryId: DeliveryId): Promise<DeliveryStep>;
}

export function createDeliveryActivities(dependencies: DeliveryDependencies): DeliveryActivities {
  return {
    attemptCheaply: (deliveryId) => attemptDelivery(dependencies, deliveryId, { onlyIfCheap: true }),
    attemptDelivery: (deliveryId) => attemptDelivery(dependencies, deliveryId, { onlyIfCheap: false }),
  };
}
