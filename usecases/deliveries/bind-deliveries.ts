import { randomUUID } from 'node:crypto';
import type { WebhookSender } from '../../gateways/webhook-sender/port.ts';
import type { Encryption } from '../../security/encryption.ts';
import type { StoreConnection } from '../../store/connection.ts';
import { createDeliveryStore } from '../../store/deliveries.ts';
import { changeEndpointLife } from '../../store/webhook-endpoints.ts';
import { findDestination } from '../../store/webhook-targets.ts';
import type { DeliveryDependencies } from './attempt-delivery.ts';
import { createEndpointHealth } from './endpoint-health.ts';
import { isStillLinked } from './is-still-linked.ts';
import { signDelivery } from './sign-delivery.ts';

export interface DeliverySurroundings {
  readonly store: StoreConnection;
  readonly encryption: Encryption;
  readonly sender: WebhookSender;
  readonly now: () => Date;
}

/** What attempts need, on the real store. One per process: the endpoints' health is known to it alone. */
export function bindDeliveries({ store, encryption, sender, now }: DeliverySurroundings): DeliveryDependencies {
  return {
    deliveries: createDeliveryStore(store),
    findDestination: (delivery) => findDestination(store, delivery),
    isStillLinked: (delivery) => isStillLinked(store, delivery),
    sign: (destination, delivery, sentAt) => signDelivery(encryption, destination, { delivery, sentAt }),
    sender,
    health: createEndpointHealth(),
    changeEndpoint:
      ({ endpointId }, next) =>
      async (session) => {
        if (endpointId !== null) await changeEndpointLife(store, endpointId, { next, session });
      },
    newAttemptId: randomUUID,
    now,
  };
}
