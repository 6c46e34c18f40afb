import type { Item } from '../../items/rules/item.ts';

/** The class in which an item is counted. `not_listed` counts in `total` only, `none` nowhere. */
export type InventoryClass = CountedClass | 'none';

/** The classes that have a figure of their own. */
export const countedClasses = ['draft', 'active', 'sold', 'not_listed', 'archived'] as const;

export type CountedClass = (typeof countedClasses)[number];

export type ClassifiedItem = Pick<Item, 'removedAt' | 'serviceStatus' | 'listings'>;

/**
 * Each item counts once. `active` means "live on the service or marketplace". It therefore includes drafts and taken-down items
 * whose auction still runs because of bids. Sold and archived items count under their status, and a removed item, which no call
 * can read, counts as `none`. Source: specification "Partner analytics snapshot".
 */
export function inventoryClass({ removedAt, serviceStatus, listings }: ClassifiedItem): InventoryClass {
  if (removedAt !== null) return 'none';
  switch (serviceStatus) {
    case 'active':
    case 'sold':
    case 'archived':
      return serviceStatus;
    case 'draft':
    case 'not_listed':
      return listings.some(isForSale) ? 'active' : serviceStatus;
  }
}

const isForSale = ({ state }: Item['listings'][number]): boolean => state === 'live' || state === 'leaving';
