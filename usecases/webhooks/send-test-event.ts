import { auditBy } from '../../core/audit/audit-entry.ts';
import { dueFrom } from '../../core/due.ts';
import { testEventType, type EventType } from '../../core/events/event-types.ts';
import { eventId, type EndpointId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { deliveryIdOf } from '../../core/webhooks/delivery.ts';
import { sampleEvent, sampleExternalId } from '../../core/webhooks/sample-event.ts';
import { newDelivery } from '../../store/deliveries/deliveries.ts';
import { insertDeliveryOnce } from '../../store/deliveries/missed-deliveries.ts';
import { targetLine } from '../../store/dispatch/due-rows.ts';
import type { Context } from '../context.ts';
import { describeMade, type MadeDelivery } from './webhook-deliveries.ts';
import { findTarget } from './webhook-target.ts';

type Needs = Pick<Context, 'store' | 'ring' | 'confirmCredential' | 'now' | 'newId'>;

/**
 * Sends a signed sample once to one target, also a disabled one. The sample is no event of the account: it is not in the feed,
 * and the endpoint does not count it. Throws {@link Refusal} NOT_FOUND or CONFLICT as findTarget does.
 */
export async function sendTestEvent(
  { store, ring, confirmCredential, now, newId }: Needs,
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
    ...{ accountId, aboutAccountId: accountId, endpointId, target, scope: reach },
    ...{ eventId: id, eventType, externalId: sampleExternalId, eventAt: at, eventNumber: 0 },
    ...{ purpose: 'test', state: 'pending', missed: false },
    due: dueFrom('workflow', at),
    body: Buffer.from(JSON.stringify(envelope), 'utf8'),
    ...(scope.requestId !== undefined && { requestId: scope.requestId }),
    ...(scope.trace !== undefined && { trace: scope.trace }),
    createdAt: at,
  });
  const audit = auditBy(scope, {
    ...{ kind: 'test_event_sent', at, details: { deliveryId: delivery._id, webhookId: endpointId, eventType } },
  });
  await confirmCredential(scope);
  await insertDeliveryOnce(store, delivery, audit);
  ring(targetLine('workflow', delivery));
  return describeMade(delivery);
}
