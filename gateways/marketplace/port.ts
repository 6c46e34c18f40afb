// The auction marketplace in the product's own terms. Three small ports: one to publish, one to change and take down, one to read
// events. The wire format is in one file of the adapter, because the marketplace's API is beta.
import type { AccountId } from '../../core/ids.ts';
import type { Buyer } from '../../core/orders/order.ts';

/** A seller on the marketplace; `token` is a secret and prints as `***`. */
export interface Seller {
  /** The account whose part of the call budget is used. */
  readonly accountId: AccountId;
  readonly marketplaceUserId: string;
  /** The seller belongs to the simulated marketplace of test keys: the real one never gets a call for it. */
  readonly isSandbox: boolean;
  readonly token: { reveal(): string };
}

/** A cost in whole kronor. `optionId`: the marketplace's number of a shipping option, or of pick-up. */
export interface ShippingOption {
  readonly optionId: number;
  readonly cost: number;
}

/** Terms that a draft and a running auction have in common. */
export interface AuctionTerms {
  /** The shipping options, which replace the flat price; null: there are none. */
  readonly shippingOptions: readonly ShippingOption[] | null;
  /** Per cent; null: not stated. */
  readonly vatPercent: number | null;
  /** Whole kronor; null: none. On a running auction it can be changed but not removed, so null leaves it. */
  readonly reservePriceKronor: number | null;
  /** Whole kronor; null: none, which also removes it. */
  readonly buyNowPriceKronor: number | null;
}

export interface ListingDraft {
  readonly title: string;
  /** HTML, already escaped. */
  readonly descriptionHtml: string;
  readonly categoryId: number;
  /** Whole kronor: the marketplace knows no öre. */
  readonly startPriceKronor: number;
  /** Whole kronor; 0 is free shipping, null means that the buyer collects the item. */
  readonly shippingKronor: number | null;
  readonly terms: AuctionTerms;
  readonly durationDays: number;
  /** Overrides the duration; null without. The marketplace charges for it. */
  readonly endsAt: Date | null;
  readonly weightKg: number | null;
  /** `[externalId, itemId, "<itemId>:<publication>"]` (protocol 2). */
  readonly ownReferences: readonly string[];
}

export interface DraftReceipt {
  readonly requestId: string;
  readonly adId: string;
}

/**
 * Outcome of a committed request; the adapter maps the marketplace's bit field to one of these. A `message` comes from the
 * marketplace, or from us for the bits. It has no full stop at the end.
 */
export type RequestOutcome =
  | { readonly kind: 'unknown_yet' }
  | { readonly kind: 'uncommitted' }
  /** `imagesRefused`: the listing is up, but at least one picture is missing. */
  | { readonly kind: 'live'; readonly adUrl: string; readonly imagesRefused: boolean }
  | { readonly kind: 'try_again'; readonly message: string }
  /** The marketplace timed out and does not ask for a retry. */
  | { readonly kind: 'timed_out'; readonly message: string }
  | { readonly kind: 'too_many_active'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string };

export interface FoundListing {
  readonly adId: string;
  readonly adUrl: string;
  readonly requestId: string | null;
  readonly ownReferences: readonly string[];
  /** The start price shown by the marketplace. */
  readonly startPriceKronor: number;
  readonly state: 'waiting' | 'active' | 'ended' | 'sold' | 'removed';
  readonly bids: number;
}

/** All methods throw {@link MarketplaceError} and nothing else. */
export interface ListingPublisher {
  /** Creates an uncommitted draft. Nothing is for sale yet, so a repeated call is harmless. */
  createDraft(seller: Seller, draft: ListingDraft): Promise<DraftReceipt>;
  addImage(seller: Seller, requestId: string, jpeg: Buffer): Promise<void>;
  /** The one call that puts something up for sale. Never repeated for another request id of the same publication. */
  commit(seller: Seller, requestId: string): Promise<void>;
  readOutcome(seller: Seller, request: DraftReceipt): Promise<RequestOutcome>;
  findByOwnReference(seller: Seller, ownReference: string): Promise<readonly FoundListing[]>;
}

/** The wanted state of a live auction. */
export interface ListingChanges {
  readonly title: string;
  /** HTML, already escaped. */
  readonly descriptionHtml: string;
  readonly categoryId: number;
  /** Whole kronor; null leaves the price as it is. */
  readonly startPriceKronor: number | null;
  /** Whole kronor; 0 is free shipping, null means that the buyer collects the item. */
  readonly shippingKronor: number | null;
  readonly terms: AuctionTerms;
  /** null removes the weight. */
  readonly weightKg: number | null;
  /** All pictures in order, replacing the present ones; null keeps those. Never an empty list. */
  readonly jpegs: readonly Buffer[] | null;
}

/** All prices of a live auction, because the marketplace removes a buy-now price that is left out. */
export type ListingPrices = Pick<AuctionTerms, 'reservePriceKronor' | 'buyNowPriceKronor'> & {
  readonly startPriceKronor: number;
};

/** Outcome of a change of a live auction. A retry helps after `try_again`, not after `refused`. */
export type ChangeOutcome =
  /** `imagesRefused`: the change was accepted, but not every picture. */
  | { readonly kind: 'taken'; readonly imagesRefused: boolean }
  | { readonly kind: 'has_bids'; readonly message: string }
  | { readonly kind: 'not_active' }
  | { readonly kind: 'try_again'; readonly message: string }
  | { readonly kind: 'unknown_yet' }
  | { readonly kind: 'refused'; readonly message: string };

/** The change runs under a request id, or was answered at once. The marketplace answers at once only for a refusal. */
export type ChangeReceipt = { readonly requestId: string } | { readonly outcome: ChangeOutcome };

export type RemovalOutcome = 'removed' | 'not_active' | 'has_bids';

/** All methods throw {@link MarketplaceError} and nothing else. */
export interface ListingKeeper {
  /** Sets all fields (and pictures) at once. Idempotent, so it is repeated after an unknown outcome. */
  revise(seller: Seller, adId: string, changes: ListingChanges): Promise<ChangeReceipt>;
  /** Idempotent. */
  setPrices(seller: Seller, adId: string, prices: ListingPrices): Promise<ChangeReceipt>;
  /** An auction that ended during the change gives `refused`; the feeds report its end. */
  readChange(seller: Seller, requestId: string): Promise<ChangeOutcome>;
  /**
   * Takes an auction down, also an uncommitted or waiting draft; a later commit of it is refused. `not_active`: it has ended or
   * was removed before. An ad that this seller never had is `refused`, because a reconnection may have changed the seller.
   */
  remove(seller: Seller, adId: string): Promise<RemovalOutcome>;
}

export interface SellerItemUpdate {
  readonly adId: string;
  readonly adUrl: string;
  readonly state: 'active' | 'ended' | 'sold' | 'removed';
  readonly bids: number;
  /** The highest bid, or the start price without one, in whole kronor; null when the row does not say. */
  readonly priceKronor: number | null;
  /** null when the row does not say. */
  readonly endsAt: Date | null;
  /** Time of the change, reported by the marketplace. */
  readonly updatedAt: Date;
}

export interface SellerTransaction {
  readonly transactionId: string;
  readonly adId: string;
  readonly adUrl: string;
  readonly amountKronor: number;
  readonly soldAt: Date;
  readonly updatedAt: Date;
  readonly paid: boolean;
}

/** All methods throw {@link MarketplaceError}. Both feeds are oldest first and may repeat rows. */
export interface SellerFeeds {
  /** Rows in one answer of the marketplace; a full answer means that there are more. */
  readonly feedRowsMax: number;
  readUpdatedItems(seller: Seller, since: Date): Promise<readonly SellerItemUpdate[]>;
  readTransactions(seller: Seller, since: Date): Promise<readonly SellerTransaction[]>;
}

/** What one buyer bought of a seller, with personal data, which is stored with the buyers alone. */
export interface SellerOrder {
  readonly marketplaceOrderId: string;
  readonly updatedAt: Date;
  /** The buyer has paid at the marketplace, and from then on buyer and address are final. */
  readonly isPaid: boolean;
  readonly buyer: Buyer;
  readonly lines: readonly { readonly adId: string; readonly amountKronor: number }[];
  readonly shippingKronor: number;
  readonly shippingMethod: string | null;
}

/** All methods throw {@link MarketplaceError}. */
export interface SellerOrders {
  /** Orders changed since then, oldest first. */
  readOrders(seller: Seller, since: Date): Promise<readonly SellerOrder[]>;
  /**
   * Tells the marketplace that the order was sent; the buyer is told there. Idempotent. Carrier and tracking number
   * can't be given.
   */
  markShipped(seller: Seller, marketplaceOrderId: string): Promise<void>;
}

/**
 * - `token_expired`: the seller must reconnect; the call had no effect.
 * - `budget_exhausted`: 429, the call had no effect; `retryAfterMs` says when calls are allowed again.
 * - `unavailable`: the call had no effect (refused connection, failed read). With a `code` the marketplace refuses our own
 *   application or the read itself, which the operator must correct.
 * - `outcome_unknown`: a time-out, a lost connection, a 5xx or an unreadable answer; the call may have had its effect.
 * - `refused`: the marketplace refused the call; a retry does not help.
 */
export type MarketplaceErrorKind = 'token_expired' | 'budget_exhausted' | 'unavailable' | 'outcome_unknown' | 'refused';

/** A failed call to the marketplace. The message is safe to show to the partner. */
export class MarketplaceError extends Error {
  override readonly name = 'MarketplaceError';
  readonly kind: MarketplaceErrorKind;
  /** The marketplace's own code, where it gave one. */
  readonly code: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: MarketplaceErrorKind,
    message: string,
    options: { code?: string; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.code = options.code;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/**
 * Actions of buyers, which only a simulated marketplace has. All methods throw {@link MarketplaceError} and nothing
 * else.
 */
export interface SandboxBuyers {
  /** Ends an auction of the seller, after a last bid unless it is null. */
  end(seller: Seller, adId: string, bidKronor: number | null): Promise<void>;
  pay(seller: Seller, transactionId: string): Promise<void>;
  close(): Promise<void>;
}

/** Users of a simulated marketplace, which the service itself creates. */
export interface SandboxUsers {
  /** Finds or creates the user, and returns a token for it. Throws {@link SandboxUnavailable} and nothing else. */
  open(marketplaceUserId: string): Promise<string>;
  close(): Promise<void>;
}

/** The simulated marketplace can't be reached or gave an unexpected answer. */
export class SandboxUnavailable extends Error {
  override readonly name = 'SandboxUnavailable';
}
