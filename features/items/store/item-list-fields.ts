import { slugOf, type DomainSlug } from '../../rules/domains.ts';
import type { Item } from '../rules/item.ts';
import type { ItemContent } from '../rules/item-content.ts';
import { itemProblems, type ItemProblem } from '../../operations/rules/reasons.ts';
import { areEqual, haveSameTerms, termsOfItem } from '../rules/search-terms.ts';

/** Fields of an item's row that exist only for the list's indexes. */
export interface ItemListFields {
  /** false for tombstones, which no list shows. */
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
  serviceStatus: 1,
  marketplaceStatus: 1,
  ...listOrders[order],
});

/**
 * For lists over many accounts (items-of-accounts.ts). The creation never changes, so each item writes this entry once.
 */
export const accountsIndex = { accountId: 1, isListed: 1, createdAt: -1, _id: -1 } as const;

/** Items with a term, newest first. Only a change of its words rewrites an item's entries. */
export const termIndex = { accountId: 1, searchTerms: 1, ...listOrders.created } as const;

type Terms = readonly string[];
const noTerms: Terms = [];

/** Items with a problem, newest first. Partial: other items have no entry. */
export const problemIndex = { accountId: 1, blockedReason: 1, ...listOrders.created } as const;

/** The `$type` condition lets the server use the partial index. */
export const havingProblem = (problem: ItemProblem | 'any') => ({
  blockedReason: { $type: 'string' as const, $in: problemsMeant(problem) },
});

/** Named one by one, so that the server merges them in order. */
export const problemsMeant = (problem: ItemProblem | 'any'): readonly ItemProblem[] =>
  problem === 'any' ? itemProblems : [problem];

/** Terms by content, so that an item whose text did not change gets the same terms and writes none. */
const termsOf = new WeakMap<ItemContent, Pick<Item, 'enrichment' | 'externalId'> & { readonly terms: Terms }>();
/**
 * The terms made last. A row is compared with its predecessor right after it is made, so equal terms can share one
 * array.
 */
let lastTerms = noTerms;

export function listFieldsOf(item: Item): ItemListFields {
  const isListed = item.removedAt === null;
  return {
    isListed,
    listDomain: slugOf(item.content.domain),
    searchTerms: isListed ? searchTerms(item) : noTerms,
  };
}

/** Remembers the stored terms of an item that was just read, so that they are not computed again. */
export function rememberTerms({ content, enrichment, externalId }: Item, terms: Terms): void {
  termsOf.set(content, { enrichment, externalId, terms });
}

/**
 * Reuses the terms when a push leaves the text unchanged, so that a new price does not cost the stems of hundreds of
 * words.
 */
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
