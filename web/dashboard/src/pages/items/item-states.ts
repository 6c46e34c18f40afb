import type { ItemListEntry, ListPartnerItemsData } from '../../../../../client/generated/types.gen.ts';
import type { Query } from '../../routing/use-query.ts';
import type { Tone } from '../../ui/icon.tsx';
import { itemProblems } from '../../words/problems.ts';

export type ServiceStatus = ItemListEntry['serviceStatus'];
export type MarketplaceStatus = ItemListEntry['marketplaceStatus'];

export const serviceTones: Readonly<Record<ServiceStatus, Tone>> = {
  draft: 'quiet',
  active: 'ok',
  sold: 'info',
  not_listed: 'quiet',
  archived: 'quiet',
};

export const marketplaceTones: Readonly<Record<MarketplaceStatus, Tone>> = {
  active: 'ok',
  sold: 'info',
  ended: 'quiet',
  pending_sync: 'quiet',
  sync_error: 'bad',
};

/** Search fields that belong to a single domain each. */
export const domainFields = ['plate', 'oem_number', 'isbn'] as const;
export type DomainField = (typeof domainFields)[number];

/** In the order of the filter. */
export const serviceStatuses = Object.keys(serviceTones).filter((key): key is ServiceStatus => key in serviceTones);
export const marketplaceStatuses = Object.keys(marketplaceTones).filter(
  (key): key is MarketplaceStatus => key in marketplaceTones,
);

export const problemFilters = ['any', ...itemProblems] as const;

type ItemQuery = NonNullable<ListPartnerItemsData['query']>;
export type ItemFilters = Omit<ItemQuery, 'cursor' | 'limit' | 'member' | 'updatedSince' | 'sort'>;

/** Orders that the service supports, by the column of the table. */
export const itemSorts = ['created', '-created', 'updated', '-updated'] as const satisfies ItemQuery['sort'][];

/** The filters in the page's address; unknown values are left out. */
export function readItemFilters(query: Query): ItemFilters {
  const serviceStatus = serviceStatuses.find((status) => status === query['serviceStatus']);
  const marketplaceStatus = marketplaceStatuses.find((status) => status === query['marketplaceStatus']);
  const problem = problemFilters.find((known) => known === query['problem']);
  const words = ['q', 'domain', ...domainFields].filter((name) => (query[name] ?? '').trim() !== '');
  return {
    ...(serviceStatus !== undefined && { serviceStatus }),
    ...(marketplaceStatus !== undefined && { marketplaceStatus }),
    ...(problem !== undefined && { problem }),
    ...Object.fromEntries(words.map((name) => [name, query[name]])),
  };
}

/** A change of the address that removes all filters. */
export const noFilters = Object.fromEntries(
  ['serviceStatus', 'marketplaceStatus', 'problem', 'q', 'domain', 'externalId', ...domainFields].map((name) => [
    name,
    undefined,
  ]),
);
