import type { MarketplaceConnectionRow } from '../../store/marketplace-connections.ts';

export interface MarketplaceConnectionView {
  readonly marketplaceUserId: string;
  readonly state: 'connected' | 'expired';
  readonly connectedAt: string;
  readonly updatedAt: string;
}

export const describeConnection = (row: MarketplaceConnectionRow): MarketplaceConnectionView => ({
  marketplaceUserId: row.marketplaceUserId,
  state: row.state,
  connectedAt: row.connectedAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
