import { Refusal } from '../../core/errors.ts';
import type { EndpointId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { afterOwnersChange } from '../../core/webhooks/endpoint-life.ts';
import type { WebhookChange } from '../../schemas/webhooks/webhook-endpoint.ts';
import { lifeOf, reviseEndpoint, type EndpointChange, type WebhookEndpointRow } from '../../store/webhook-endpoints.ts';
import type { AccountSideContext } from '../account-side-context.ts';
import { checkTargetScope, checkTargetUrl } from './check-target.ts';
import { describeWebhook, type WebhookView } from './describe-webhook.ts';

type Context = Pick<AccountSideContext, 'store' | 'addressPolicy' | 'now'>;

/** Refuses as createWebhook does, and throws {@link Refusal} NOT_FOUND for an endpoint the account does not have. */
export async function changeWebhook(
  context: Context,
  scope: Scope,
  { endpointId, change }: { endpointId: EndpointId; change: WebhookChange },
): Promise<WebhookView> {
  checkTargetUrl(change.url, 'url', context.addressPolicy);
  await checkTargetScope(context.store, scope.actingAccountId, change.scope);
  const now = context.now();
  const row = await reviseEndpoint(context.store, scope.actingAccountId, {
    endpointId,
    plan: (endpoint) => revise(endpoint, change, now),
    now,
  });
  if (row === null) throw new Refusal('NOT_FOUND', 'No webhook endpoint with this id');
  return describeWebhook(row);
}

function revise(row: WebhookEndpointRow, change: WebhookChange, now: Date): EndpointChange {
  const { url, eventTypes, scope, description } = change;
  return {
    ...(url !== undefined && { url }),
    ...(eventTypes !== undefined && { eventTypes: [...new Set(eventTypes)] }),
    ...(scope !== undefined && { scope }),
    ...(description !== undefined && { description }),
    ...lifeOf(afterOwnersChange(row, change, now)),
  };
}
