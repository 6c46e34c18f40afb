import type { DomainSlug } from '../../core/domains/domain-table.ts';
import type { Item } from '../../core/items/item.ts';
import type { ItemContent } from '../../core/items/item-content.ts';
import { areEqual, haveSameTerms, termsOfItem } from '../../core/items/list-terms.ts';

/** What an item's row holds only for the list's indexes. */
export interface ItemListFields {
  /** false keeps tombstones out. */
  readonly isListed: boolean;
  readonly listDomain: DomainSlug;
  readonly searchTerms: readonly string[];
}

/** The two orders of the list, each of which an index has: by creation, newest first, and by the last change, oldest first. */
export const listOrders = {
  created: { createdAt: -1, _id: -1 },
  changed: { changedAt: 1, _id: 1 },
} as const;
export type ListOrder = keyof typeof listOrders;

/** Each status by itself is in the order, so a query that names every one that may be has them merged by the server. */
export const listIndex = (order: ListOrder, hasDomain: boolean): Record<string, 1 | -1> => ({
  accountId: 1,
  isListed: 1,
  ...(hasDomain && { listDomain: 1 }),
  ...{ serviceStatus: 1, marketplaceStatus: 1, ...listOrders[order] },
});

/** Items that have a term, newest first: no change of an item but of its words rewrites its entries. */
export const termIndex = { accountId: 1, searchTerms: 1, ...listOrders.created } as const;

type Terms = readonly string[];
const noTerms: Terms = [];

/** Terms by content, so that an item whose text didn't change yields the same terms and writes none. */
const termsOf = new WeakMap<ItemContent, { readonly enrichment: Item['enrichment']; readonly terms: Terms }>();
/** A row is compared with its predecessor's right after it: equal terms of another content are the same ones. */
let lastTerms = noTerms;

export function listFieldsOf(item: Item): ItemListFields {
  const isListed = item.removedAt === null;
  return {
    isListed,
    listDomain: item.content.domain?.slug ?? 'other',
    searchTerms: isListed ? searchTerms(item) : noTerms,
  };
}

/** The terms of an item just read are those that are stored with it. */
export function rememberTerms({ content, enrichment }: Item, terms: Terms): void {
  termsOf.set(content, { enrichment, terms });
}

/** What a push leaves of an item's text keeps its terms: stems of hundreds of words are not made again for a new price. */
export function inheritTerms(next: Item, previous: Item): void {
  const known = termsOf.get(previous.content);
  const isNew = next.content !== previous.content && !termsOf.has(next.content);
  if (isNew && known?.enrichment === previous.enrichment && haveSameTerms(next, previous))
    rememberTerms(next, known.terms);
}

function searchTerms(item: Item): Terms {
  const known = termsOf.get(item.content);
  const terms = known?.enrichment === item.enrichment ? known.terms : termsOfItem(item);
  if (!areEqual(terms, lastTerms)) lastTerms = terms;
  rememberTerms(item, lastTerms);
  return lastTerms;
}
