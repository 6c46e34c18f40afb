import type { ItemContent, RequestWarning } from '../../core/items/item-content.ts';
import { isUnwanted, newestListing, wantsPublication, type Item } from '../../core/items/item.ts';

/**
 * After a given-up publication only `publish` tries again. Every other write warns of it, because its caller may expect a new
 * try.
 */
export function givenUpWarnings(item: Item): RequestWarning[] {
  const isGivenUp = newestListing(item)?.state === 'failed' && !wantsPublication(item) && !isUnwanted(item);
  if (!isGivenUp) return [];
  const { stage, lastError } = item.processing;
  const cause = stage === 'given_up' && lastError !== null ? ` (${lastError})` : '';
  return [{ field: 'body', message: `publishing was given up${cause}: POST …/publish tries again` }];
}

/** The marketplace does not remove the last picture of an auction. */
export function emptiedImagesWarnings(item: Item, { imageUrls }: ItemContent): RequestWarning[] {
  const newest = newestListing(item);
  const keepsPictures = newest?.state === 'live' && newest.imageHashes.length > 0 && imageUrls.length === 0;
  return keepsPictures
    ? [{ field: 'imageUrls', message: 'the auction keeps its pictures until it is put up again' }]
    : [];
}
