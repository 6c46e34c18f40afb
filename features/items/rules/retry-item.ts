import type { RetriedPart } from './history-facts.ts';
import { needsPrice } from '../../listings/rules/price.ts';
import { acceptWrite, idle } from './owed-work.ts';
import { owedEnrichment } from './enrich-item.ts';
import { nextImageSet } from '../../images/rules/image-set.ts';
import { isUnwanted, newestListing, wantsPublication, type Item } from './item.ts';
import type { Processing } from './processing.ts';
import type { Actor } from './journal.ts';
import { note } from './note.ts';
import { isPublishable } from './publish-item.ts';

/**
 * `retry`: tries again now what failed, was given up or waits. It begins nothing that the owner didn't ask for: an item that is
 * off the service stays there. Returns the item unchanged when nothing failed or waits, or when {@link isDueAlready} is true.
 */
export function retryItem(item: Item, { now, actor }: { now: Date; actor: Actor }): Item {
  const parts = partsToRetry(item, now);
  if (parts.length === 0) return item;
  const wantedPublication = parts.includes('publication') ? nextPublication(item) : item.wantedPublication;
  const imageSet = parts.includes('images') ? nextImageSet(item.imageSet, item.content.imageUrls) : item.imageSet;
  // Refused prices and unanswered questions are tried again with the next revision.
  const asked = acceptWrite(
    { ...item, wantedPublication, imageSet, processing: processingAfter(item, parts, now) },
    now,
  );
  return note(asked, { at: now, kind: 'retry_requested', details: { parts }, actor });
}

/** Whether {@link retryItem} would change the item. */
export const canRetry = (item: Item, now: Date): boolean => partsToRetry(item, now).length > 0;

function partsToRetry(item: Item, now: Date): readonly RetriedPart[] {
  const present: Readonly<Record<RetriedPart, boolean>> = {
    images: item.current && item.imageSet.images.some(({ state }) => state === 'failed'),
    publication: isPublicationGivenUp(item),
    price: isPriceGivenUp(item),
    enrichment: isUnanswered(item),
    wait: isWaiting(item) && !isDue(item, now),
  };
  const parts: readonly RetriedPart[] = ['images', 'publication', 'price', 'enrichment', 'wait'];
  return parts.filter((part) => present[part]);
}

const isPublicationGivenUp = (item: Item): boolean =>
  newestListing(item)?.state === 'failed' && !wantsPublication(item) && isPublishable(item) && !isUnwanted(item);

const nextPublication = (item: Item): number => (newestListing(item)?.publication ?? 0) + 1;

/** The item as it will be after the write. */
const oneRevisionOn = (item: Item): Item => ({ ...item, revision: item.revision + 1 });

/** The auction has other prices than the item, and only a further write would try them again. */
function isPriceGivenUp(item: Item): boolean {
  const newest = newestListing(item);
  if (newest?.state !== 'live' || isUnwanted(item) || newest.refusedRevision !== item.revision) return false;
  return needsPrice(oneRevisionOn(item), newest);
}

/** A language model or registry that did not answer is asked again with the next write. */
const isUnanswered = (item: Item): boolean =>
  !isUnwanted(item) && owedEnrichment(item).length === 0 && owedEnrichment(oneRevisionOn(item)).length > 0;

/** A wait for other images cannot be cut short: failed images are tried again instead. */
const isWaiting = ({ processing }: Pick<Item, 'processing'>): boolean =>
  processing.waitingFor !== null && processing.waitingFor !== 'images';

const isDue = ({ processing: { notBefore } }: Item, now: Date): boolean => notBefore === null || notBefore <= now;

/** The wait is due and will be checked anyway: a retry would add nothing. */
export const isDueAlready = (item: Item, now: Date): boolean => isWaiting(item) && isDue(item, now);

function processingAfter(item: Item, parts: readonly RetriedPart[], now: Date): Processing {
  const { processing } = item;
  if (parts.includes('publication')) return { ...idle(now), stage: 'publishing' };
  // The wait is cut short, not reset: `since` and `attempts` go on if the item has to wait again.
  if (parts.includes('wait')) return { ...processing, notBefore: now };
  if (isWaiting({ processing })) return processing;
  if (parts.includes('price')) return { ...idle(now), stage: 'pricing' };
  return processing.waitingFor === null ? processing : idle(now);
}
