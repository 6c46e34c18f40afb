import { pageOf } from '../../rules/page-of.ts';
import type { mongo } from 'mongoose';
import type { DomainSlug } from '../../rules/domains.ts';
import type { AccountId } from '../../rules/ids.ts';
import type { ItemSort, ListedItem } from '../rules/describe-item.ts';
import type { SearchedTerm } from '../rules/search-terms.ts';
import type { ItemProblem } from '../../operations/rules/reasons.ts';
import {
  marketplaceStatuses,
  serviceStatuses,
  type MarketplaceStatus,
  type ServiceStatus,
} from '../rules/transitions.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { listIndex } from './item-list-fields.ts';
import type { ItemRow } from './item-row.ts';
import { itemCollection } from './item-collection.ts';
import { listedFields, listedFromRow, type ListedRow } from './listed-items.ts';
import { problemTerm, resolveTerm, type ResolvedTerm } from './resolve-search-terms.ts';

/** All given conditions must hold; an absent one does not restrict. */
export interface ItemListFilter {
  readonly serviceStatus?: ServiceStatus | undefined;
  readonly marketplaceStatus?: MarketplaceStatus | undefined;
  readonly domain?: DomainSlug | undefined;
  /** `any`: items with some problem. */
  readonly problem?: ItemProblem | 'any' | undefined;
  /** Changed at this time or later. It also sorts the list by the last change. */
  readonly updatedSince?: Date | undefined;
  /** Without `updatedSince`: the order of the list; the last created first by default. */
  readonly sort?: ItemSort | undefined;
  /** An item has all of these terms (features/items/rules/search-terms.ts). */
  readonly terms?: readonly SearchedTerm[] | undefined;
}

/** Position of an item in the order of its list. No two items share one. */
export interface ListPlace {
  /** Time of its creation or its last change, by the order of the list. */
  readonly at: Date;
  readonly id: string;
}

export interface ItemListWalk {
  /** The walk continues after this place. */
  readonly after?: ListPlace | undefined;
  readonly limit: number;
}

export interface ItemListSlice {
  readonly items: readonly ListedItem[];
  /** Where the next slice starts; null at the end of the list. A slice may be shorter than its limit and not be the last. */
  readonly end: ListPlace | null;
}

export interface ItemListStore {
  /**
   * Current and archived items of the account, by creation, newest first, or as `sort` says; with `updatedSince` by their last change,
   * oldest first.
   */
  walk(account: AccountId, filter: ItemListFilter, walk: ItemListWalk): Promise<ItemListSlice>;
  /** A time by the database's clock: a walk that begins now shows every change before it. */
  settledUntil(account: AccountId): Promise<Date>;
}

export interface ItemListOptions {
  /**
   * Most documents that one slice reads, for any search. A term with at most so many items is looked up in the term
   * index. More frequent terms are found by walking the list, which soon fills a page.
   */
  readonly documentsMax: number;
  /** A page is first searched among this many items; frequent terms fill it there, however long the list is. */
  readonly nearMax: number;
}

const usualOptions: ItemListOptions = { documentsMax: 5_000, nearMax: 500 };

/**
 * Longest time between the date of a change and its visibility: commits overtake each other, and the clock of another primary may
 * be behind.
 */
const unsettledMs = 10_000;

/** The list of items. @param limits smaller in tests */
export function createItemListStore(
  store: StoreConnection,
  { documentsMax, nearMax }: ItemListOptions = usualOptions,
): ItemListStore {
  const items = itemCollection(store);
  return {
    walk: async (account, filter, walk) => {
      const order = directions[filter.updatedSince === undefined ? (filter.sort ?? '-created') : 'updated'];
      const wanted = filter.terms ?? [];
      const words = await Promise.all(wanted.map(async (term) => resolveTerm(items, account, term)));
      const terms = filter.problem === undefined ? words : [problemTerm(filter.problem), ...words];
      const query: Query = { account, filter, terms, walk, order };
      const [first] = terms;
      if (first === undefined) return walkOrder(items, query);
      if (order.field === 'createdAt' && first.isListed && isOneTermAlone(query))
        return walkOrder(items, query, byTerm(query, first));
      const rare = await lookUpRarest(items, query, nearMax);
      if (rare !== null) return rare;
      const near = await walkWindow(items, query, nearMax);
      if (near.items.length === walk.limit || near.end === null) return near;
      return (await lookUpRarest(items, query, documentsMax)) ?? walkWindow(items, query, documentsMax);
    },
    settledUntil: async (account) => {
      const session = await store.connection.startSession();
      try {
        await items.findOne({ accountId: account }, { session, projection: { _id: 1 } });
        const { operationTime } = session;
        if (operationTime === undefined) throw new Error('the database does not tell what time it has read of');
        return new Date(operationTime.t * 1_000 - unsettledMs);
      } finally {
        await session.endSession();
      }
    },
  };
}

type Items = mongo.Collection<ItemRow>;

interface Query {
  readonly account: AccountId;
  readonly filter: ItemListFilter;
  /** The terms of the filter, its problem among them. */
  readonly terms: readonly ResolvedTerm[];
  readonly walk: ItemListWalk;
  readonly order: Direction;
}

interface Direction {
  readonly field: 'createdAt' | 'changedAt';
  /** The index of the order, read forwards or backwards. */
  readonly index: 'created' | 'changed';
  readonly step: 1 | -1;
  /** Operators for positions after a time, and up to a time. */
  readonly behind: '$lt' | '$gt';
  readonly upTo: '$gte' | '$lte';
  /** An id that sorts after every other. */
  readonly lastId: string;
}

const down = { step: -1, behind: '$lt', upTo: '$gte', lastId: '' } as const;
const up = { step: 1, behind: '$gt', upTo: '$lte', lastId: '~' } as const;
const directions: Readonly<Record<ItemSort, Direction>> = {
  '-created': { field: 'createdAt', index: 'created', ...down },
  created: { field: 'createdAt', index: 'created', ...up },
  '-updated': { field: 'changedAt', index: 'changed', ...down },
  updated: { field: 'changedAt', index: 'changed', ...up },
};

type Range = mongo.Filter<ItemRow>;

/** Items with exactly the time of the position where the walk continues, and after it in the order. */
function sameTime({ order: { field, behind }, walk: { after } }: Query): Range | null {
  return after === undefined ? null : { [field]: after.at, _id: { [behind]: after.id } };
}

/** Items with a later time, up to the end of the list or of a window. */
function laterTimes({ order, walk: { after }, filter: { updatedSince } }: Query, windowEnd?: Date): Range {
  const { field, behind, upTo } = order;
  const start = after === undefined ? { $gte: updatedSince ?? new Date(0) } : { [behind]: after.at };
  return { [field]: { ...start, ...(windowEnd !== undefined && { [upTo]: windowEnd }) } };
}

/**
 * With a single term and no other filter, its index gives the order, and no more items are read than are shown.
 */
const isOneTermAlone = ({ terms, filter: { serviceStatus, marketplaceStatus, domain } }: Query): boolean =>
  terms.length === 1 && serviceStatus === undefined && marketplaceStatus === undefined && domain === undefined;

/** Uses the term with the fewest items, counted only as far as it matters; null when it has more than `most`. */
async function lookUpRarest(items: Items, query: Query, most: number): Promise<ItemListSlice | null> {
  const { account, terms, order } = query;
  const counted = await Promise.all(
    terms.map(async (term) => {
      const options = { limit: most + 1, hint: term.hint };
      return { term, count: await items.countDocuments({ accountId: account, ...term.condition }, options) };
    }),
  );
  const rarest = counted.sort((a, b) => a.count - b.count)[0];
  if (rarest === undefined || rarest.count > most) return null;
  const by = byTerm(query, rarest.term);
  return order.field === 'createdAt' && rarest.term.isListed ? walkOrder(items, query, by) : sortAll(items, query, by);
}

/**
 * Sorts the matches in memory. Needed for the order of changes, which these indexes lack, and for more terms than the
 * index can merge.
 */
async function sortAll(items: Items, query: Query, { conditions, hint }: By): Promise<ItemListSlice> {
  const ranges = [sameTime(query), laterTimes(query)].filter((range) => range !== null);
  const { sort } = orderOf(query);
  const limit = query.walk.limit + 1;
  return sliceOf(await find(items, { conditions: { ...conditions, $or: ranges }, limit, hint, sort }), query);
}

/** All conditions, by the index of one of the terms. */
function byTerm({ account, terms, filter }: Query, term: ResolvedTerm): By {
  const { serviceStatus, marketplaceStatus, domain } = filter;
  const others = terms.filter((other) => other !== term);
  const conditions = {
    accountId: account,
    ...term.condition,
    isListed: true,
    ...(serviceStatus !== undefined && { serviceStatus }),
    ...(marketplaceStatus !== undefined && { marketplaceStatus }),
    ...(domain !== undefined && { listDomain: domain }),
    // `$expr` keeps the server from using an index for these terms, because that of the rarest term is best.
    ...(others.length > 0 && { $expr: { $and: others.map(({ expression }) => expression) } }),
  };
  return { hint: term.hint, conditions };
}

interface By {
  readonly hint: mongo.Hint;
  readonly conditions: mongo.Filter<ItemRow>;
}

/**
 * For frequent terms: reads the next documents in order, at most one window of them and those with the window's last
 * time.
 */
async function walkWindow(items: Items, query: Query, documentsMax: number): Promise<ItemListSlice> {
  const { field, lastId } = query.order;
  const conditions = { ...conditionsOf(query), $and: query.terms.map(({ condition }) => condition) };
  const [last] = await items
    .find({ ...conditionsOf(query), ...laterTimes(query) }, { projection: { _id: 0, [field]: 1 }, ...orderOf(query) })
    .skip(documentsMax - 1)
    .limit(1)
    .toArray();
  if (last === undefined) return walkOrder(items, query, { conditions });
  const windowEnd = last[field];
  const slice = await walkOrder(items, query, { conditions, windowEnd });
  return { ...slice, end: slice.end ?? { at: windowEnd, id: lastId } };
}

/** Reads the items of the position's own time first, then later ones: the index sorts each of the two ranges. */
async function walkOrder(
  items: Items,
  query: Query,
  { conditions = conditionsOf(query), hint = orderOf(query).hint, windowEnd }: Partial<By> & { windowEnd?: Date } = {},
): Promise<ItemListSlice> {
  const { sort } = orderOf(query);
  const same = sameTime(query);
  const limit = query.walk.limit + 1;
  const tied =
    same === null
      ? []
      : await find(items, { conditions: { ...conditions, ...same }, limit, hint, sort: { _id: query.order.step } });
  const room = limit - tied.length;
  if (room === 0) return sliceOf(tied, query);
  const later = { ...conditions, ...laterTimes(query, windowEnd) };
  return sliceOf([...tied, ...(await find(items, { conditions: later, limit: room, hint, sort }))], query);
}

/** Names every possible status, as {@link listIndex} requires. */
function conditionsOf({ account, filter: { serviceStatus, marketplaceStatus, domain } }: Query) {
  return {
    accountId: account,
    isListed: true,
    ...(domain !== undefined && { listDomain: domain }),
    serviceStatus: serviceStatus ?? { $in: [...serviceStatuses] },
    marketplaceStatus: marketplaceStatus ?? { $in: [...marketplaceStatuses] },
  };
}

const orderOf = ({ order, filter: { domain } }: Query): { sort: Record<string, 1 | -1>; hint: mongo.Hint } => ({
  sort: { [order.field]: order.step, _id: order.step },
  hint: listIndex(order.index, domain !== undefined),
});

interface Search {
  readonly conditions: mongo.Filter<ItemRow>;
  readonly limit: number;
  readonly hint: mongo.Hint;
  readonly sort: mongo.Sort;
}

const find = (items: Items, { conditions, limit, ...order }: Search): Promise<ListedRow[]> =>
  items.find<ListedRow>(conditions, { limit, batchSize: limit + 1, projection: listedFields, ...order }).toArray();

function sliceOf(rows: readonly ListedRow[], { order, walk: { limit } }: Query): ItemListSlice {
  const { shown, last } = pageOf(rows, limit);
  const end = last === undefined ? null : { at: last[order.field], id: last._id };
  return { items: shown.map(listedFromRow), end };
}
