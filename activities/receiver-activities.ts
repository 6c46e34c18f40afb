import { lookAtReceiver, type ReceiverContext, type ReceiverTrouble } from '../usecases/webhooks/look-at-receiver.ts';

export interface ReceiverActivities {
  /** Short and local. null when the target is in trouble no longer. */
  lookAtReceiver(target: string): Promise<ReceiverTrouble | null>;
}

export const createReceiverActivities = (context: ReceiverContext): ReceiverActivities => ({
  lookAtReceiver: (target) => lookAtReceiver(context, target),
});
