import { createHash } from 'node:crypto';
import { isBeingPublished, hasFailedImages } from '../../core/items/image-set.ts';
import type { ItemContent } from '../../core/items/item-content.ts';
import { newestListing, type Item } from '../../core/items/item.ts';

const hashes = new WeakMap<ItemContent, string>();

/** Of what a caller says of an item: equal for two pushes that say the same, whatever the order of their attributes. */
export function contentHash(content: ItemContent): string {
  const known = hashes.get(content);
  if (known !== undefined) return known;
  const hash = createHash('sha256')
    .update(JSON.stringify(sorted(content)))
    .digest('base64url');
  hashes.set(content, hash);
  return hash;
}

/** Of content that was stored with its hash: need not be made again. */
export const rememberHash = (content: ItemContent, hash: string): void => void hashes.set(content, hash);

/**
 * The hash of the push that would find the item as it is and have nothing to say of it, so that bulk lines can be compared without
 * reading the item. null while an equal push would do or say more: failed images are tried again, a publication is under way or was
 * given up, a price is held by bids, an auction keeps its last pictures.
 */
export function pushHashOf(item: Item): string | null {
  const newest = newestListing(item);
  const isPlain =
    item.current &&
    !hasFailedImages(item) &&
    !isBeingPublished(item) &&
    newest?.state !== 'failed' &&
    item.refusedPriceOre === null &&
    !(newest?.state === 'live' && newest.imageHashes.length > 0 && item.content.imageUrls.length === 0);
  return isPlain ? contentHash(item.content) : null;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, sorted(part)] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
