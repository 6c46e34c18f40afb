import type { ItemListEntry } from '../../../../../client/generated/types.gen.ts';

interface OnMarketplace {
  readonly marketplaceStatus: ItemListEntry['marketplaceStatus'];
  readonly marketplaceAdId: string | null;
}

/** `pending_sync` also covers items without a requested publication; only a requested one has an id. */
export const isBeingPublished = ({ marketplaceStatus, marketplaceAdId }: OnMarketplace): boolean =>
  marketplaceStatus === 'pending_sync' && marketplaceAdId !== null;

/** None of its images could be used, so it stays a draft until its owner sends others. */
export const hasNoImages = ({ waitingFor }: Pick<ItemListEntry, 'waitingFor'>): boolean => waitingFor === 'images';
