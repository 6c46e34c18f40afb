import { placeholderAdId } from '../listings/publication.ts';
import { startPriceOre, type Item, type Listing } from './item.ts';

/** The status answer. Source: specification "Item status (read response)". */
export interface ItemStatus {
  readonly externalId: string;
  readonly serviceItemId: string;
  readonly serviceStatus: Item['serviceStatus'];
  readonly marketplaceStatus: Item['marketplaceStatus'];
  readonly marketplaceAdId: string | null;
  readonly marketplaceAdUrl: string | null;
  /** SEK. */
  readonly price: number;
  /** How many are left, of an item that has several. */
  readonly quantity?: number;
}

export function describeStatus(item: Item): ItemStatus {
  return {
    externalId: item.externalId,
    serviceItemId: item.id,
    serviceStatus: item.serviceStatus,
    marketplaceStatus: item.marketplaceStatus,
    ...describeAd(item),
    price: startPriceOre(item) / 100,
    ...(item.quantityLeft !== null && { quantity: item.quantityLeft }),
  };
}

/** An ad id is shown as `pending-…`, without an address, until the marketplace has confirmed the auction. */
function describeAd(item: Item): Pick<ItemStatus, 'marketplaceAdId' | 'marketplaceAdUrl'> {
  // A publication that was called off never went live, and a sold item shows the auction that sold it.
  const isShown = ({ state }: Listing): boolean =>
    item.marketplaceStatus === 'sold' ? state === 'sold' : state !== 'cancelled';
  const newest = item.listings.findLast(isShown);
  if (newest === undefined) return { marketplaceAdId: null, marketplaceAdUrl: null };
  switch (newest.state) {
    case 'drafting':
    case 'prepared':
    case 'committing':
      return { marketplaceAdId: placeholderAdId(item), marketplaceAdUrl: null };
    case 'failed':
    case 'cancelled':
      return { marketplaceAdId: null, marketplaceAdUrl: null };
    case 'live':
    case 'leaving':
    case 'ended':
    case 'sold':
    case 'removed':
      return { marketplaceAdId: newest.adId, marketplaceAdUrl: newest.adUrl };
  }
}
