import type { ListWebhookDeliveriesData } from '../../../../../client/generated/types.gen.ts';
import { deliveredTypes } from '../../webhooks/event-types.ts';

/** Parameters by name. */
type Address = Readonly<Record<string, string>>;
type DeliveryQuery = NonNullable<ListWebhookDeliveriesData['query']>;

/** The filters of the address as the service takes them; what it would refuse is left out. */
export function deliveryQuery({ endpointId, status, eventType, externalId, deliveryId }: Address): DeliveryQuery {
  const type = deliveredTypes.find((one) => one === eventType);
  const result = deliveryStatuses.find((one) => one === status);
  return {
    ...(endpointId !== undefined && { endpointId }),
    ...(result !== undefined && { status: result }),
    ...(type !== undefined && { eventType: type }),
    ...(externalId !== undefined && { externalId }),
    ...(deliveryId !== undefined && { deliveryId }),
  };
}

export const deliveryStatuses = ['success', 'failed'] as const;
