import { auditBy } from '../../core/audit/audit-entry.ts';
import { Refusal } from '../../core/errors.ts';
import { deliveryId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { deliveryIdOf } from '../../core/webhooks/delivery.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { recordAudit } from '../../store/accounts/audit.ts';
import type { Delivery } from '../../store/deliveries/deliveries.ts';
import {
  deliverAgain,
  findDelivery,
  findDeliveryOfAttempt,
  findMadeFor,
  hasPendingDelivery,
} from '../../store/deliveries/missed-deliveries.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import { targetLine } from '../../store/dispatch/due-rows.ts';
import type { Context } from '../context.ts';
import { presentBodies } from '../deliveries/prepare-attempt.ts';
import { describeMade, type MadeDelivery } from './webhook-deliveries.ts';
import { findTarget } from './webhook-target.ts';

type Needs = Pick<Context, 'store' | 'ring' | 'confirmCredential' | 'now'>;

/**
 * Sends an event once more to the same target, also a disabled one, as a new delivery with the same bytes. `id` is the id of a
 * log record or of the delivery. Never changes `failCount`. Throws {@link Refusal} NOT_FOUND. CONFLICT means that the event is
 * still under way, or that its target or the link to the member is gone.
 */
export async function redeliver(
  { store, ring, confirmCredential, now }: Needs,
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
      ...{
        kind: 'redelivery_requested',
        at,
        details: { deliveryId: delivery._id, webhookId, eventId, eventType, externalId },
      },
    });
    await recordAudit(store, audit, session);
    return delivery;
  });
  ring(targetLine('workflow', made));
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
  if (body === null) throw new Refusal('CONFLICT', 'The account that the event is about is no longer your member');
  if (await hasPendingDelivery(store, first)) throw onItsWay();
  return body;
}

const onItsWay = (): Refusal =>
  new Refusal('CONFLICT', 'The event is on its way to this endpoint; wait until that has ended');

const noSuchDelivery = (): Refusal => new Refusal('NOT_FOUND', 'No webhook delivery with this id');
