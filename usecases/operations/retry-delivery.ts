import { Refusal } from '../../core/errors.ts';
import { deliveryId } from '../../core/ids.ts';
import type { Delivery } from '../../store/deliveries/deliveries.ts';
import { dangerouslyFindDelivery } from '../../store/operations/stuck-deliveries.ts';
import { startOf } from '../deliveries/start-delivery.ts';
import type { MadeDelivery } from '../webhooks/webhook-deliveries.ts';
import { redeliver } from '../webhooks/redeliver.ts';
import type { OperationsContext } from './operations-context.ts';

/**
 * Sends one event again, as its owner can on the dashboard. The owner's log names the operator as the actor. Throws Refusal as
 * redeliver.
 */
export async function retryDelivery(
  { store, orchestrator, now }: OperationsContext,
  id: string,
): Promise<MadeDelivery> {
  const delivery = await dangerouslyFindDelivery(store, deliveryId(id));
  if (delivery === null) throw new Refusal('NOT_FOUND', 'No webhook delivery with this id');
  const { accountId } = delivery;
  const starts: Promise<void>[] = [];
  const startDelivery = (made: Delivery): void => {
    // Only a hint: the sweep starts a lost one.
    starts.push(orchestrator.startDelivery(startOf(made)).catch(() => undefined));
  };
  const none = (): void => undefined;
  const hints = { startDelivery, startRecovery: none, startBulkSync: none, nudgeItem: none };
  const confirmCredential = (): Promise<void> => Promise.resolve();
  const scope = { accountId, actingAccountId: accountId, credential: { kind: 'operator' } } as const;
  const made = await redeliver({ store, hints, confirmCredential, now }, scope, delivery._id);
  await Promise.all(starts);
  return made;
}
