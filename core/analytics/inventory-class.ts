import type { Item } from '../items/item.ts';

/** Where an item counts: one of the figures, in `total` only (`not_listed`), or nowhere (`none`). */
export const inventoryClasses = ['draft', 'active', 'sold', 'not_listed', 'archived', 'none'] as const;
export type InventoryClass = (typeof inventoryClasses)[number];

export type ClassifiedItem = Pick<Item, 'removedAt' | 'serviceStatus' | 'listings'>;

/**
 * Each item counts once. `active` is "live on the service or marketplace": so it also has what the partner took down, or never
 * got active, while its auction still runs because of bids. What was sold or archived is told by that, and a deleted item that
 * nobody can read any more is none. Source: specification "Partner analytics snapshot".
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
