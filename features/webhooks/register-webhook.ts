import { auditBy } from '../accounts/rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import { testEventType, type EventType } from './rules/event-types.ts';
import { endpointId, eventId, type EndpointId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import { secretContexts } from '../rules/secret-contexts.ts';
import { deliveryIdOf } from './rules/delivery.ts';
import { newEndpointLife } from './rules/disable-after-failures.ts';
import { sampleEvent, sampleExternalId } from './rules/sample-event.ts';
import type { NewWebhook } from '../../schemas/webhooks/webhook-endpoint.ts';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import { newDelivery } from './store/deliveries.ts';
import { insertDeliveryOnce } from './store/missed-deliveries.ts';
import { findEndpoint, insertEndpoint, type WebhookEndpointRow } from './store/webhook-endpoints.ts';
import { newAddress } from './store/receiver-state.ts';
import type { Context } from '../context.ts';
import { describeWebhookWithSecret, type WebhookWithSecret } from './manage-webhooks.ts';
import { describeMade, type MadeDelivery } from './webhook-deliveries.ts';
import { checkTargetScope, checkTargetUrl, findTarget, originOf, prepareSecret } from './webhook-target.ts';

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
    kind: 'webhook_created',
    at: row.createdAt,
    details: { webhookId: id, origin: originOf(row.url), scope: row.scope, eventTypes: row.eventTypes },
  });
  const confirm = () => context.confirmCredential(scope);
  const created = await insertEndpoint(context.store, row, { endpointsMax, audit, confirm });
  if (created !== null) return describeWebhookWithSecret(created, secret);
  throw new Refusal('CONFLICT', `An account has at most ${endpointsMax} webhook endpoints; delete one first`);
}

const newEndpoint = (wish: NewWebhook, now: Date) => ({
  url: wish.url,
  eventTypes: [...new Set(wish.eventTypes)],
  scope: wish.scope ?? ('self' as const),
  description: wish.description ?? '',
  ...newEndpointLife,
  ...newAddress,
  autoRecover: wish.autoRecover ?? false,
  active: wish.active ?? true,
  createdAt: now,
  updatedAt: now,
});

/**
 * createWebhook for calls with an `Idempotency-Key`: an endpoint created by an interrupted attempt is returned as it is. Its secret
 * is shown in full, because no answer has shown it. Refuses as createWebhook does.
 */
export async function createWebhookOnce(context: Needs, scope: Scope, wish: NewWebhook): Promise<WebhookWithSecret> {
  const earlier = await findReserved(context, scope);
  if (earlier !== undefined) return earlier;
  try {
    return await createWebhook(context, scope, wish);
  } catch (error) {
    // An earlier attempt, wrongly considered interrupted, created the endpoint first.
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

type TestNeeds = Pick<Context, 'store' | 'hints' | 'confirmCredential' | 'now' | 'newId'>;

/**
 * Sends a signed sample once to one target, also a disabled one. The sample is no event of the account: it is not in the feed,
 * and the endpoint does not count it. Throws {@link Refusal} NOT_FOUND or CONFLICT as findTarget does.
 */
export async function sendTestEvent(
  { store, hints, confirmCredential, now, newId }: TestNeeds,
  scope: Scope,
  wish: { endpointId: EndpointId | null; eventType: EventType | undefined },
): Promise<MadeDelivery> {
  const {
    accountId,
    endpointId,
    target,
    scope: reach,
  } = await findTarget(store, scope.actingAccountId, wish.endpointId);
  const id = eventId(`evt_test_${newId()}`);
  const eventType = wish.eventType ?? testEventType;
  const at = now();
  const envelope = sampleEvent(eventType, { accountId, eventId: id, scope: reach, now: at });
  const delivery = newDelivery({
    _id: deliveryIdOf({ eventId: id, target, ordinal: 1 }),
    accountId,
    aboutAccountId: accountId,
    endpointId,
    target,
    scope: reach,
    eventId: id,
    eventType,
    externalId: sampleExternalId,
    eventAt: at,
    sequence: 0,
    purpose: 'test',
    state: 'pending',
    missed: false,
    waits: false,
    startAt: at,
    body: Buffer.from(JSON.stringify(envelope), 'utf8'),
    ...(scope.requestId !== undefined && { requestId: scope.requestId }),
    ...(scope.trace !== undefined && { trace: scope.trace }),
    createdAt: at,
  });
  const audit = auditBy(scope, {
    kind: 'test_event_sent',
    at,
    details: { deliveryId: delivery._id, webhookId: endpointId, eventType },
  });
  await confirmCredential(scope);
  await insertDeliveryOnce(store, delivery, audit);
  hints.deliverySoon(delivery);
  return describeMade(delivery);
}
