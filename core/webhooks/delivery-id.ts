import { deliveryId, type AccountId, type DeliveryId, type EndpointId, type EventId } from '../ids.ts';

/** Key of a target in ids, logs, indexes and fairness: the endpoint's id, or `account-<id>` for the account-level URL. */
export const targetKeyOf = (target: {
  readonly accountId: AccountId;
  readonly endpointId: EndpointId | null;
}): string => target.endpointId ?? `account-${target.accountId}`;

export interface DeliveryName {
  readonly eventId: EventId;
  readonly target: string;
  /** 1 for the first delivery of the event to the target; redelivery and recovery take the next. */
  readonly ordinal: number;
}

/** Derived, so that the same delivery is never made twice (protocol 12, 14). */
export const deliveryIdOf = ({ eventId, target, ordinal }: DeliveryName): DeliveryId =>
  deliveryId(`dlv_${eventId.slice('evt_'.length)}_${target}_${ordinal}`);
