import { setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { DeliveryActivities } from '../../activities/delivery-activities.ts';
import type { DeliveryId } from '../../core/ids.ts';
import { explainDelivery } from '../../core/operations/explain-wait.ts';
import { asCode } from '../../core/operations/plain-words.ts';
import { attemptsMax } from '../../core/webhooks/retry-schedule.ts';
import { timeIn, worthShowingMs, type Visibility } from '../visibility.ts';

type AttemptDelivery = DeliveryActivities['attemptDelivery'];
type DeliveryStep = Awaited<ReturnType<AttemptDelivery>>;
type Wait = Extract<DeliveryStep, { kind: 'wait' }>;

/** Makes the attempts of a delivery, and shows what holds them up. */
export interface Attempts {
  readonly attemptDelivery: AttemptDelivery;
  readonly mark: Visibility;
}

/**
 * Makes the further attempts of a delivery, each after its wait, until its row is closed. Returns false when the run is so long
 * that it must start anew: a delivery to a hanging receiver may wait for hours.
 */
export async function finishDelivery(
  deliveryId: DeliveryId,
  first: DeliveryStep,
  { attemptDelivery, mark }: Attempts,
): Promise<boolean> {
  let step = first;
  while (step.kind !== 'closed') {
    showWait(step, mark);
    await sleep(step.forMs);
    if (workflowInfo().continueAsNewSuggested) return false;
    step = await attemptDelivery(deliveryId);
  }
  return true;
}

function showWait({ forMs, lastError, why }: Wait, mark: Visibility): void {
  if (why === undefined) {
    setCurrentDetails(`Looking again in ${forMs / 1_000} s: ${asCode(lastError)}.`);
    return;
  }
  const { reason, attempts, endpoint, member } = why;
  setCurrentDetails(explainDelivery({ reason, attempts, attemptsMax, endpoint, until: timeIn(forMs), lastError }));
  if (forMs >= worthShowingMs) mark.set({ stage: 'waiting', reason, member });
}
