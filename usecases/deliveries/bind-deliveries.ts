import type { WebhookSender } from '../../gateways/webhook-sender/port.ts';
import { warningOf, type EndpointLife } from '../../core/webhooks/endpoint-life.ts';
import type { EndpointId } from '../../core/ids.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Encryption } from '../../security/encryption.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { createDeliveryStore, type DeliveryAttempt, type DeliveryState } from '../../store/deliveries/deliveries.ts';
import { changeEndpointLife } from '../../store/webhooks/webhook-endpoints.ts';
import { findDestination } from '../../store/webhooks/webhook-targets.ts';
import { createMemberReferences } from '../operations/member-references.ts';
import type { DeliveryDependencies } from './delivery-dependencies.ts';
import { createEndpointHealth, type EndpointHealth } from './endpoint-health.ts';
import { presentBody } from './present-body.ts';
import { signDelivery } from './sign-delivery.ts';

export interface DeliverySurroundings {
  readonly store: StoreConnection;
  readonly encryption: Encryption;
  readonly sender: WebhookSender;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Told of what happens, to count it. */
  readonly observer?: DeliveryObserver;
  readonly now: () => Date;
}

export interface DeliveryObserver {
  readonly attempted: DeliveryDependencies['tell'];
  /** Again when the transaction is made again. */
  readonly endpointChanged: (change: 'warned' | 'disabled') => void;
}

const nobody: DeliveryObserver = { attempted: () => undefined, endpointChanged: () => undefined };

/** With all that the lane asks of the endpoints' health, too. */
export type BoundDeliveries = DeliveryDependencies & { readonly health: EndpointHealth };

/** What attempts need, on the real store. One per process: the endpoints' health is known to it alone. */
export function bindDeliveries(surroundings: DeliverySurroundings): BoundDeliveries {
  const { store, encryption, sender, logger, observer = nobody, now } = surroundings;
  return {
    deliveries: createDeliveryStore(store),
    findDestination: (delivery) => findDestination(store, delivery),
    presentBody: (delivery) => presentBody(store, delivery),
    sign: (destination, delivery, sentAt) => signDelivery(encryption, destination, { delivery, sentAt }),
    sender,
    health: createEndpointHealth(),
    changeEndpoint:
      ({ endpointId }, next) =>
      async (session) => {
        if (endpointId === null) return;
        const told = (life: EndpointLife): EndpointLife =>
          tellChange({ logger, observer }, { endpointId, life, next: next(life) });
        await changeEndpointLife(store, endpointId, { next: told, session });
      },
    tell: (recorded) => {
      const { attempt, state, delivery } = recorded;
      logger.info({ ...lineOf(attempt, state), requestId: delivery.requestId ?? null }, 'delivery.attempted');
      observer.attempted(recorded);
    },
    memberOf: createMemberReferences(store, now),
    now,
  };
}

/** Everything about an attempt but what was sent and answered: that is the partner's. */
const lineOf = (
  { _id, responseStart: _response, body: _body, createdAt: _createdAt, ...attempt }: DeliveryAttempt,
  state: DeliveryState,
) => ({
  attemptId: _id,
  ...attempt,
  state,
});

/** Somebody should look when an endpoint is on its way to being disabled. Said again when the transaction is made again. */
function tellChange(
  { logger, observer }: { logger: Pick<Logger, 'warn'>; observer: DeliveryObserver },
  { endpointId, life, next }: { endpointId: EndpointId; life: EndpointLife; next: EndpointLife },
): EndpointLife {
  const { failCount, lastError } = next;
  const isWarned = (warningOf(next)?.level ?? 0) > (warningOf(life)?.level ?? 0);
  const change = life.active && !next.active ? 'disabled' : isWarned ? 'warned' : null;
  if (change !== null) {
    logger.warn({ endpointId, failCount, lastError }, `endpoint.${change}`);
    observer.endpointChanged(change);
  }
  return next;
}
