// The auction marketplace in the product's own terms: to publish, to set prices and take down, to see what became of auctions, to
// read orders. The wire format stands in the files wire*.ts alone, because the marketplace's API is beta.
import type { AccountId } from '../../features/rules/ids.ts';
import type { CallMethod, CallPurpose } from '../../features/listings/rules/call-budget.ts';
import type { Prices, ShippingOption } from '../../features/listings/rules/listing-terms.ts';
import type { Buyer } from '../../features/orders/rules/order.ts';

/** A seller on the marketplace; `token` is a secret and prints as `***`. */
export interface Seller {
  /** The account whose part of the call budget is used. */
  readonly accountId: AccountId;
  readonly marketplaceUserId: string;
  /** The seller belongs to the simulated marketplace of test keys: the real one never gets a call for it. */
  readonly isSandbox: boolean;
  readonly token: { reveal(): string };
}

export interface ListingDraft extends Prices {
  readonly title: string;
  /** HTML, already escaped. */
  readonly descriptionHtml: string;
  readonly categoryId: number;
  /** Whole kronor; 0 is free shipping, null means that the buyer collects the item. */
  readonly shippingKronor: number | null;
  /** Replace the flat price; null: there are none. */
  readonly shippingOptions: readonly ShippingOption[] | null;
  /** Per cent; null: not stated. */
  readonly vatPercent: number | null;
  readonly durationDays: number;
  /** Overrides the duration; null without. The marketplace charges for it. */
  readonly endsAt: Date | null;
  readonly weightKg: number | null;
  /** The last one is `"<itemId>:<publication>"` (protocol 2). */
  readonly ownReferences: readonly string[];
}

/** The marketplace reserves the ad's id with the draft, so both are known before anything is for sale. */
export interface DraftReceipt {
  readonly requestId: string;
  readonly adId: string;
}

/**
 * What the marketplace says about a committed request: its bit field as one of these. `none`: no result yet. A `message` comes from
 * the marketplace, or from us for the bits. It has no full stop at the end.
 */
export type RequestResult =
  | { readonly kind: 'none' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'uncommitted' }
  /** `imagesRefused`: at least one picture is missing. */
  | { readonly kind: 'ok'; readonly imagesRefused: boolean }
  | { readonly kind: 'try_again'; readonly message: string }
  | { readonly kind: 'timed_out'; readonly message: string }
  | { readonly kind: 'too_many_active'; readonly message: string }
  /** `imagesRefused`: the pictures were the reason, or one of them. */
  | { readonly kind: 'refused'; readonly message: string; readonly imagesRefused?: boolean };

/** An auction as the marketplace shows it to its seller. */
export interface Auction extends Prices {
  readonly adId: string;
  readonly adUrl: string;
  readonly ownReferences: readonly string[];
  readonly isOver: boolean;
  /** Whether the auction has a winner; null when the marketplace does not say. */
  readonly hasWinner: boolean | null;
  readonly bids: number;
  /** The highest bid, or the start price without one. */
  readonly priceKronor: number;
  readonly endsAt: Date | null;
  /** Pictures that it shows; null when the marketplace does not say. */
  readonly pictures: number | null;
}

/** All methods throw {@link MarketplaceError} and nothing else. */
export interface ListingPublisher {
  /** Creates an uncommitted draft. Nothing is for sale yet, so a repeated call is harmless. */
  createDraft(seller: Seller, draft: ListingDraft): Promise<DraftReceipt>;
  addImage(seller: Seller, requestId: string, jpeg: Buffer): Promise<void>;
  /**
   * The one call that puts something up for sale. Never made for another request id of the same publication. No answer but success
   * says whether it took effect: any other is `outcome_unknown`, and the result and the auction are read.
   */
  commit(seller: Seller, requestId: string): Promise<void>;
  readResult(seller: Seller, requestId: string): Promise<RequestResult>;
  /** null: it is not there, or another seller's. A draft may be there as well, so only {@link readRunning} proves that it is up. */
  readAuction(seller: Seller, adId: string): Promise<Auction | null>;
  /** All auctions of the seller that are up, also those of others. */
  readRunning(seller: Seller, purpose: 'publish' | 'feed'): Promise<readonly Auction[]>;
}

/**
 * What a price call came to, as the auction shows it afterwards. `auction`: as it was read after a refusal. `taken` without one: the
 * marketplace said so.
 */
export type PriceOutcome =
  | { readonly kind: 'taken' }
  | { readonly kind: 'has_bids'; readonly auction: Auction }
  | { readonly kind: 'over' }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * What came of a take-down, as the auction shows it afterwards. `gone`: the marketplace has no such auction of this seller.
 * `refused`: it is up without bids, and stays up.
 */
export type RemovalOutcome =
  | { readonly kind: 'removed' }
  | { readonly kind: 'has_bids' }
  | { readonly kind: 'over'; readonly auction: Auction }
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused' };

/** The prices that an auction is to have, and those that it has as far as we know. */
export interface PriceChange {
  readonly wanted: Prices;
  readonly present: Prices;
}

/** All methods throw {@link MarketplaceError} and nothing else. */
export interface ListingKeeper {
  /** Takes effect at once, or not at all; idempotent. Nothing else of a running auction can be changed. */
  setPrices(seller: Seller, adId: string, change: PriceChange): Promise<PriceOutcome>;
  /** Idempotent. */
  remove(seller: Seller, adId: string): Promise<RemovalOutcome>;
}

export interface SellerTransaction {
  readonly transactionId: string;
  readonly adId: string;
  readonly adUrl: string;
  readonly ownReferences: readonly string[];
  readonly amountKronor: number;
  readonly soldAt: Date;
  readonly isPaid: boolean;
}

/** All methods throw {@link MarketplaceError}. Rows come in any order, and may repeat. */
export interface SellerFeeds {
  /** Auctions that are over and ended since then. */
  readEnded(seller: Seller, since: Date): Promise<readonly Auction[]>;
  /** Sales since then. */
  readTransactions(seller: Seller, since: Date): Promise<readonly SellerTransaction[]>;
  /**
   * The highest row version of the seller's items above `mark` (0 for all), or `mark`. A hint: one that has not risen proves nothing,
   * because bids may leave it alone.
   */
  readChangeMark(seller: Seller, mark: string): Promise<string>;
}

/** What one buyer bought of a seller, with personal data, which is stored with the buyers alone. */
export interface SellerOrder {
  readonly marketplaceOrderId: string;
  readonly updatedAt: Date;
  /** Paid by the marketplace's own payment, and from then on buyer and address are final. Other payments are told with the sale. */
  readonly isPaid: boolean;
  /** null when the marketplace does not say. */
  readonly buyer: Buyer | null;
  readonly lines: readonly { readonly adId: string; readonly amountKronor: number }[];
  readonly shippingKronor: number;
  readonly shippingMethod: string | null;
}

/** All methods throw {@link MarketplaceError}. */
export interface SellerOrders {
  /** Orders changed since then, in any order. */
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
 * - `unavailable`: the call had no effect (refused connection, failed read).
 * - `not_accepted`: the marketplace does not know our application, or refuses this call of it; the call had no effect, and the operator must act.
 * - `outcome_unknown`: a time-out, a lost connection, a 5xx or an unreadable answer; the call may have had its effect.
 * - `refused`: the marketplace refused a draft or a picture; a retry does not help, and nothing is up.
 */
export type MarketplaceErrorKind =
  | 'token_expired'
  | 'budget_exhausted'
  | 'unavailable'
  | 'not_accepted'
  | 'outcome_unknown'
  | 'refused';

/** A failed call to the marketplace. The message is safe to show to the partner. */
export class MarketplaceError extends Error {
  override readonly name = 'MarketplaceError';
  readonly kind: MarketplaceErrorKind;
  /** The HTTP status, when there was an answer. */
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: MarketplaceErrorKind,
    message: string,
    options: { status?: number | undefined; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** What a call to the marketplace is for, and for whom. */
export interface CallPlace {
  readonly seller: Seller;
  readonly operation: CallMethod;
  readonly purpose: CallPurpose;
}

/**
 * Stands around each HTTP call to the real marketplace: counts it, takes it from the budget, opens a span. Throws
 * {@link MarketplaceError} `budget_exhausted` without having sent it.
 */
export type CallGate = <Result>(place: CallPlace, send: () => Promise<Result>) => Promise<Result>;

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

/** The login page of the marketplace, and what follows. */
export interface MarketplaceLogin {
  /** Where a person consents; `returned` comes back with the browser. `secretKey`: 32 to 255 characters, used once. */
  pageUrl(secretKey: string, returned: Readonly<Record<string, string>>): string;
  /** After the consent. Throws {@link LoginRefused} and nothing else. `expiresAt`: null when the marketplace does not say. */
  fetchToken(
    marketplaceUserId: string,
    secretKey: string,
  ): Promise<{ readonly token: string; readonly expiresAt: Date | null }>;
  close(): Promise<void>;
}

/** There is no token: this user has not consented under this secret, or the marketplace can't be asked (`isUnknownUser` false). */
export class LoginRefused extends Error {
  override readonly name = 'LoginRefused';
  readonly isUnknownUser: boolean;

  constructor(message: string, { isUnknownUser, cause }: { isUnknownUser: boolean; cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    this.isUnknownUser = isUnknownUser;
  }
}

/** Users of a simulated marketplace, which the service itself creates. */
export interface SandboxUsers {
  /** Finds or creates the user of that name, and returns a token for it. Throws {@link SandboxUnavailable} and nothing else. */
  open(name: string): Promise<{ readonly marketplaceUserId: string; readonly token: string }>;
  close(): Promise<void>;
}

/** The simulated marketplace can't be reached or gave an unexpected answer. */
export class SandboxUnavailable extends Error {
  override readonly name = 'SandboxUnavailable';
}
