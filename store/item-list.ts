import type { mongo } from 'mongoose';
import type { DomainSlug } from '../core/domains/domain-table.ts';
import type { AccountId } from '../core/ids.ts';
import type { Item } from '../core/items/item.ts';
import { listKeyAt } from '../core/items/list-order.ts';
import {
  marketplaceStatuses,
  serviceStatuses,
  type MarketplaceStatus,
  type ServiceStatus,
} from '../core/items/statuses.ts';
import type { StoreConnection } from './connection.ts';
import { itemFromRow, type ItemRow } from './item-row.ts';
import { itemCollection } from './items.ts';

/** All conditions hold together; those left out don't restrict. */
export interface ItemListFilter {
  readonly serviceStatus?: ServiceStatus | undefined;
  readonly marketplaceStatus?: MarketplaceStatus | undefined;
  readonly domain?: DomainSlug | undefined;
  /** Updated at this time or later. */
  readonly updatedSince?: Date | undefined;
  /** An item has all of these terms (core/items/list-terms.ts). */
  readonly terms?: readonly string[] | undefined;
}

export interface ItemListWalk {
  /** `down`: newest update first. */
  readonly lap: 'down' | 'up';
  /** Goes on behind this list key. */
  readonly from?: string | undefined;
  readonly limit: number;
}

export interface ItemListSlice {
  readonly items: readonly Item[];
  /** Where to go on; null at the end of the list. A slice may be shorter than its limit and yet not the last. */
  readonly end: string | null;
}

export interface ItemListStore {
  /** Items of the account that are current or archived, in the order of their last update. */
  walk(account: AccountId, filter: ItemListFilter, walk: ItemListWalk): Promise<ItemListSlice>;
}

export interface ItemListOptions {
  /**
   * Documents that one slice reads at most, whatever is searched for. Terms that no more items than that have are looked up in
   * their index; those of more items are so frequent that walking through the newest ones soon finds a page of them.
   */
  readonly documentsMax: number;
  /** A page is looked for among so many of the newest first: frequent terms have it there, however many items there are. */
  readonly nearMax: number;
}

const usualOptions: ItemListOptions = { documentsMax: 5_000, nearMax: 500 };

export function createItemListStore(
  store: StoreConnection,
  { documentsMax, nearMax }: ItemListOptions = usualOptions,
): ItemListStore {
  const items = itemCollection(store);
  return {
    walk: async (account, filter, walk) => {
      const query: Query = { account, filter, walk, range: rangeOf(filter, walk) };
      if (filter.terms === undefined || filter.terms.length === 0) return walkOrder(items, query, []);
      const rare = await lookUpRarest(items, query, nearMax);
      if (rare !== null) return rare;
      const near = await walkWindow(items, query, nearMax);
      if (near.items.length === walk.limit || near.end === null) return near;
      return (await lookUpRarest(items, query, documentsMax)) ?? walkWindow(items, query, documentsMax);
    },
  };
}

type Items = mongo.Collection<ItemRow>;

interface KeyRange {
  readonly $gt?: string;
  readonly $gte?: string;
  readonly $lt?: string;
  readonly $lte?: string;
}

interface Query {
  readonly account: AccountId;
  readonly filter: ItemListFilter;
  readonly walk: ItemListWalk;
  readonly range: KeyRange;
}

/** Always with a lower bound, because that is what tells the planner that the partial indexes have all of it. */
function rangeOf({ updatedSince }: ItemListFilter, { lap, from }: ItemListWalk): KeyRange {
  const since = updatedSince === undefined ? '0' : listKeyAt(updatedSince);
  if (from === undefined) return { $gte: since };
  if (lap === 'down') return { $gte: since, $lt: from };
  return from > since ? { $gt: from } : { $gte: since };
}

/** By the term that the fewest items have, counted no further than matters; null when even those are more than `most`. */
async function lookUpRarest(items: Items, query: Query, most: number): Promise<ItemListSlice | null> {
  const { account, filter } = query;
  const { terms = [] } = filter;
  const counted = await Promise.all(
    terms.map(async (term) => {
      const options = { limit: most + 1, hint: termIndex };
      return { term, count: await items.countDocuments({ accountId: account, searchTerms: term }, options) };
    }),
  );
  const rarest = counted.sort((a, b) => a.count - b.count)[0];
  if (rarest === undefined || rarest.count > most) return null;
  const others = terms.filter((term) => term !== rarest.term);
  return lookUpTerm(items, query, { term: rarest.term, others });
}

const termIndex = { accountId: 1, searchTerms: 1 } as const;

async function lookUpTerm(
  items: Items,
  query: Query,
  { term, others }: { term: string; others: readonly string[] },
): Promise<ItemListSlice> {
  const { account, filter, walk, range } = query;
  const { serviceStatus, marketplaceStatus, domain } = filter;
  const conditions = {
    accountId: account,
    searchTerms: term,
    listKey: range,
    ...(serviceStatus !== undefined && { serviceStatus }),
    ...(marketplaceStatus !== undefined && { marketplaceStatus }),
    ...(domain !== undefined && { listDomain: domain }),
    // Written so that no index can be used for it: the one chosen above is the smallest.
    ...(others.length > 0 && { $expr: { $setIsSubset: [{ $literal: [...others] }, '$searchTerms'] } }),
  };
  return sliceOf(await find(items, { conditions, walk, hint: termIndex }), walk);
}

/** Frequent terms: reads the next documents in their order and no more of them than the window. */
async function walkWindow(items: Items, query: Query, documentsMax: number): Promise<ItemListSlice> {
  const { walk, range, filter } = query;
  const { hint, conditions } = orderOf(query);
  const [last] = await items
    .find(conditions, { projection: { _id: 0, listKey: 1 }, sort: sortOf(walk), hint })
    .skip(documentsMax - 1)
    .limit(1)
    .toArray();
  const windowEnd = last?.listKey ?? null;
  if (windowEnd === null) return walkOrder(items, query, filter.terms ?? []);
  const window = walk.lap === 'down' ? { ...range, $gte: windowEnd } : { ...range, $lte: windowEnd };
  const slice = await walkOrder(items, { ...query, range: window }, filter.terms ?? []);
  return { ...slice, end: slice.end ?? windowEnd };
}

async function walkOrder(items: Items, query: Query, terms: readonly string[]): Promise<ItemListSlice> {
  const { hint, conditions } = orderOf(query);
  const wanted = terms.length === 0 ? conditions : { ...conditions, searchTerms: { $all: [...terms] } };
  return sliceOf(await find(items, { conditions: wanted, walk: query.walk, hint }), query.walk);
}

/** Each status by itself is in the list's order, so every one that may be is named and the server merges them. */
function orderOf({ account, filter, range }: Query) {
  const { serviceStatus, marketplaceStatus, domain } = filter;
  const conditions = {
    accountId: account,
    ...(domain !== undefined && { listDomain: domain }),
    serviceStatus: serviceStatus ?? { $in: [...serviceStatuses] },
    marketplaceStatus: marketplaceStatus ?? { $in: [...marketplaceStatuses] },
    listKey: range,
  };
  const statuses = { serviceStatus: 1, marketplaceStatus: 1, listKey: -1 } as const;
  return { conditions, hint: { accountId: 1, ...(domain !== undefined && { listDomain: 1 }), ...statuses } };
}

const sortOf = ({ lap }: ItemListWalk) => ({ listKey: lap === 'down' ? (-1 as const) : (1 as const) });

/** One more than is shown: it tells whether there is more. */
const find = (
  items: Items,
  { conditions, walk, hint }: { conditions: mongo.Filter<ItemRow>; walk: ItemListWalk; hint: mongo.Hint },
): Promise<ItemRow[]> =>
  items.find(conditions, { sort: sortOf(walk), limit: walk.limit + 1, batchSize: walk.limit + 2, hint }).toArray();

function sliceOf(rows: readonly ItemRow[], { limit }: ItemListWalk): ItemListSlice {
  const shown = rows.slice(0, limit);
  const end = rows.length > limit ? (shown.at(-1)?.listKey ?? null) : null;
  return { items: shown.map(itemFromRow), end };
}
