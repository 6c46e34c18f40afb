import type { MarketplaceConnectionRow } from '../../store/marketplace/marketplace-connections.ts';

export interface MarketplaceConnectionView {
  readonly marketplaceUserId: string;
  readonly state: 'connected' | 'expired';
  readonly connectedAt: string;
  readonly updatedAt: string;
}

type LiveConnectionRow = MarketplaceConnectionRow & { readonly state: 'connected' | 'expired' };

/** Whether there is a connection to speak of: a removed one is none. */
export const isLiveConnection = (row: MarketplaceConnectionRow | null): row is LiveConnectionRow =>
  row !== null && row.state !== 'removed';

export const describeConnection = (row: LiveConnectionRow): MarketplaceConnectionView => ({
  marketplaceUserId: row.marketplaceUserId,
  state: row.state,
  connectedAt: row.connectedAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
