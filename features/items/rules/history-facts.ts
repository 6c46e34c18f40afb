import type { ImageFailureKind } from '../../images/rules/image-failure.ts';

/** Allowed values in the details of an entry: ids, names and numbers, never a secret. */
type DetailValue = string | number | boolean | null | readonly string[];
export type Details = Readonly<Record<string, DetailValue>>;

type None = Readonly<Record<string, never>>;
type OfAuction = {
  /** The marketplace's id of the auction. */
  readonly adId: string;
};
type OfOrder = {
  readonly orderId: string;
};

/** Times are ISO 8601. An entry that begins a wait has no `since` and no `nextTryAt`: the wait began at the entry's time. */
type Wait = {
  readonly waitingFor: string;
  readonly since: string | null;
  readonly nextTryAt: string | null;
  readonly lastError: string | null;
};

/** Kinds of facts about an item, each with its details. Money in SEK. */
export interface ItemDetails {
  readonly created: { readonly autoPublish: boolean };
  /** `fields` is empty when only failed images are tried again. */
  readonly updated: { readonly fields: readonly string[] };
  readonly price_changed: { readonly from: number; readonly to: number };
  readonly status_changed: { readonly status: 'not_listed' | 'sold' };
  /** `from` is null for an item that was a single piece. */
  readonly quantity_changed: { readonly from: number | null; readonly to: number };
  readonly publish_requested: None;
  readonly retry_requested: { readonly parts: readonly RetriedPart[] };
  /** An item with an order in progress is kept as archived. */
  readonly deleted: { readonly isArchived: boolean };
  /** `failures`: each kind of failure once. */
  readonly images_ready: {
    readonly hosted: number;
    readonly total: number;
    readonly failed: number;
    readonly failures: readonly ImageFailureKind[];
  };
  readonly enriched: Enriched;
  readonly published: OfAuction & { readonly imagesRefused: boolean };
  /** What the auction has after the change; `price` is null when only its reserve or buy-now price is new. */
  readonly repriced: { readonly price: number | null };
  /** Refused because of bids: a price, with the price that stays; or reserve and buy-now price, with both null. */
  readonly change_refused: { readonly refusedPrice: number | null; readonly keptPrice: number | null };
  /** `adId` is null when the service took it down. */
  readonly taken_down: { readonly adId: string | null };
  readonly take_down_refused: Wait;
  readonly ended: OfAuction;
  /** The service relists the item: number `number` of `times`. `price` is the new start price in SEK. */
  readonly relisted: { readonly number: number; readonly times: number; readonly price: number };
  /** `adId` is null for a direct sale; `otherOrderIds` are the item's other orders in progress. */
  readonly sold: OfOrder & {
    readonly adId: string | null;
    readonly price: number;
    readonly otherOrderIds: readonly string[];
  };
  readonly paid: OfOrder;
  readonly order_shipped: OfOrder;
  readonly order_completed: OfOrder;
  readonly order_cancelled: OfOrder;
  readonly waiting: Wait;
  readonly given_up: { readonly cause: string; readonly error: string };
}

export type RetriedPart = 'images' | 'publication' | 'price' | 'enrichment' | 'wait';

/** `Volvo V60 (2021)`, without what the registry does not know. */
export const nameVehicle = (found: {
  readonly make?: string;
  readonly model?: string;
  readonly year?: number;
}): string =>
  [found.make, found.model, found.year === undefined ? undefined : `(${found.year})`]
    .filter((part) => part !== undefined)
    .join(' ');

/** Result of one part of the enrichment. */
type Enriched =
  | { readonly part: 'text'; readonly outcome: 'improved' | 'unneeded' | 'unanswered' }
  | { readonly part: 'vehicle'; readonly outcome: 'unknown' | 'unanswered' | 'used_up' | 'off' }
  | {
      readonly part: 'vehicle';
      readonly outcome: 'found';
      readonly make?: string;
      readonly model?: string;
      readonly year?: number;
    }
  | { readonly part: 'category'; readonly categoryId: number };

type OfKey = {
  readonly keyId: string;
  readonly name: string;
  readonly prefix: string;
};
type OfWebhook = {
  readonly webhookId: string;
  readonly origin: string;
};
type OfBulkSync = {
  readonly bulkSyncId: string;
  readonly mode: string;
  readonly total: number;
};
type OfMarketplaceUser = {
  readonly marketplaceUserId: string;
};
type SessionFrom = {
  readonly sessionId: string;
  readonly address: string;
};

/** Kinds of facts about an account, each with its details. */
export interface AccountDetails {
  readonly account_registered: { readonly name: string };
  readonly signed_in: SessionFrom;
  readonly signed_out: { readonly sessionId: string };
  readonly session_reuse_detected: SessionFrom;
  /** `sessionId` is null when all others were ended. */
  readonly sessions_ended: { readonly sessionId: string | null; readonly sessions: number };
  readonly password_changed: { readonly sessionsEnded: number };
  readonly password_reset: { readonly sessionsEnded: number };
  readonly email_change_requested: { readonly email: string };
  readonly email_confirmed: { readonly email: string };
  readonly email_changed: { readonly email: string; readonly former: string };
  readonly notices_changed: {
    readonly webhookDisabled: boolean;
    readonly tokenExpired: boolean;
    readonly sale: boolean;
    readonly weeklySummary: boolean;
    readonly language: string;
  };
  readonly account_suspended: { readonly reason: string | null; readonly sessionsEnded: number };
  readonly account_resumed: None;
  /** By an operator, for the partner, with the buyers of so many orders. */
  readonly account_exported: { readonly buyers: number };
  /** All that is left of the log of an account that was erased; `orders` stay for the books. */
  readonly account_erased: { readonly orders: number };
  readonly operator_granted: None;
  readonly operator_revoked: None;
  /**
   * `lostPrefix`: prefix of the key that this one replaces because its answer was lost; else null. `scopes`,
   * `expiresAt` and `addresses` restrict the key; null: no restriction.
   */
  readonly api_key_generated: OfKey & {
    readonly lostPrefix: string | null;
    readonly scopes: readonly string[] | null;
    readonly expiresAt: string | null;
    readonly addresses: readonly string[] | null;
  };
  readonly api_key_revoked: OfKey;
  readonly webhook_created: OfWebhook & { readonly scope: string; readonly eventTypes: readonly string[] };
  readonly webhook_changed: OfWebhook & { readonly fields: readonly string[] };
  readonly webhook_enabled: OfWebhook & { readonly fields: readonly string[] };
  /** `reason` is null when its owner switched it off. */
  readonly webhook_disabled: OfWebhook & { readonly reason: string | null };
  readonly webhook_deleted: OfWebhook;
  readonly webhook_secret_rotated: OfWebhook & { readonly secretHint: string };
  /** `origin` is null when the URL was removed. */
  readonly webhook_url_changed: { readonly origin: string | null };
  readonly webhook_url_secret_generated: { readonly secretHint: string };
  readonly webhook_url_secret_rotated: { readonly secretHint: string };
  readonly test_event_sent: {
    readonly deliveryId: string;
    readonly webhookId: string | null;
    readonly eventType: string;
  };
  readonly redelivery_requested: {
    readonly deliveryId: string;
    readonly webhookId: string | null;
    readonly eventId: string;
    readonly eventType: string;
    readonly externalId: string;
  };
  readonly recovery_requested: {
    readonly recoveryId: string;
    readonly webhookId: string | null;
    readonly since: string;
    readonly total: number;
  };
  readonly bulk_sync_accepted: OfBulkSync & { readonly failed: number; readonly accountId: string };
  readonly bulk_sync_cancelled: OfBulkSync;
  readonly marketplace_connected: OfMarketplaceUser;
  readonly marketplace_reconnected: OfMarketplaceUser;
  readonly marketplace_removed: None;
  /** Names of the terms that are set now. */
  readonly listing_defaults_changed: { readonly fields: readonly string[] };
  readonly marketplace_expired: None;
  readonly checkout_started: { readonly sessionId: string };
  /** `before` and `tier` are `free` or `pro`; `expiresAt` is ISO 8601. */
  readonly subscription_changed: {
    readonly before: string;
    readonly tier: string;
    readonly expiresAt: string | null;
    readonly renews: boolean;
    readonly subscriptionId: string | null;
  };
  /** `slugBefore` is null for the first page. */
  readonly profile_changed: {
    readonly slug: string;
    readonly displayName: string;
    readonly slugBefore: string | null;
  };
  /** `directSalesMax`, in SEK, is in no entry of before there was one. */
  readonly reseller_agreement_granted: {
    readonly commissionBps: number;
    readonly slug: string;
    readonly directSalesMax?: number;
  };
  /** The reseller owes commission on direct sales of a member that had waited. Money in SEK. */
  readonly commission_confirmed: {
    readonly memberUserId: string;
    readonly orders: number;
    readonly sales: number;
    readonly owed: number;
  };
  readonly reseller_agreement_ended: { readonly members: number };
  /**
   * The operator took the order out of all sums. Money in SEK. First form: in the log of the seller. Second form: in the log
   * of its reseller, when the sale was one of the time of the membership.
   */
  readonly order_voided:
    | { readonly orderId: string; readonly amount: number }
    | { readonly orderId: string; readonly amount: number; readonly memberUserId: string };
  /** Once a day for each order and each credential that read the buyer's data. */
  readonly buyer_read: OfOrder;
  /** At a buyer's request; `orders`: how many orders lost the buyer's data. */
  readonly buyer_erased: { readonly orders: number };
  /** By an operator, for a buyer who asked; `orders`: of how many orders. */
  readonly buyer_exported: { readonly orders: number };
  /** First form: in the log of the member. Second form: in the log of its reseller. */
  readonly order_sharing_changed:
    | { readonly isShared: boolean; readonly resellerUserId: string }
    | { readonly isShared: boolean; readonly memberUserId: string };
  readonly members_invited: { readonly members: number };
  readonly invitation_withdrawn: None;
  /** First form: in the log of the member. Second form: in the log of its reseller. */
  readonly member_joined:
    | { readonly resellerUserId: string }
    | { readonly memberUserId: string; readonly externalId: string };
  /** First form: in the log of the account that asks. Second form: in the log of the reseller; so for the next two. */
  readonly join_requested: { readonly resellerUserId: string } | { readonly memberUserId: string };
  /** The account withdrew it, or the reseller declined it. */
  readonly join_request_ended: { readonly isWithdrawn: boolean } & (
    | { readonly resellerUserId: string }
    | { readonly memberUserId: string }
  );
  /** By its reseller. */
  readonly member_removed:
    | { readonly resellerUserId: string }
    | { readonly memberUserId: string; readonly externalId: string };
  readonly member_renamed: { readonly before: string; readonly externalId: string } & (
    | { readonly resellerUserId: string }
    | { readonly memberUserId: string }
  );
  readonly member_left:
    | { readonly resellerUserId: string; readonly externalId: string; readonly isAgreementEnded: true }
    | { readonly resellerUserId: string; readonly isAgreementEnded: false }
    | { readonly memberUserId: string; readonly externalId: string };
}

export type AllDetails = ItemDetails & AccountDetails;

/** One language: a sentence for each kind. */
export type Sentences = { readonly [Kind in keyof AllDetails]: (details: AllDetails[Kind]) => string };

type FactOf<Map> = { readonly [Kind in keyof Map]: { readonly kind: Kind; readonly details: Map[Kind] } }[keyof Map];
export type ItemFact = FactOf<ItemDetails>;
export type AccountFact = FactOf<AccountDetails>;
/** One thing that happened, as data. Each language has a sentence for each kind. */
export type Fact = ItemFact | AccountFact;
