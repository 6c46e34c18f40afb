import { isAboutOrder, isSpecified, type EventType } from './event-types.ts';
import {
  deliveryId,
  endpointId,
  type AccountId,
  type DeliveryId,
  type EndpointId,
  type EventId,
} from '../../rules/ids.ts';

/** Key of a target in ids, logs, indexes and fairness: the endpoint's id, or `account-<id>` for the account-level URL. */
export const targetKeyOf = (target: {
  readonly accountId: AccountId;
  readonly endpointId: EndpointId | null;
}): string => target.endpointId ?? `account-${target.accountId}`;

/** The endpoint in the key of a target; null for the URL of the account. */
export const endpointOfTarget = (target: string, accountId: AccountId): EndpointId | null =>
  target === targetKeyOf({ accountId, endpointId: null }) ? null : endpointId(target);

export interface DeliveryName {
  readonly eventId: EventId;
  readonly target: string;
  /** 1 for the first delivery of the event to the target; redelivery and recovery take the next. */
  readonly ordinal: number;
}

/** Derived, so that the same delivery is never made twice (protocol 12, 14). */
export const deliveryIdOf = ({ eventId, target, ordinal }: DeliveryName): DeliveryId =>
  deliveryId(`dlv_${eventId.slice('evt_'.length)}_${target}_${ordinal}`);

/**
 * One target of events. `account` is the account-level URL: the specified types, scope self, never disabled.
 */
export type WebhookTarget =
  | { readonly kind: 'account'; readonly accountId: AccountId }
  | {
      readonly kind: 'endpoint';
      readonly endpointId: EndpointId;
      readonly accountId: AccountId;
      readonly scope: 'self' | 'members';
      readonly eventTypes: readonly string[];
      readonly active: boolean;
      /** The reseller's reference for the item's account; set for scope members. */
      readonly memberExternalId?: string;
      /** Whether the member shares its orders with the reseller; set for scope members. */
      readonly sharesOrders?: boolean;
    };

export interface OfferedEvent {
  readonly type: EventType;
  /** The account whose own program caused it; undefined: no target is left out for that reason. */
  readonly writtenBy?: AccountId | undefined;
}

/**
 * Whether a target gets the event. It gets none that a key of its own account caused, and none about orders that a member
 * does not share.
 */
export const wantsEvent = (target: WebhookTarget, { type, writtenBy }: OfferedEvent): boolean =>
  writtenBy !== target.accountId &&
  selects(target, type) &&
  (!isAboutOrder(type) || target.kind === 'account' || target.scope === 'self' || target.sharesOrders === true);

/**
 * An empty allow-list, and the account-level URL, mean all specified types; the others have to be named. Source:
 * specification "Endpoint selection".
 */
const selects = (target: WebhookTarget, type: EventType): boolean =>
  target.kind === 'account' || target.eventTypes.length === 0 ? isSpecified(type) : target.eventTypes.includes(type);

/** Why a delivery exists: a new event, a test, a manual redelivery, or a recovery of a missed event. */
export type DeliveryPurpose = 'event' | 'test' | 'redelivery' | 'recovery';
