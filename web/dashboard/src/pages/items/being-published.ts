import type { ItemListEntry } from '../../../../../client/generated/types.gen.ts';

interface OnMarketplace {
  readonly marketplaceStatus: ItemListEntry['marketplaceStatus'];
  readonly marketplaceAdId: string | null;
}

/** `pending_sync` also says that nobody asked for a publication; only one that is being made has an id. */
export const isBeingPublished = ({ marketplaceStatus, marketplaceAdId }: OnMarketplace): boolean =>
  marketplaceStatus === 'pending_sync' && marketplaceAdId !== null;
