import type { ItemStatus } from '../../../features/items/rules/describe-item.ts';

/** What the model expects of a read; `pending` as ad id stands for any placeholder. */
export type ShownStatus = Pick<ItemStatus, 'serviceStatus' | 'marketplaceStatus' | 'marketplaceAdId' | 'price'>;

export function isSameStatus(expected: ShownStatus, shown: ItemStatus): boolean {
  const { marketplaceAdId: adId } = expected;
  const isPending = adId === 'pending';
  const isAd = isPending ? shown.marketplaceAdId?.startsWith('pending') === true : shown.marketplaceAdId === adId;
  // There is an address exactly when there is an auction.
  const isUrl = (shown.marketplaceAdUrl === null) === (adId === null || isPending);
  return (
    isAd &&
    isUrl &&
    shown.serviceStatus === expected.serviceStatus &&
    shown.marketplaceStatus === expected.marketplaceStatus &&
    shown.price === expected.price
  );
}
