import type { AccountId } from '../../rules/ids.ts';
import { deliveryIdOf, targetKeyOf, wantsEvent, type WebhookTarget } from '../rules/delivery.ts';
import { buildEnvelope } from '../rules/envelope.ts';
import type { DueEvent, StoredEvent } from './events.ts';
import type { Target } from './webhook-targets.ts';
import { newDelivery, type Delivery } from './deliveries.ts';

/** The deliveries of one transaction. */
export interface DeliveryPlan {
  /** Makes the deliveries of one event. It may be called several times. */
  readonly planDeliveries: (event: StoredEvent, targets: readonly Target[], now: Date) => Delivery[];
  /** Called once the deliveries are stored. */
  readonly onStored: (deliveries: readonly Delivery[]) => void;
  /** Called at the end, whether they were stored or not. */
  readonly drop: () => void;
}

/** For a command, which sends nothing: every delivery waits for the workflow of its receiver, which a relay starts. */
export const waitingDeliveries = (): DeliveryPlan => ({
  planDeliveries: (event, targets, now) =>
    targets.filter((target) => wantsEvent(target, event.entry)).map((target) => planDelivery(event, target, now)),
  onStored: () => undefined,
  drop: () => undefined,
});

/**
 * The delivery of an event to one target, with the bytes that every attempt signs and sends (protocol 12). It waits.
 */
export function planDelivery(event: StoredEvent, target: WebhookTarget, now: Date): Delivery {
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
    eventAt: event.eventAt,
    sequence: event.entry.sequence,
    state: isActive ? 'pending' : 'held',
    missed: !isActive,
    waits: isActive ? true : null,
    startAt: isActive ? now : null,
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
