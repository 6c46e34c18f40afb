import type { DomainSlug } from '../../core/domains/domain-table.ts';
import type { Item } from '../../core/items/item.ts';
import type { ItemContent } from '../../core/items/item-content.ts';
import { areEqual, haveSameTerms, termsOfItem } from '../../core/items/search-terms.ts';

/** Fields of an item's row that exist only for the list's indexes. */
export interface ItemListFields {
  /** false keeps tombstones out. */
  readonly isListed: boolean;
  readonly listDomain: DomainSlug;
  readonly searchTerms: readonly string[];
}

/** The two orders of the list, each with an index: by creation, newest first, and by the last change, oldest first. */
export const listOrders = {
  created: { createdAt: -1, _id: -1 },
  changed: { changedAt: 1, _id: 1 },
} as const;
export type ListOrder = keyof typeof listOrders;

/** The index sorts within each status, so a query must name every possible status: the server then merges them in order. */
export const listIndex = (order: ListOrder, hasDomain: boolean): Record<string, 1 | -1> => ({
  accountId: 1,
  isListed: 1,
  ...(hasDomain && { listDomain: 1 }),
  ...{ serviceStatus: 1, marketplaceStatus: 1, ...listOrders[order] },
});

/** The newest of many accounts (items-of-accounts.ts): written once for an item, as its creation never changes. */
export const accountsIndex = { accountId: 1, isListed: 1, createdAt: -1, _id: -1 } as const;

/** Items that have a term, newest first: no change of an item but of its words rewrites its entries. */
export const termIndex = { accountId: 1, searchTerms: 1, ...listOrders.created } as const;

type Terms = readonly string[];
const noTerms: Terms = [];

/** Terms by content, so that an item whose text didn't change yields the same terms and writes none. */
const termsOf = new WeakMap<ItemContent, Pick<Item, 'enrichment' | 'externalId'> & { readonly terms: Terms }>();
/** Last terms made. A row is compared with its predecessor right after it, so equal terms can share one array. */
let lastTerms = noTerms;

export function listFieldsOf(item: Item): ItemListFields {
  const isListed = item.removedAt === null;
  return {
    isListed,
    listDomain: item.content.domain?.slug ?? 'other',
    searchTerms: isListed ? searchTerms(item) : noTerms,
  };
}

/** Keeps the stored terms of an item just read, so that they are not made again. */
export function rememberTerms({ content, enrichment, externalId }: Item, terms: Terms): void {
  termsOf.set(content, { enrichment, externalId, terms });
}

/** Keeps the terms when a push leaves the text unchanged: a new price must not cost the stems of hundreds of words. */
export function inheritTerms(next: Item, previous: Item): void {
  const known = termsOf.get(previous.content);
  const isNew = next.content !== previous.content && !termsOf.has(next.content);
  if (isNew && known?.enrichment === previous.enrichment && haveSameTerms(next, previous))
    rememberTerms(next, known.terms);
}

function searchTerms(item: Item): Terms {
  const known = termsOf.get(item.content);
  const isKnown = known?.enrichment === item.enrichment && known.externalId === item.externalId;
  const terms = isKnown ? known.terms : termsOfItem(item);
  if (!areEqual(terms, lastTerms)) lastTerms = terms;
  rememberTerms(item, lastTerms);
  return lastTerms;
}
