import { setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { DeliveryActivities } from '../../activities/delivery-activities.ts';
import type { DeliveryId } from '../../core/ids.ts';

type AttemptDelivery = DeliveryActivities['attemptDelivery'];
type DeliveryStep = Awaited<ReturnType<AttemptDelivery>>;

/**
 * Makes the further attempts of a delivery, each after its wait, until its record is closed. false when the run has become so long
 * that it must begin anew: a delivery to a receiver that hangs may wait in line for hours.
 */
export async function finishDelivery(
  deliveryId: DeliveryId,
  first: DeliveryStep,
  attemptDelivery: AttemptDelivery,
): Promise<boolean> {
  let step = first;
  while (step.kind !== 'closed') {
    if (step.kind === 'wait') {
      setCurrentDetails(`Trying again in ${step.forMs / 1_000} s. Last error: ${step.lastError}`);
      await sleep(step.forMs);
    }
    if (workflowInfo().continueAsNewSuggested) return false;
    step = await attemptDelivery(deliveryId);
  }
  return true;
}
