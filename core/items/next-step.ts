import { allImagesFailed, hasPendingImages, wantsPublication } from './image-set.ts';
import { newestListing, type Item, type Listing } from './item.ts';

/** What an item's workflow does next. Short steps are database writes; the others are activities of their own. */
export type NextStep =
  | { readonly kind: 'store-outbox' }
  | { readonly kind: 'process-images' }
  | { readonly kind: 'announce-images' }
  | { readonly kind: 'open-listing' }
  | { readonly kind: 'redraft' }
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
  if (newest?.state === 'committing') {
    // It may be up already: this is followed to its end whatever has become of the item.
    return later(item, now) ?? { kind: 'go-live', publication: newest.publication };
  }
  if (!canPublish(item)) return { kind: 'settle' };
  if (newest?.state === 'drafting' || newest?.state === 'prepared') return draftStep(item, newest, now);
  return wantsPublication(item) ? { kind: 'open-listing' } : { kind: 'settle' };
}

const canPublish = (item: Item): boolean => item.current && item.serviceStatus === 'active' && !allImagesFailed(item);

/** Nothing is for sale yet, so what goes up is the item as it is now, never an older draft of it. */
function draftStep(item: Item, listing: Listing, now: Date): NextStep {
  const wait = later(item, now);
  if (wait !== null) return wait;
  if (listing.state === 'drafting') return { kind: 'prepare-listing', publication: listing.publication };
  const isFresh = listing.draftedRevision === item.revision;
  // A commit that got lost may still arrive: then this request is the one, and what changed since is a revision.
  return isFresh || listing.mayBeCommitted
    ? { kind: 'go-live', publication: listing.publication }
    : { kind: 'redraft' };
}

function later({ processing }: Item, now: Date): NextStep | null {
  const { notBefore, waitingFor } = processing;
  if (notBefore === null || notBefore <= now) return null;
  return { kind: 'wait', waitingFor: waitingFor ?? 'marketplace', until: notBefore };
}
