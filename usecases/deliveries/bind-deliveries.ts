import { randomUUID } from 'node:crypto';
import type { WebhookSender } from '../../gateways/webhook-sender/port.ts';
import { warningOf, type EndpointLife } from '../../core/webhooks/endpoint-life.ts';
import type { EndpointId } from '../../core/ids.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Encryption } from '../../security/encryption.ts';
import type { StoreConnection } from '../../store/connection.ts';
import { createDeliveryStore, type DeliveryAttempt, type DeliveryState } from '../../store/deliveries.ts';
import { changeEndpointLife } from '../../store/webhook-endpoints.ts';
import { findDestination } from '../../store/webhook-targets.ts';
import type { DeliveryDependencies } from './attempt-delivery.ts';
import { createEndpointHealth } from './endpoint-health.ts';
import { presentBody } from './present-body.ts';
import { signDelivery } from './sign-delivery.ts';

export interface DeliverySurroundings {
  readonly store: StoreConnection;
  readonly encryption: Encryption;
  readonly sender: WebhookSender;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly now: () => Date;
}

/** What attempts need, on the real store. One per process: the endpoints' health is known to it alone. */
export function bindDeliveries({ store, encryption, sender, logger, now }: DeliverySurroundings): DeliveryDependencies {
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
        const told = (life: EndpointLife): EndpointLife => tellChange(logger, { endpointId, life, next: next(life) });
        await changeEndpointLife(store, endpointId, { next: told, session });
      },
    tell: ({ attempt, state }) => logger.info(lineOf(attempt, state), 'delivery.attempted'),
    newAttemptId: randomUUID,
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
  logger: Pick<Logger, 'warn'>,
  { endpointId, life, next }: { endpointId: EndpointId; life: EndpointLife; next: EndpointLife },
): EndpointLife {
  const { failCount, lastError } = next;
  if (life.active && !next.active) logger.warn({ endpointId, failCount, lastError }, 'endpoint.disabled');
  else if ((warningOf(next)?.level ?? 0) > (warningOf(life)?.level ?? 0))
    logger.warn({ endpointId, failCount, lastError }, 'endpoint.warned');
  return next;
}
