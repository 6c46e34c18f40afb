// What the product needs from the auction marketplace, in the product's own words. Three small ports: one to publish, one
// to change and take down what is published, one to read what happened. The wire format lives in one file of the adapter,
// because the marketplace's API is beta.
import type { AccountId } from '../../core/ids.ts';

/** A seller on the marketplace; `token` is a secret and prints as `***`. */
export interface Seller {
  /** Whose part of the call budget is used. */
  readonly accountId: AccountId;
  readonly marketplaceUserId: string;
  readonly token: { reveal(): string };
}

export interface ListingDraft {
  readonly title: string;
  /** HTML, already escaped. */
  readonly descriptionHtml: string;
  readonly categoryId: number;
  /** Whole kronor: the marketplace knows no öre. */
  readonly startPriceKronor: number;
  /** Whole kronor; 0 is free shipping, null leaves it to the buyer's collection. */
  readonly shippingKronor: number | null;
  readonly durationDays: number;
  readonly weightKg: number | null;
  /** `[externalId, itemId, "<itemId>:<publication>"]` (protocol 2). */
  readonly ownReferences: readonly string[];
}

export interface DraftReceipt {
  readonly requestId: string;
  readonly adId: string;
}

/**
 * Outcome of a committed request; the marketplace answers a bit field, the adapter folds it into one of these. A `message` is
 * the marketplace's own or ours for the bits, without a full stop at the end.
 */
export type RequestOutcome =
  | { readonly kind: 'unknown_yet' }
  | { readonly kind: 'uncommitted' }
  /** `imagesRefused`: it is up, but without at least one of its pictures. */
  | { readonly kind: 'live'; readonly adUrl: string; readonly imagesRefused: boolean }
  | { readonly kind: 'try_again'; readonly message: string }
  /** The marketplace ran out of time over it, and does not ask to try again. */
  | { readonly kind: 'timed_out'; readonly message: string }
  | { readonly kind: 'too_many_active'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string };

export interface FoundListing {
  readonly adId: string;
  readonly adUrl: string;
  readonly requestId: string | null;
  readonly ownReferences: readonly string[];
  /** What the auction starts at, as the marketplace shows it. */
  readonly startPriceKronor: number;
  readonly state: 'waiting' | 'active' | 'ended' | 'sold' | 'removed';
  readonly bids: number;
}

/** All methods throw {@link MarketplaceError} and nothing else. */
export interface ListingPublisher {
  /** Makes an uncommitted draft: nothing is for sale yet, so repeating it is harmless. */
  createDraft(seller: Seller, draft: ListingDraft): Promise<DraftReceipt>;
  addImage(seller: Seller, requestId: string, jpeg: Buffer): Promise<void>;
  /** The one call that puts something up for sale. Never repeated for another request id of the same publication. */
  commit(seller: Seller, requestId: string): Promise<void>;
  readOutcome(seller: Seller, request: DraftReceipt): Promise<RequestOutcome>;
  findByOwnReference(seller: Seller, ownReference: string): Promise<readonly FoundListing[]>;
}

/** What a live auction should be like from now on. */
export interface ListingChanges {
  readonly title: string;
  /** HTML, already escaped. */
  readonly descriptionHtml: string;
  readonly categoryId: number;
  /** Whole kronor; null leaves the price as it is. */
  readonly startPriceKronor: number | null;
  /** Whole kronor; 0 is free shipping, null leaves it to the buyer's collection. */
  readonly shippingKronor: number | null;
  /** null takes the weight away. */
  readonly weightKg: number | null;
  /** All pictures in their order, in place of those that are there; null leaves them as they are. Never an empty list. */
  readonly jpegs: readonly Buffer[] | null;
}

/** Outcome of a change of a live auction. After `refused` the same again is useless; after `try_again` it is not. */
export type ChangeOutcome =
  /** `imagesRefused`: the rest of the change was taken, but not every picture. */
  | { readonly kind: 'taken'; readonly imagesRefused: boolean }
  | { readonly kind: 'has_bids'; readonly message: string }
  | { readonly kind: 'not_active' }
  | { readonly kind: 'try_again'; readonly message: string }
  | { readonly kind: 'unknown_yet' }
  | { readonly kind: 'refused'; readonly message: string };

/** A change is in work under a request id, or was answered at once, which the marketplace does only where it says no. */
export type ChangeReceipt = { readonly requestId: string } | { readonly outcome: ChangeOutcome };

export type RemovalOutcome = 'removed' | 'not_active' | 'has_bids';

/** All methods throw {@link MarketplaceError} and nothing else. */
export interface ListingKeeper {
  /** Asks for all fields (and pictures) at once; idempotent, so it is simply asked again after an unknown outcome. */
  revise(seller: Seller, adId: string, changes: ListingChanges): Promise<ChangeReceipt>;
  /** Idempotent too. */
  changePrice(seller: Seller, adId: string, startPriceKronor: number): Promise<ChangeReceipt>;
  /** An auction that ended while the change was in work gives `refused`: the feeds tell the rest. */
  readChange(seller: Seller, requestId: string): Promise<ChangeOutcome>;
  /**
   * Takes an auction down, an uncommitted or waiting draft too; a later commit of it is refused. `not_active`: it is over
   * or was taken away before. An ad that this seller never had is `refused`: a reconnection may have changed the seller.
   */
  remove(seller: Seller, adId: string): Promise<RemovalOutcome>;
}

export interface SellerItemUpdate {
  readonly adId: string;
  readonly adUrl: string;
  readonly state: 'active' | 'ended' | 'sold' | 'removed';
  readonly bids: number;
  /** When it changed, as the marketplace says. */
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
  /** Rows that the marketplace gives at once; so many mean that there are more. */
  readonly feedRowsMax: number;
  readUpdatedItems(seller: Seller, since: Date): Promise<readonly SellerItemUpdate[]>;
  readTransactions(seller: Seller, since: Date): Promise<readonly SellerTransaction[]>;
}

/**
 * - `token_expired`: the seller must reconnect; nothing was done.
 * - `budget_exhausted`: 429; nothing was done; `retryAfterMs` says when calls are free again.
 * - `unavailable`: nothing was done (refused connection, a read that failed). With a `code` the marketplace refuses our own
 *   application or the look itself: the operator's to mend.
 * - `outcome_unknown`: a time-out, a lost connection, a 5xx or an unreadable answer: it may or may not have been done.
 * - `refused`: the marketplace understood and said no; trying the same again is useless.
 */
export type MarketplaceErrorKind = 'token_expired' | 'budget_exhausted' | 'unavailable' | 'outcome_unknown' | 'refused';

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
