import type { DomainSlug } from '../core/domains/domain-table.ts';
import type { Item } from '../core/items/item.ts';
import type { ItemContent } from '../core/items/item-content.ts';
import { listKey } from '../core/items/list-order.ts';
import { areEqual, haveSameTerms, termsOfItem } from '../core/items/list-terms.ts';

/** What an item's row holds only for the list's indexes. */
export interface ItemListFields {
  /** null keeps tombstones out. */
  readonly listKey: string | null;
  readonly listDomain: DomainSlug;
  readonly searchTerms: readonly string[];
}

type Terms = readonly string[];
const noTerms: Terms = [];

/** Terms by content, so that an item whose text didn't change yields the same terms and writes none. */
const termsOf = new WeakMap<ItemContent, { readonly enrichment: Item['enrichment']; readonly terms: Terms }>();
/** A row is compared with its predecessor's right after it: equal terms of another content are the same ones. */
let lastTerms = noTerms;

export function listFieldsOf(item: Item): ItemListFields {
  const isListed = item.removedAt === null;
  return {
    listKey: isListed ? listKey(item) : null,
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
