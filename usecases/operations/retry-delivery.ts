import { Refusal } from '../../core/errors.ts';
import { deliveryId } from '../../core/ids.ts';
import { dangerouslyFindDelivery } from '../../store/operations/stuck-rows.ts';
import type { MadeDelivery } from '../webhooks/webhook-deliveries.ts';
import { redeliver } from '../webhooks/redeliver.ts';
import type { OperationsContext } from './operations-context.ts';

/**
 * Sends one event again, as its owner can on the dashboard. The owner's log names the operator as the actor. Throws Refusal as
 * redeliver.
 */
export async function retryDelivery({ store, ring, now }: OperationsContext, id: string): Promise<MadeDelivery> {
  const delivery = await dangerouslyFindDelivery(store, deliveryId(id));
  if (delivery === null) throw new Refusal('NOT_FOUND', 'No webhook delivery with this id');
  const { accountId } = delivery;
  const confirmCredential = (): Promise<void> => Promise.resolve();
  const scope = { accountId, actingAccountId: accountId, credential: { kind: 'operator' } } as const;
  return redeliver({ store, ring, confirmCredential, now }, scope, delivery._id);
}
