import { auditBy } from '../../core/audit/audit-by.ts';
import { Refusal } from '../../core/errors.ts';
import type { EndpointId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { removeEndpoint } from '../../store/webhooks/webhook-endpoints.ts';
import type { Context } from '../context.ts';
import { originOf } from './origin-of.ts';

/** Deliveries on their way there stop. Throws {@link Refusal} NOT_FOUND for an endpoint the account does not have. */
export async function deleteWebhook(
  context: Pick<Context, 'store' | 'confirmCredential' | 'now'>,
  scope: Scope,
  id: EndpointId,
): Promise<void> {
  const at = context.now();
  await context.confirmCredential(scope);
  const isRemoved = await removeEndpoint(context.store, scope.actingAccountId, {
    endpointId: id,
    audit: ({ url }) =>
      auditBy(scope, {
        ...{ kind: 'webhook_deleted', at, details: { webhookId: id, origin: originOf(url) } },
        message: `The webhook endpoint at ${originOf(url)} was deleted`,
      }),
  });
  if (!isRemoved) throw new Refusal('NOT_FOUND', 'No webhook endpoint with this id');
}
