import { setCurrentDetails, sleep } from '@temporalio/workflow';
import type { DeliveryActivities } from '../../activities/delivery-activities.ts';
import type { DeliveryId } from '../../core/ids.ts';

type AttemptDelivery = DeliveryActivities['attemptDelivery'];
type DeliveryStep = Awaited<ReturnType<AttemptDelivery>>;

/** Makes the further attempts of a delivery, each after its wait, until its record is closed. */
export async function finishDelivery(
  deliveryId: DeliveryId,
  first: DeliveryStep,
  attemptDelivery: AttemptDelivery,
): Promise<void> {
  let step = first;
  while (step.kind !== 'closed') {
    if (step.kind === 'wait') {
      setCurrentDetails(`Trying again in ${step.forMs / 1_000} s. Last error: ${step.lastError}`);
      await sleep(step.forMs);
    }
    step = await attemptDelivery(deliveryId);
  }
}
