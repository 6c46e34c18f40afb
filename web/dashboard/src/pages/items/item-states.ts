import type { ItemListEntry, ListPartnerItemsData } from '../../../../../client/generated/types.gen.ts';
import { movingMs, restingMs } from '../../api/use-polling.ts';
import type { Query } from '../../routing/use-query.ts';
import type { Tone } from '../../ui/icon.tsx';

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

/** None of its images could be fetched: it stays a draft until its owner sends others. */
export const hasNoImages = ({ waitingFor }: Pick<ItemListEntry, 'waitingFor'>): boolean => waitingFor === 'images';

/** After that long without a change something waits for more than the next step. */
const stirringMs = 5 * 60_000;

/** How soon to look again at something that changed at `updatedAt` and has steps before it, or has not. */
export const lookAgainMs = (hasStepsAhead: boolean, updatedAt: string): number =>
  hasStepsAhead && Date.now() - Date.parse(updatedAt) < stirringMs ? movingMs : restingMs;

/** How soon to look at a list again: the busiest of its rows says so. */
export const lookAtListAgainMs = (rows: readonly ItemListEntry[]): number =>
  Math.min(restingMs, ...rows.map((row) => lookAgainMs(row.marketplaceStatus === 'pending_sync', row.updatedAt)));

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
