import { auditBy } from '../accounts/rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import { deliveryId } from '../rules/ids.ts';
import { pageOf } from '../rules/page-of.ts';
import type { Scope } from '../rules/scope.ts';
import { deliveryIdOf } from './rules/delivery.ts';
import { standingHeaders } from '../../gateways/webhook-sender/port.ts';
import { writeWebhookDeliveryCursor, type WebhookDeliveryQuery } from '../../schemas/webhooks/webhook-delivery.ts';
import { recordAudit } from '../accounts/store/audit.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Delivery } from './store/deliveries.ts';
import { findAttempt, listRecentAttempts, type DeliveryAttemptRow } from './store/delivery-attempts.ts';
import {
  deliverAgain,
  findDelivery,
  findDeliveryOfAttempt,
  findMadeFor,
  hasPendingDelivery,
} from './store/missed-deliveries.ts';
import { findConnectionOfMember } from '../resellers/store/member-connections.ts';
import type { Context } from '../context.ts';
import { presentBodies } from './prepare-attempt.ts';
import { ordersNotShared } from '../resellers/share-orders.ts';
import { findTarget } from './webhook-target.ts';

/** The most recent attempts that match, newest first; 100 of them where the call asks for no page. */
export async function listWebhookDeliveries(
  { store }: Pick<Context, 'store'>,
  { actingAccountId }: Scope,
  { filter, limit, behind, isPaged }: WebhookDeliveryQuery,
) {
  // One more than the page shows, to tell whether there are more.
  const rows = await listRecentAttempts(store, actingAccountId, { filter, behind, rowsMax: limit + 1 });
  const { shown, last } = pageOf(rows, limit);
  const nextCursor =
    last === undefined ? null : writeWebhookDeliveryCursor({ at: last.createdAt, id: last._id }, filter);
  return { deliveries: shown.map(describeAttempt), ...(isPaged && { nextCursor }) };
}

/** One log record with its request and answer, for the dashboard. Throws Refusal NOT_FOUND. */
export async function readWebhookDelivery(context: Pick<Context, 'store'>, scope: Scope, id: string) {
  const found = await findAttempt(context.store, scope.actingAccountId, id);
  if (found === null) throw new Refusal('NOT_FOUND', 'There is no such delivery record');
  const { attempt, delivery } = found;
  return {
    ...describeAttempt(attempt),
    response: responseOf(attempt),
    request: {
      headers: attempt.headers ? { ...standingHeaders, ...attempt.headers } : null,
      body: sentBy(attempt)?.toString('utf8') ?? delivery?.body.toString('utf8') ?? null,
    },
    delivery: delivery && {
      state: delivery.state,
      attempts: delivery.attempts,
      purpose: delivery.purpose,
    },
  };
}

/** The member's reference may change between two attempts; then each attempt has its own bytes. */
const sentBy = ({ body }: DeliveryAttemptRow): Buffer | undefined => (body ? Buffer.from(body.buffer) : undefined);

/** An empty body is an answer, too. */
function responseOf({ responseStart, httpStatus }: DeliveryAttemptRow): string | null {
  return responseStart === '' && httpStatus === null ? null : responseStart;
}

/** A record of the log. Source: specification "Webhook delivery log record"; the rest is additional. */
export type WebhookDeliveryView = ReturnType<typeof describeAttempt>;

export const describeAttempt = (row: DeliveryAttemptRow) => ({
  id: row._id,
  externalId: row.externalId,
  eventType: row.eventType,
  status: row.status,
  errorMessage: row.errorMessage,
  createdAt: row.createdAt.toISOString(),
  ...(row.endpointId !== null && { endpointId: row.endpointId }),
  deliveryId: row.deliveryId,
  eventId: row.eventId,
  attempt: row.attempt,
  httpStatus: row.httpStatus,
  durationMs: row.durationMs,
});

/** A delivery requested by a caller; its outcome is in the log under its id. */
export type MadeDelivery = ReturnType<typeof describeMade>;

export const describeMade = ({ _id, eventId }: Delivery) => ({ deliveryId: _id, eventId });

type Needs = Pick<Context, 'store' | 'hints' | 'confirmCredential' | 'now'>;

/**
 * Sends an event once more to the same target, also a disabled one, as a new delivery with the same bytes. Only a member's
 * reference is the present one. `id` is the id of a log record or of the delivery. Never changes `failCount`. Throws
 * {@link Refusal} NOT_FOUND. CONFLICT means that the event is still under way, or its target is gone or has another scope. It also
 * means that the member has left, or no longer shares the orders that the event is about.
 */
export async function redeliver(
  { store, hints, confirmCredential, now }: Needs,
  scope: Scope,
  id: string,
): Promise<MadeDelivery> {
  const first = await findFirst(store, scope, id);
  const reservedId = scope.reserved?.id ?? null;
  const known = reservedId === null ? null : await findMadeFor(store, first, reservedId);
  if (known !== null) return describeMade(known);
  const body = await requireRedeliverable(store, first);
  const made = await inTransaction(store, async (session) => {
    await confirmCredential(scope);
    const at = now();
    const purpose = first.purpose === 'test' ? 'test' : 'redelivery';
    const wish = { purpose, onlyIfMissed: false, startAt: at, reservedId, now: at, session } as const;
    const trace = scope.trace ?? first.trace;
    const delivery = await deliverAgain(store, { ...first, body, ...(trace && { trace }) }, wish);
    if (delivery === null) throw onItsWay();
    const { eventId, eventType, externalId, endpointId: webhookId } = first;
    const audit = auditBy(scope, {
      kind: 'redelivery_requested',
      at,
      details: { deliveryId: delivery._id, webhookId, eventId, eventType, externalId },
    });
    await recordAudit(store, audit, session);
    return delivery;
  });
  hints.deliverySoon(made);
  return describeMade(made);
}

/** The answer to `?dryRun=true`: the same refusals, without any effect. */
export async function previewRedelivery(
  { store }: Pick<Context, 'store'>,
  scope: Scope,
  id: string,
): Promise<{ count: number }> {
  await requireRedeliverable(store, await findFirst(store, scope, id));
  return { count: 1 };
}

/** The first delivery of the event, from which the next one is made. */
async function findFirst(store: StoreConnection, { actingAccountId }: Scope, id: string): Promise<Delivery> {
  const meant =
    (await findDelivery(store, actingAccountId, deliveryId(id))) ??
    (await findDeliveryOfAttempt(store, actingAccountId, id));
  if (meant === null) throw noSuchDelivery();
  const first = await findDelivery(store, actingAccountId, deliveryIdOf({ ...meant, ordinal: 1 }));
  if (first === null) throw noSuchDelivery();
  return first;
}

/** Returns the body to send. */
async function requireRedeliverable(store: StoreConnection, first: Delivery): Promise<Buffer> {
  const { scope } = await findTarget(store, first.accountId, first.endpointId).catch((error: unknown) => {
    throw error instanceof Refusal ? new Refusal('CONFLICT', 'The endpoint it was sent to is gone') : error;
  });
  if (scope !== first.scope) throw new Refusal('CONFLICT', 'The endpoint has another scope now');
  const body = (await presentBodies(store, [first]))(first);
  if (body === null) throw await noRightTo(store, first);
  if (await hasPendingDelivery(store, first)) throw onItsWay();
  return body;
}

/** Another sentence and code for a member that only keeps its orders to itself: it is asked for something else. */
async function noRightTo(store: StoreConnection, { accountId, aboutAccountId }: Delivery): Promise<Refusal> {
  const link = await findConnectionOfMember(store, aboutAccountId);
  if (link?.resellerAccountId === accountId) return ordersNotShared();
  return new Refusal('CONFLICT', 'The account that the event is about is no longer your member');
}

const onItsWay = (): Refusal =>
  new Refusal('CONFLICT', 'The event is on its way to this endpoint; wait until that has ended');

const noSuchDelivery = (): Refusal => new Refusal('NOT_FOUND', 'No webhook delivery with this id');
