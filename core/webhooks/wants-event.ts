import type { AccountId, EndpointId } from '../ids.ts';
import type { EventType } from '../events/event-types.ts';

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
    };

/**
 * An empty allow-list means all events. Source: specification "Endpoint selection". A target gets no event that was accepted
 * before it was registered, however late the event is fanned out.
 */
export const wantsEvent = (target: WebhookTarget, event: { type: EventType; acceptedAt: Date }): boolean =>
  (target.since === null || target.since <= event.acceptedAt) &&
  (target.kind === 'account' || target.eventTypes.length === 0 || target.eventTypes.includes(event.type));
