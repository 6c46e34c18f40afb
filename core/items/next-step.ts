import { allImagesFailed, hasPendingImages, wantsPublication } from './image-set.ts';
import { newestListing, type Item } from './item.ts';

/** What an item's workflow does next. Short steps are database writes; the others are activities of their own. */
export type NextStep =
  | { readonly kind: 'store-outbox' }
  | { readonly kind: 'process-images' }
  | { readonly kind: 'announce-images' }
  | { readonly kind: 'open-listing' }
  | { readonly kind: 'prepare-listing'; readonly publication: number }
  | { readonly kind: 'go-live'; readonly publication: number }
  | { readonly kind: 'wait'; readonly waitingFor: string; readonly until: Date }
  | { readonly kind: 'settle' };

/**
 * Compares what is wanted with what is and names the first difference (level-triggered: it depends on the document alone, so
 * it doesn't matter how often it is asked or which nudges were lost). Events go first, because partners wait for them.
 */
export function nextStep(item: Item, now: Date): NextStep {
  if (item.outbox.length > 0 || item.pendingOrders.length > 0) return { kind: 'store-outbox' };
  if (hasPendingImages(item)) return { kind: 'process-images' };
  if (!item.imageSet.announced) return { kind: 'announce-images' };
  return publicationStep(item, now);
}

function publicationStep(item: Item, now: Date): NextStep {
  const newest = newestListing(item);
  if (newest !== undefined && ['drafting', 'prepared', 'committing'].includes(newest.state)) {
    const { notBefore, waitingFor } = item.processing;
    if (notBefore !== null && notBefore > now)
      return { kind: 'wait', waitingFor: waitingFor ?? 'marketplace', until: notBefore };
    if (newest.state === 'drafting') return { kind: 'prepare-listing', publication: newest.publication };
    return { kind: 'go-live', publication: newest.publication };
  }
  const canPublish = item.current && item.serviceStatus === 'active' && !allImagesFailed(item);
  return canPublish && wantsPublication(item) ? { kind: 'open-listing' } : { kind: 'settle' };
}
