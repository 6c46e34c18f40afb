// Branded ids: an account's id can't be passed where an item's is expected. The functions below are the only way to
// make one.
declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };

/** UUID of a partner account; the same value the interface calls `userId`, `serviceUserId` and `memberUserId`. */
export type AccountId = Id<'account'>;
/** UUID of an item, `serviceItemId` in the interface. */
export type ItemId = Id<'item'>;
export type EndpointId = Id<'endpoint'>;
/** `evt_…`, derived from the occurrence (docs/protocol: the same occurrence always has the same id). */
export type EventId = Id<'event'>;
/** `dlv_…`, derived from event, target and ordinal. */
export type DeliveryId = Id<'delivery'>;
/** UUID of one run that sends an endpoint its missed events again. */
export type RecoveryId = Id<'recovery'>;
/** `ord_…`, derived from the marketplace's transaction id, random for a direct sale. */
export type OrderId = Id<'order'>;
/** UUID of a dashboard session: what one login opened, over all renewals. */
export type SessionId = Id<'session'>;
export type BulkSyncId = Id<'bulk-sync'>;

/** Brand a text that is known to be such an id. They check nothing. */
export const accountId = (value: string): AccountId => value as AccountId;
export const itemId = (value: string): ItemId => value as ItemId;
export const endpointId = (value: string): EndpointId => value as EndpointId;
export const eventId = (value: string): EventId => value as EventId;
export const deliveryId = (value: string): DeliveryId => value as DeliveryId;
export const recoveryId = (value: string): RecoveryId => value as RecoveryId;
export const orderId = (value: string): OrderId => value as OrderId;
export const sessionId = (value: string): SessionId => value as SessionId;
export const bulkSyncId = (value: string): BulkSyncId => value as BulkSyncId;
