import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { DeliveryId } from '../core/ids.ts';
import { attemptDelivery } from '../usecases/deliveries/attempt-delivery.ts';
import type { DeliveryContext } from '../usecases/deliveries/prepare-attempt.ts';
import { withHeartbeat } from './with-heartbeat.ts';

export interface DeliveryActivities {
  /**
   * Makes the next attempt. Fails when another one is due, with the time until then: the engine tries again after it. Returns when
   * the delivery is closed.
   */
  attemptDelivery(deliveryId: DeliveryId): Promise<void>;
}

export const createDeliveryActivities = (context: DeliveryContext): DeliveryActivities => ({
  attemptDelivery: (deliveryId) =>
    withHeartbeat(async () => {
      const step = await attemptDelivery(context, deliveryId);
      if (step.kind === 'closed') return;
      throw ApplicationFailure.create({
        message: step.lastError,
        type: 'AttemptFailed',
        nextRetryDelay: Math.max(1, step.forMs),
        // The receiver's failure is in its log; it is no error of this service.
        category: ApplicationFailureCategory.BENIGN,
      });
    }),
});
