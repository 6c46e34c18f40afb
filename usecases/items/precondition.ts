import { Refusal } from '../../core/errors.ts';
import type { Item } from '../../core/items/item.ts';

/** `any` is `*`: any version. Otherwise tags of {@link itemTag}, one of which must match. */
export type TagCondition = 'any' | readonly string[];

/** Conditions on the item for a write to take effect; an absent member is no condition. */
export interface Precondition {
  readonly ifMatch?: TagCondition;
  readonly ifNoneMatch?: TagCondition;
}

/** Names one version of an item as its caller sees it: the ETag without its quotes. */
export const itemTag = (item: { readonly id: string; readonly revision: number }): string =>
  `${item.id}.${item.revision}`;

/**
 * The tag of the whole item: it changes with whatever the row shows, the running auction and the images among them. `If-Match`
 * takes it like {@link itemTag}, because a write competes with accepted writes alone.
 */
export const wholeItemTag = (item: Pick<Item, 'id' | 'revision' | 'version'>): string =>
  `${itemTag(item)}.${item.version}`;

/**
 * Checked on the version that the compare-and-set then replaces, so no write can come in between; `null` is no item.
 * Throws {@link Refusal} PRECONDITION_FAILED.
 */
export function requirePrecondition(item: Item | null, { ifMatch, ifNoneMatch }: Precondition): void {
  if (ifMatch !== undefined && !matches(item, ifMatch)) {
    const message = item === null ? 'There is no item to match' : 'The item has moved on since that version was read';
    throw new Refusal('PRECONDITION_FAILED', `${message} (If-Match)`);
  }
  if (ifNoneMatch !== undefined && matches(item, ifNoneMatch)) {
    throw new Refusal('PRECONDITION_FAILED', 'The item exists already (If-None-Match)');
  }
}

function matches(item: Item | null, condition: TagCondition): boolean {
  if (item === null || condition === 'any') return item !== null;
  const tag = itemTag(item);
  return condition.some((one) => one === tag || (one.startsWith(`${tag}.`) && /^\d+$/.test(one.slice(tag.length + 1))));
}
