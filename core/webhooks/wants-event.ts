import type { AccountId, EndpointId } from '../ids.ts';
import { isAboutOrder, isSpecified, type EventType } from '../events/event-types.ts';

/**
 * One target of events. `account` is the account-level URL: all events, scope self, never disabled. `since` is when the target
 * was registered or the member joined, whichever is later, in the database's time; null when unknown.
 */
export type WebhookTarget =
  | { readonly kind: 'account'; readonly accountId: AccountId; readonly since: Date | null }
  | {
      readonly kind: 'endpoint';
      readonly endpointId: EndpointId;
      readonly accountId: AccountId;
      readonly scope: 'self' | 'members';
      readonly eventTypes: readonly string[];
      readonly active: boolean;
      readonly since: Date | null;
      /** The reseller's reference for the item's account; set for scope members. */
      readonly memberExternalId?: string;
      /** Whether the member shares its orders with the reseller; set for scope members. */
      readonly sharesOrders?: boolean;
    };

export interface OfferedEvent {
  readonly type: EventType;
  readonly acceptedAt: Date;
  /** The account whose own program caused it; undefined for an event that everybody is told. */
  readonly writtenBy?: AccountId | undefined;
}

/**
 * A target gets no event that was accepted before it was registered, however late the event is fanned out, none that its own
 * account's key caused, and none about orders that a member does not share.
 */
export const wantsEvent = (target: WebhookTarget, { type, acceptedAt, writtenBy }: OfferedEvent): boolean =>
  (target.since === null || target.since <= acceptedAt) &&
  writtenBy !== target.accountId &&
  selects(target, type) &&
  (!isAboutOrder(type) || target.kind === 'account' || target.scope === 'self' || target.sharesOrders === true);

/**
 * An empty allow-list, and the account-level URL, mean all specified types; the others have to be named (decision 147). Source:
 * specification "Endpoint selection".
 */
const selects = (target: WebhookTarget, type: EventType): boolean =>
  target.kind === 'account' || target.eventTypes.length === 0 ? isSpecified(type) : target.eventTypes.includes(type);
