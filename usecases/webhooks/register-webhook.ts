import { auditBy } from '../../core/audit/audit-entry.ts';
import { Refusal } from '../../core/errors.ts';
import { endpointId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { secretContexts } from '../../core/secret-contexts.ts';
import { newEndpointLife } from '../../core/webhooks/endpoint-life.ts';
import type { NewWebhook } from '../../schemas/webhooks/webhook-endpoint.ts';
import { isDuplicateKey } from '../../store/database/connection.ts';
import { insertEndpoint, type WebhookEndpointRow, findEndpoint } from '../../store/webhooks/webhook-endpoints.ts';
import type { Context } from '../context.ts';
import { describeWebhookWithSecret, type WebhookWithSecret } from './manage-webhooks.ts';
import { checkTargetScope, checkTargetUrl, originOf, prepareSecret } from './webhook-target.ts';

const endpointsMax = 20;

type Needs = Pick<Context, 'store' | 'encryption' | 'addressPolicy' | 'confirmCredential' | 'now' | 'newId'>;

/**
 * Registers an endpoint with a secret of its own. Throws {@link Refusal} VALIDATION_FAILED for an address that is not public,
 * RESELLER_AGREEMENT_REQUIRED for scope members without an agreement, CONFLICT at 20 endpoints.
 */
export async function createWebhook(context: Needs, scope: Scope, wish: NewWebhook): Promise<WebhookWithSecret> {
  checkTargetUrl(wish.url, 'url', context.addressPolicy);
  await checkTargetScope(context.store, scope.actingAccountId, wish.scope);
  const id = endpointId(context.newId());
  const { secret, stored } = prepareSecret(context.encryption, secretContexts.webhookEndpoint(id));
  const row: WebhookEndpointRow = {
    ...newEndpoint(wish, context.now()),
    ...stored,
    _id: id,
    accountId: scope.actingAccountId,
  };
  const audit = auditBy(scope, {
    ...{ kind: 'webhook_created', at: row.createdAt },
    details: { webhookId: id, origin: originOf(row.url), scope: row.scope, eventTypes: row.eventTypes },
  });
  await context.confirmCredential(scope);
  const created = await insertEndpoint(context.store, row, { endpointsMax, audit });
  if (created !== null) return describeWebhookWithSecret(created, secret);
  throw new Refusal('CONFLICT', `An account has at most ${endpointsMax} webhook endpoints; delete one first`);
}

const newEndpoint = (wish: NewWebhook, now: Date) => ({
  url: wish.url,
  eventTypes: [...new Set(wish.eventTypes)],
  scope: wish.scope ?? ('self' as const),
  description: wish.description ?? '',
  ...newEndpointLife,
  autoRecover: wish.autoRecover ?? false,
  active: wish.active ?? true,
  createdAt: now,
  updatedAt: now,
});

/**
 * createWebhook for calls with an `Idempotency-Key`: an endpoint created by an attempt that died is returned as it is. Its secret
 * is shown in full, because no answer has shown it. Refuses as createWebhook does.
 */
export async function createWebhookOnce(context: Needs, scope: Scope, wish: NewWebhook): Promise<WebhookWithSecret> {
  const earlier = await findReserved(context, scope);
  if (earlier !== undefined) return earlier;
  try {
    return await createWebhook(context, scope, wish);
  } catch (error) {
    // An attempt that was taken for dead created the endpoint first.
    const created = isDuplicateKey(error) ? await findReserved(context, scope) : undefined;
    if (created === undefined) throw error;
    return created;
  }
}

async function findReserved(
  { store, encryption }: Needs,
  { actingAccountId, reserved }: Scope,
): Promise<WebhookWithSecret | undefined> {
  if (reserved === undefined) return undefined;
  const row = await findEndpoint(store, actingAccountId, endpointId(reserved.id));
  if (row === null) return undefined;
  return describeWebhookWithSecret(
    row,
    encryption.decrypt(row.secretEncrypted, secretContexts.webhookEndpoint(row._id)),
  );
}
