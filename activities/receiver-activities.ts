import type { RetryOutcome } from '../usecases/items/publish-item.ts';
import { retryReceiver, type ReceiverRetryContext } from '../usecases/operations/retry-stuck.ts';
import { lookAtReceiver, type ReceiverContext, type ReceiverTrouble } from '../usecases/webhooks/look-at-receiver.ts';

export interface ReceiverActivities {
  /** Short and local. null when the target is in trouble no longer. */
  lookAtReceiver(target: string): Promise<ReceiverTrouble | null>;
  /** Local, too. Enables what the service disabled, and has a recovery send what was missed. */
  retryReceiver(target: string): Promise<RetryOutcome>;
}

export const createReceiverActivities = (context: ReceiverContext & ReceiverRetryContext): ReceiverActivities => ({
  lookAtReceiver: (target) => lookAtReceiver(context, target),
  retryReceiver: (target) => retryReceiver(context, target),
});
