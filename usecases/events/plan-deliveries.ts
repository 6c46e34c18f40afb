import type { AccountId } from '../../core/ids.ts';
import { deliveryIdOf, targetKeyOf } from '../../core/webhooks/delivery-id.ts';
import { buildEnvelope } from '../../core/webhooks/envelope.ts';
import { wantsEvent, type WebhookTarget } from '../../core/webhooks/wants-event.ts';
import { newDelivery, type Delivery } from '../../store/deliveries/deliveries.ts';
import type { DueEvent, NumberedEvent } from '../../store/events/events.ts';

/** The starter begins the workflow at once. The sweep looks this much later, for starts that were lost. */
export const startGraceMs = 2_000;

/** Plans one delivery per target that wants the event, with the bytes that every attempt signs and sends (protocol 12). */
export function planDeliveries(event: NumberedEvent, targets: readonly WebhookTarget[], now: Date): Delivery[] {
  return targets
    .filter((target) => wantsEvent(target, { type: event.entry.type, acceptedAt: event.acceptedAt }))
    .map((target) => planDelivery(event, target, now));
}

function planDelivery(event: NumberedEvent, target: WebhookTarget, now: Date): Delivery {
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
    nextAttemptAt: isActive ? new Date(now.getTime() + startGraceMs) : null,
    body: bodyFor(event, target, event.accountId),
    ...(event.entry.requestId !== undefined && { requestId: event.entry.requestId }),
    createdAt: now,
  });
}

function bodyFor(event: DueEvent, target: WebhookTarget, owner: AccountId): Buffer {
  const memberExternalId = target.kind === 'endpoint' ? target.memberExternalId : undefined;
  return Buffer.from(JSON.stringify(buildEnvelope(event.entry, { accountId: owner, memberExternalId })), 'utf8');
}
