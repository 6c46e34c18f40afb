import { deliveryId, type AccountId } from '../../core/ids.ts';
import { buildEnvelope } from '../../core/webhooks/envelope.ts';
import { targetKey, wantsEvent, type WebhookTarget } from '../../core/webhooks/select-targets.ts';
import type { Delivery } from '../../store/deliveries.ts';
import type { DueEvent } from '../../store/events.ts';

/** The starter begins the workflow right away; the sweep comes this much later, for starts that got lost. */
const startGraceMs = 2_000;

/** One record for each target that wants the event, with the bytes that every attempt will sign and send (protocol 12). */
export function planDeliveries(event: DueEvent, targets: readonly WebhookTarget[], now: Date): Delivery[] {
  return targets
    .filter((target) => wantsEvent(target, event.entry.type))
    .map((target): Delivery => {
      const isActive = target.kind === 'account' || target.active;
      return {
        _id: deliveryId(`dlv_${event.entry.eventId.slice('evt_'.length)}_${targetKey(target)}_1`),
        accountId: target.accountId,
        eventId: event.entry.eventId,
        eventType: event.entry.type,
        externalId: event.externalId,
        endpointId: target.kind === 'account' ? null : target.endpointId,
        scope: target.kind === 'account' ? 'self' : target.scope,
        aboutAccountId: event.accountId,
        state: isActive ? 'pending' : 'held',
        attempts: 0,
        inFlightSince: null,
        retryAt: null,
        nextAttemptAt: isActive ? new Date(now.getTime() + startGraceMs) : null,
        body: bodyFor(event, target, event.accountId),
        createdAt: now,
        updatedAt: now,
      };
    });
}

function bodyFor(event: DueEvent, target: WebhookTarget, owner: AccountId): Buffer {
  const memberExternalId = target.kind === 'endpoint' ? target.memberExternalId : undefined;
  return Buffer.from(JSON.stringify(buildEnvelope(event.entry, { accountId: owner, memberExternalId })), 'utf8');
}
