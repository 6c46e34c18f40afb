import { secretContexts } from '../../core/secret-contexts.ts';
import type { Encryption } from '../../security/encryption.ts';
import { webhookSignatureHeaders } from '../../security/webhook-signature.ts';
import type { Delivery } from '../../store/deliveries/deliveries.ts';
import type { Destination } from '../../store/webhooks/webhook-targets.ts';

/** Signs with the secret that the target has now: after a rotation the old one is invalid at once, also for retries. */
export function signDelivery(
  encryption: Encryption,
  destination: Destination,
  { delivery, sentAt }: { delivery: Delivery; sentAt: Date },
): Readonly<Record<string, string>> {
  const context =
    delivery.endpointId === null
      ? secretContexts.webhookSettings(delivery.accountId)
      : secretContexts.webhookEndpoint(delivery.endpointId);
  const secret = encryption.decrypt(destination.secretEncrypted, context);
  return webhookSignatureHeaders({ secret, id: delivery.eventId, sentAt, body: delivery.body });
}
