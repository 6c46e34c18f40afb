import { auditBy, type AuditEntry } from '../accounts/rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import type { EndpointId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import { secretContexts } from '../rules/secret-contexts.ts';
import { afterOwnersChange, warningOf } from './rules/disable-after-failures.ts';
import type { WebhookChange } from '../../schemas/webhooks/webhook-endpoint.ts';
import {
  lifeOf,
  reviseEndpoint,
  type EndpointChange,
  type WebhookEndpointRow,
  findEndpoint,
  removeEndpoint,
  listEndpoints,
} from './store/webhook-endpoints.ts';
import { newAddress } from './store/receiver-state.ts';
import { findSettings } from './store/webhook-settings.ts';
import type { Context } from '../context.ts';
import { calledHostOf, checkTargetScope, checkTargetUrl, originOf, prepareSecret } from './webhook-target.ts';

type Needs = Pick<Context, 'store' | 'addressPolicy' | 'hints' | 'confirmCredential' | 'now'>;

/**
 * Changes an endpoint. Throws {@link Refusal} NOT_FOUND for an endpoint the account does not have, and VALIDATION_FAILED for an
 * address that is not public. RESELLER_AGREEMENT_REQUIRED means scope members without an agreement.
 */
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
  context.hints.signalReceiver({ target: endpointId, accountId: row.accountId });
  return describeWebhook(row);
}

function revise(row: WebhookEndpointRow, change: WebhookChange, now: Date): EndpointChange {
  const { url, eventTypes, scope, description } = change;
  return {
    ...(url !== undefined && { url }),
    ...(url !== undefined && url !== row.url && newAddress),
    ...(eventTypes !== undefined && { eventTypes: [...new Set(eventTypes)] }),
    ...(scope !== undefined && { scope }),
    ...(description !== undefined && { description }),
    ...lifeOf(afterOwnersChange(row, change, now)),
    // What waits may be sent now, or no longer.
    startAt: now,
  };
}

const toldFields = ['url', 'eventTypes', 'scope', 'description', 'active', 'autoRecover'] as const;

/** Names the changed fields; null when none has changed. Enabling and disabling have their own entries. */
function changedEntry(
  scope: Scope,
  { before, after, at }: { before: WebhookEndpointRow; after: WebhookEndpointRow; at: Date },
): AuditEntry | null {
  const fields = toldFields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  if (fields.length === 0) return null;
  const about = { webhookId: after._id, origin: originOf(after.url) };
  if (before.active && !after.active)
    return auditBy(scope, { kind: 'webhook_disabled', at, details: { ...about, reason: null } });
  const kind = before.active === after.active ? 'webhook_changed' : 'webhook_enabled';
  return auditBy(scope, { kind, at, details: { ...about, fields } });
}

/** Stops the deliveries to the endpoint. Throws {@link Refusal} NOT_FOUND for an endpoint the account does not have. */
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
      auditBy(scope, { kind: 'webhook_deleted', at, details: { webhookId: id, origin: originOf(url) } }),
  });
  if (!isRemoved) throw new Refusal('NOT_FOUND', 'No webhook endpoint with this id');
}

/** Oldest first, secrets masked. */
export async function listWebhooks(context: Pick<Context, 'store'>, scope: Scope): Promise<readonly WebhookView[]> {
  const rows = await listEndpoints(context.store, scope.actingAccountId);
  return rows.map(describeWebhook);
}

/** The endpoints, and whether a read of the account-level settings would show a secret: a page asks the user before that read. */
export async function readWebhookList(context: Pick<Context, 'store'>, scope: Scope) {
  const [webhooks, settings] = await Promise.all([
    listWebhooks(context, scope),
    findSettings(context.store, scope.actingAccountId),
  ]);
  return { webhooks, accountSecretShown: settings?.secretShown === true };
}

/** The secret masked. Throws {@link Refusal} NOT_FOUND for an endpoint the account does not have. */
export async function readWebhook(context: Pick<Context, 'store'>, scope: Scope, id: EndpointId): Promise<WebhookView> {
  const row = await findEndpoint(context.store, scope.actingAccountId, id);
  if (row === null) throw new Refusal('NOT_FOUND', 'No webhook endpoint with this id');
  return describeWebhook(row);
}

/**
 * Gives the endpoint a new secret, shown in full only here; the old one signs no later attempt. Throws {@link Refusal} NOT_FOUND
 * for an endpoint the account does not have.
 */
export async function rotateWebhookSecret(
  context: Pick<Context, 'store' | 'encryption' | 'confirmCredential' | 'now'>,
  scope: Scope,
  id: EndpointId,
): Promise<WebhookWithSecret> {
  const { secret, stored } = prepareSecret(context.encryption, secretContexts.webhookEndpoint(id));
  const now = context.now();
  await context.confirmCredential(scope);
  const row = await reviseEndpoint(context.store, scope.actingAccountId, {
    endpointId: id,
    plan: () => stored,
    audit: ({ url }) =>
      auditBy(scope, {
        kind: 'webhook_secret_rotated',
        at: now,
        details: { webhookId: id, origin: originOf(url), secretHint: stored.secretHint },
      }),
    now,
  });
  if (row === null) throw new Refusal('NOT_FOUND', 'No webhook endpoint with this id');
  return describeWebhookWithSecret(row, secret);
}

type WebhookView = ReturnType<typeof describeWebhook>;
/** Only the answers of create and rotate-secret are of this type. */
export type WebhookWithSecret = ReturnType<typeof describeWebhookWithSecret>;

const describeWebhook = (row: WebhookEndpointRow) => ({
  ...fieldsOf(row),
  secretHint: row.secretHint,
});

export const describeWebhookWithSecret = (row: WebhookEndpointRow, secret: string) => ({
  ...fieldsOf(row),
  secret,
});

const fieldsOf = (row: WebhookEndpointRow) => ({
  id: row._id,
  url: row.url,
  ...calledHostOf(row.url),
  eventTypes: row.eventTypes,
  scope: row.scope,
  active: row.active,
  failCount: row.failCount,
  description: row.description,
  autoRecover: row.autoRecover,
  warning: warningOf(row),
  lastError: row.lastError,
  lastFailureAt: row.lastFailureAt?.toISOString() ?? null,
  disabledReason: row.disabledReason,
  disabledAt: row.disabledAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
