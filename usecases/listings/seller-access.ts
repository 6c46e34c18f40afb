import type { AccountId } from '../../core/ids.ts';
import type { ListingWork, ListingFailure, FailureCause } from '../../core/listings/listing-failure.ts';
import { MarketplaceError, type Seller } from '../../gateways/marketplace/port.ts';

/** The seller for whom the service acts on the marketplace. */
export interface ConnectedSeller {
  readonly kind: 'connected';
  readonly seller: Seller;
  /** The marketplace refused this token: everything of the account waits for a reconnection. */
  readonly markExpired: () => Promise<void>;
}

/** The seller, or why there is none now. */
export type SellerLookup = ConnectedSeller | { readonly kind: 'expired' } | { readonly kind: 'none' };

export interface SellerAccess {
  find(account: AccountId): Promise<SellerLookup>;
  /** From now on the feed reader looks at this account. Returns false when the account is no longer connected as this seller. */
  watch(seller: Seller): Promise<boolean>;
}

/** Values of `processing.waitingFor` that a reconnection ends. */
export const connectionReasons = ['marketplace_connection', 'marketplace_reconnection'] as const;

export const isAboutConnection = ({ cause }: ListingFailure): boolean =>
  cause === 'MARKETPLACE_NOT_CONNECTED' || cause === 'MARKETPLACE_TOKEN_EXPIRED';

export const missingSeller = (lookup: Exclude<SellerLookup, ConnectedSeller>): ListingFailure =>
  lookup.kind === 'expired'
    ? {
        cause: 'MARKETPLACE_TOKEN_EXPIRED',
        message: 'the marketplace token has expired; reconnect the marketplace account',
      }
    : { cause: 'MARKETPLACE_NOT_CONNECTED', message: 'no marketplace account is connected' };

/** The cause of a permanent refusal, per kind of work. */
const refusalOf: Readonly<Record<ListingWork, FailureCause>> = {
  publish: 'LISTING_REFUSED',
  revise: 'REVISION_REFUSED',
  'take-down': 'TAKEDOWN_REFUSED',
};

/** Translates an error of a call into a failure of the work. Rethrows every error that is not from the marketplace. */
export function failureOf(error: unknown, work: ListingWork): ListingFailure {
  if (!(error instanceof MarketplaceError)) throw error;
  switch (error.kind) {
    case 'token_expired':
      return missingSeller({ kind: 'expired' });
    case 'budget_exhausted':
      return {
        cause: 'MARKETPLACE_BUDGET_EXHAUSTED',
        message: 'the call budget of the marketplace is used up; publishing goes on when it is free again',
        retryAfterMs: error.retryAfterMs,
      };
    case 'unavailable':
      // An error with a code is about our own application, not about this seller.
      return error.code === undefined
        ? { cause: 'MARKETPLACE_TIMEOUT', message: error.message }
        : {
            cause: 'MARKETPLACE_APPLICATION_REFUSED',
            message: 'the marketplace does not accept the service at the moment',
          };
    case 'outcome_unknown':
      return { cause: 'MARKETPLACE_TIMEOUT', message: error.message };
    case 'refused':
      return { cause: refusalOf[work], message: error.message };
  }
}
