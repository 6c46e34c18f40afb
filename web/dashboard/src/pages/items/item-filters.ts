import type { ListPartnerItemsData } from '../../../../../client/generated/types.gen.ts';
import type { Query } from '../../routing/use-query.ts';
import { marketplaceTones, serviceTones, type MarketplaceStatus, type ServiceStatus } from './item-states.ts';

/** Search fields that belong to one domain each. */
export const domainFields = ['plate', 'oem_number', 'isbn'] as const;
export type DomainField = (typeof domainFields)[number];

export const serviceStatuses = Object.keys(serviceTones).filter((key): key is ServiceStatus => key in serviceTones);
export const marketplaceStatuses = Object.keys(marketplaceTones).filter(
  (key): key is MarketplaceStatus => key in marketplaceTones,
);

type ItemQuery = NonNullable<ListPartnerItemsData['query']>;
export type ItemFilters = Omit<ItemQuery, 'cursor' | 'limit' | 'member' | 'updatedSince' | 'sort'>;

/** Orders that the service knows, by the column of the table. */
export const itemSorts = ['created', '-created', 'updated', '-updated'] as const satisfies ItemQuery['sort'][];

/** What of the page's address filters the list; a value that means nothing is left out. */
export function readItemFilters(query: Query): ItemFilters {
  const serviceStatus = serviceStatuses.find((status) => status === query['serviceStatus']);
  const marketplaceStatus = marketplaceStatuses.find((status) => status === query['marketplaceStatus']);
  const words = ['q', 'domain', ...domainFields].filter((name) => (query[name] ?? '').trim() !== '');
  return {
    ...(serviceStatus !== undefined && { serviceStatus }),
    ...(marketplaceStatus !== undefined && { marketplaceStatus }),
    ...Object.fromEntries(words.map((name) => [name, query[name]])),
  };
}

/** A change of the address that takes all filters away. */
export const noFilters = Object.fromEntries(
  ['serviceStatus', 'marketplaceStatus', 'q', 'domain', 'externalId', ...domainFields].map((name) => [name, undefined]),
);
