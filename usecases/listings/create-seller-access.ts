import { sandboxLookIntervalMs } from '../../core/listings/call-budget.ts';
import { secretContexts } from '../../core/secret-contexts.ts';
import type { Encryption } from '../../security/encryption.ts';
import { Secret } from '../../security/secret.ts';
import type { MarketplaceConnectionRow } from '../../store/marketplace/marketplace-connections.ts';
import type { MarketplaceWatch } from '../../store/marketplace/marketplace-watch.ts';
import type { ConnectedSeller, SellerAccess } from './seller-access.ts';

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

export function connectedSeller(
  { watch, encryption, now }: Omit<SellerAccessDependencies, 'lookIntervalMs'>,
  row: MarketplaceConnectionRow,
): ConnectedSeller {
  const token = new Secret(encryption.decrypt(row.tokenEncrypted, secretContexts.marketplaceToken(row._id)));
  return {
    kind: 'connected',
    seller: {
      ...{ accountId: row._id, marketplaceUserId: row.marketplaceUserId, token },
      isSandbox: row.isSandbox === true,
    },
    markExpired: () => watch.markExpired(row._id, row.tokenEncrypted, now()),
  };
}
