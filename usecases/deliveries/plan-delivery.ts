import { dueFrom } from '../../core/due.ts';
import type { AccountId } from '../../core/ids.ts';
import { buildEnvelope, deliveryIdOf, targetKeyOf, type WebhookTarget } from '../../core/webhooks/delivery.ts';
import { newDelivery, type Delivery } from '../../store/deliveries/deliveries.ts';
import type { DueEvent, NumberedEvent } from '../../store/events/events.ts';

/** The delivery of an event to one target, with the bytes that every attempt signs and sends (protocol 12). It waits in its line. */
export function planDelivery(event: NumberedEvent, target: WebhookTarget, now: Date): Delivery {
  const isActive = target.kind === 'account' || target.active;
  const endpointId = target.kind === 'account' ? null : target.endpointId;
  const key = targetKeyOf({ accountId: target.accountId, endpointId });
  return newDelivery({
    _id: deliveryIdOf({ eventId: event.entry.eventId, target: key, ordinal: 1 }),
    accountId: target.accountId,
    eventId: event.entry.eventId,
    eventType: event.entry.type,
    externalId: event.externalId,
    endpointId,
    target: key,
    scope: target.kind === 'account' ? 'self' : target.scope,
    aboutAccountId: event.accountId,
    purpose: 'event',
    eventAt: event.acceptedAt,
    eventNumber: event.number,
    state: isActive ? 'pending' : 'held',
    missed: !isActive,
    due: isActive ? dueFrom('worker', now) : null,
    body: bodyFor(event, target, event.accountId),
    ...(event.entry.requestId !== undefined && { requestId: event.entry.requestId }),
    ...(event.trace !== undefined && { trace: event.trace }),
    createdAt: now,
  });
}

function bodyFor(event: DueEvent, target: WebhookTarget, owner: AccountId): Buffer {
  const memberExternalId = target.kind === 'endpoint' ? target.memberExternalId : undefined;
  return Buffer.from(JSON.stringify(buildEnvelope(event.entry, { accountId: owner, memberExternalId })), 'utf8');
}
