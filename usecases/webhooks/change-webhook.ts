import { auditBy } from '../../core/audit/audit-by.ts';
import type { AuditEntry } from '../../core/audit/audit-entry.ts';
import { Refusal } from '../../core/errors.ts';
import type { EndpointId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { afterOwnersChange } from '../../core/webhooks/endpoint-life.ts';
import type { WebhookChange } from '../../schemas/webhooks/webhook-endpoint.ts';
import {
  lifeOf,
  reviseEndpoint,
  type EndpointChange,
  type WebhookEndpointRow,
} from '../../store/webhooks/webhook-endpoints.ts';
import type { Context } from '../context.ts';
import { checkTargetScope, checkTargetUrl } from './check-target.ts';
import { originOf } from './origin-of.ts';
import { describeWebhook, type WebhookView } from './describe-webhook.ts';

type Needs = Pick<Context, 'store' | 'addressPolicy' | 'confirmCredential' | 'now'>;

/** Refuses as createWebhook does, and throws {@link Refusal} NOT_FOUND for an endpoint the account does not have. */
export async function changeWebhook(
  context: Needs,
  scope: Scope,
  { endpointId, change }: { endpointId: EndpointId; change: WebhookChange },
): Promise<WebhookView> {
  checkTargetUrl(change.url, 'url', context.addressPolicy);
  await checkTargetScope(context.store, scope.actingAccountId, change.scope);
  const now = context.now();
  await context.confirmCredential(scope);
  const row = await reviseEndpoint(context.store, scope.actingAccountId, {
    endpointId,
    plan: (endpoint) => revise(endpoint, change, now),
    audit: (before, after) => changedEntry(scope, { before, after, at: now }),
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

const toldFields = ['url', 'eventTypes', 'scope', 'description', 'active', 'autoRecover'] as const;

/** Which fields are different now; null when none is. Switching it on or off is told as that. */
function changedEntry(
  scope: Scope,
  { before, after, at }: { before: WebhookEndpointRow; after: WebhookEndpointRow; at: Date },
): AuditEntry | null {
  const fields = toldFields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  if (fields.length === 0) return null;
  const switched = after.active ? 'webhook_enabled' : 'webhook_disabled';
  const kind = before.active === after.active ? 'webhook_changed' : switched;
  const origin = originOf(after.url);
  return auditBy(scope, {
    ...{ kind, at, details: { webhookId: after._id, origin, fields } },
    message: `The webhook endpoint at ${origin} was changed: ${fields.join(', ')}`,
  });
}
