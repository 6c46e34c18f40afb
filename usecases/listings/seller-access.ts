import type { AccountId } from '../../core/ids.ts';
import type { ListingWork, ListingFailure, FailureCause } from '../../core/listings/listing-failure.ts';
import { MarketplaceError, type Seller } from '../../gateways/marketplace/port.ts';

/** The seller as which the service acts on the marketplace. */
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
  /** From now on the feed reader looks at this account; false when it is no longer connected, or as another seller. */
  watch(seller: Seller): Promise<boolean>;
}

/** What items wait for that a reconnection ends, as `processing.waitingFor`. */
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

/** What "trying the same again is useless" means for each kind of work. */
const refusalOf: Readonly<Record<ListingWork, FailureCause>> = {
  publish: 'LISTING_REFUSED',
  revise: 'REVISION_REFUSED',
  'take-down': 'TAKEDOWN_REFUSED',
};

/** What a failed call means for the work. Rethrows everything that isn't the marketplace's doing. */
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
      // With a code it is the marketplace's word about our own application, not about this seller.
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
