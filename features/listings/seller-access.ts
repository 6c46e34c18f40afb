import type { AccountId } from '../rules/ids.ts';
import { sandboxLookIntervalMs } from './rules/call-budget.ts';
import type { FailureCause, ListingFailure, ListingWork } from './rules/listing-failure.ts';
import { secretContexts } from '../rules/secret-contexts.ts';
import { MarketplaceError, type Seller } from '../../gateways/marketplace/port.ts';
import type { Encryption } from '../../platform/security/encryption.ts';
import { Secret } from '../../platform/security/secret.ts';
import { isUnseen, type MarketplaceConnectionRow } from './store/marketplace-connections.ts';
import type { MarketplaceWatch } from './store/marketplace-watch.ts';

/** The seller for whom the service acts on the marketplace. */
export interface ConnectedSeller {
  readonly kind: 'connected';
  readonly seller: Seller;
  /** The database was restored: an auction may be up of which it knows nothing. `isUnseen`: no look has read since which. */
  readonly isAfterRestore?: boolean;
  readonly isUnseen?: boolean;
  /** The marketplace refused this token: all work of the account waits for a reconnection. */
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

/** Whether a new connection may end the failure. */
export const isAboutConnection = ({ cause }: ListingFailure): boolean =>
  cause === 'MARKETPLACE_NOT_CONNECTED' || cause === 'MARKETPLACE_TOKEN_EXPIRED';

/** The failure of work that has no connected seller. */
export const missingSeller = (lookup: Exclude<SellerLookup, ConnectedSeller>): ListingFailure =>
  lookup.kind === 'expired'
    ? {
        cause: 'MARKETPLACE_TOKEN_EXPIRED',
        message: 'the marketplace token has expired; reconnect the marketplace account',
      }
    : { cause: 'MARKETPLACE_NOT_CONNECTED', message: 'no marketplace account is connected' };

/** Until a look has read what is up, a publication might offer a thing twice. */
export const unseenSeller: ListingFailure = {
  cause: 'MARKETPLACE_UNSEEN',
  message: 'the database was restored from a backup; what came up since is read before anything is put up',
};

/** The cause of a permanent refusal, per kind of work. */
const refusalOf: Readonly<Record<ListingWork, FailureCause>> = {
  publish: 'LISTING_REFUSED',
  price: 'PRICE_REFUSED',
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
    case 'outcome_unknown':
      return { cause: 'MARKETPLACE_TIMEOUT', message: error.message };
    case 'not_accepted':
      return { cause: 'MARKETPLACE_APPLICATION_REFUSED', message: error.message };
    case 'refused':
      return { cause: refusalOf[work], message: error.message };
  }
}

export interface SellerAccessDependencies {
  readonly watch: MarketplaceWatch;
  readonly encryption: Encryption;
  readonly lookIntervalMs: number;
  readonly now: () => Date;
}

/** Sellers from the stored marketplace connections; tokens are decrypted for the call and never leave the process. */
export function createSellerAccess(dependencies: SellerAccessDependencies): SellerAccess {
  const { watch, lookIntervalMs, now } = dependencies;
  return {
    find: async (account) => {
      const row = await watch.find(account);
      if (row === null || row.state === 'removed') return { kind: 'none' };
      return row.state === 'expired' ? { kind: 'expired' } : connectedSeller(dependencies, row);
    },
    watch: ({ accountId, marketplaceUserId, isSandbox }) => {
      const pauseMs = isSandbox ? sandboxLookIntervalMs(lookIntervalMs) : lookIntervalMs;
      return watch.watch(accountId, { marketplaceUserId, at: new Date(now().getTime() + pauseMs) });
    },
  };
}

/** The seller of a connection; its token is decrypted here. */
export function connectedSeller(
  { watch, encryption, now }: Omit<SellerAccessDependencies, 'lookIntervalMs'>,
  row: MarketplaceConnectionRow,
): ConnectedSeller {
  const token = new Secret(encryption.decrypt(row.tokenEncrypted, secretContexts.marketplaceToken(row._id)));
  return {
    kind: 'connected',
    seller: { accountId: row._id, marketplaceUserId: row.marketplaceUserId, token, isSandbox: row.isSandbox === true },
    isAfterRestore: row.restoredAt !== undefined,
    isUnseen: isUnseen(row),
    markExpired: () => watch.markExpired(row._id, row.tokenEncrypted, now()),
  };
}
