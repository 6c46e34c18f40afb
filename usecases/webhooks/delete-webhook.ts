import { Refusal } from '../../core/errors.ts';
import type { EndpointId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { removeEndpoint } from '../../store/webhook-endpoints.ts';
import type { AccountSideContext } from '../account-side-context.ts';

/** Deliveries on their way there stop. Throws {@link Refusal} NOT_FOUND for an endpoint the account does not have. */
export async function deleteWebhook(
  context: Pick<AccountSideContext, 'store'>,
  scope: Scope,
  id: EndpointId,
): Promise<void> {
  const isRemoved = await removeEndpoint(context.store, scope.actingAccountId, id);
  if (!isRemoved) throw new Refusal('NOT_FOUND', 'No webhook endpoint with this id');
}
