import type { AccountId, EndpointId } from '../ids.ts';
import type { EventType } from '../events/event-types.ts';

/** One place to which an event may go. `account` is the account-level URL: all events, scope self, never disabled. */
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
    };

/** An empty allow-list means all events. Source: specification "Endpoint selection". */
export const wantsEvent = (target: WebhookTarget, type: EventType): boolean =>
  target.kind === 'account' || target.eventTypes.length === 0 || target.eventTypes.includes(type);
