import { flattenDomain, unflattenDomain, type ExtendedAttributes } from '../core/domains/flatten-domain.ts';
import { accountId, itemId } from '../core/ids.ts';
import { stampOf } from '../core/items/describe-item.ts';
import type { Item } from '../core/items/item.ts';
import type { ItemContent } from '../core/items/item-content.ts';

/** The stored document: an item whose domain is flattened into `extendedAttributes` (specification "Extended attributes"). */
export interface ItemRow extends Omit<Item, 'id' | 'accountId' | 'content'> {
  readonly _id: string;
  readonly accountId: string;
  readonly content: Omit<ItemContent, 'domain'>;
  readonly extendedAttributes: ExtendedAttributes;
  /** The marketplace may still have something to tell of one of its listings. */
  readonly isWatched: boolean;
}

interface ContentParts {
  readonly content: Omit<ItemContent, 'domain'>;
  readonly extendedAttributes: ExtendedAttributes;
}

/** Content parts by content object, so that an item whose content didn't change yields identical parts and writes neither. */
const partsOf = new WeakMap<ItemContent, ContentParts>();

export function rowFromItem(item: Item): ItemRow {
  const { id, content: _content, ...rest } = item;
  const isWatched = item.listings.some(({ state }) => state === 'committing' || state === 'live');
  return { _id: id, ...rest, ...contentParts(item), isWatched };
}

function contentParts(item: Item): ContentParts {
  const known = partsOf.get(item.content);
  if (known?.extendedAttributes.external_reference === item.externalId) return known;
  const { domain, ...content } = item.content;
  const parts = { content, extendedAttributes: flattenDomain(domain, stampOf(item)) };
  partsOf.set(item.content, parts);
  return parts;
}

export function itemFromRow(row: ItemRow): Item {
  const { _id, content, extendedAttributes, isWatched: _isWatched, ...rest } = row;
  const whole: ItemContent = { ...content, domain: unflattenDomain(extendedAttributes).domain };
  partsOf.set(whole, { content, extendedAttributes });
  return { ...rest, id: itemId(_id), accountId: accountId(row.accountId), content: whole };
}
