import type {
  ListMembersDeliveriesData,
  ListWebhookDeliveriesData,
} from '../../../../../client/generated/types.gen.ts';
import { beginningOf, endOf } from '../../period/stockholm-day.ts';
import { deliveredTypes } from '../../webhooks/event-types.ts';

/** Parameters by name. */
type Address = Readonly<Record<string, string>>;
export type DeliveryQuery = NonNullable<ListWebhookDeliveriesData['query']>;

/** The filters of the address in the form of the service; values that it would refuse are left out. */
export function deliveryQuery({
  endpointId,
  status,
  eventType,
  externalId,
  deliveryId,
  ...period
}: Address): DeliveryQuery {
  const type = deliveredTypes.find((one) => one === eventType);
  const from = beginningOf(period['from'] ?? '');
  const to = endOf(period['to'] ?? '');
  const result = deliveryStatuses.find((one) => one === status);
  return {
    ...(endpointId !== undefined && { endpointId }),
    ...(result !== undefined && { status: result }),
    ...(type !== undefined && { eventType: type }),
    ...(externalId !== undefined && { externalId }),
    ...(deliveryId !== undefined && { deliveryId }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

/** Of the filters, those that a list of all members knows. */
export function membersDeliveryQuery(address: Address): NonNullable<ListMembersDeliveriesData['query']> {
  const { status, externalId, from, to } = deliveryQuery(address);
  const { member } = address;
  return {
    ...(member !== undefined && { memberExternalId: member }),
    ...(status !== undefined && { status }),
    ...(externalId !== undefined && { externalId }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

export const deliveryStatuses = ['success', 'failed'] as const;
