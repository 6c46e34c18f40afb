import { isFreshDraft } from '../../listings/rules/publication.ts';
import { isUnconfirmed, needsPrice } from '../../listings/rules/price.ts';
import { owedEnrichment } from './enrich-item.ts';
import { allImagesFailed, hasPendingImages } from '../../images/rules/image-set.ts';
import type { WaitingFor } from './processing.ts';
import { isUnwanted, newestListing, wantsPublication, type Item, type Listing, type ListingState } from './item.ts';

/** The next step of an item. Short steps are taken by the write that is about to be stored; the others are a workflow's. */
export type NextStep =
  | { readonly kind: 'process-images' }
  | { readonly kind: 'announce-images' }
  | { readonly kind: 'enrich' }
  | { readonly kind: 'open-listing' }
  | { readonly kind: 'redraft' }
  | { readonly kind: 'call-off' }
  | { readonly kind: 'confirm-shown' }
  | { readonly kind: 'prepare-listing'; readonly publication: number }
  | { readonly kind: 'go-live'; readonly publication: number }
  | { readonly kind: 'send-price'; readonly publication: number }
  | { readonly kind: 'take-down'; readonly publication: number }
  | { readonly kind: 'wait'; readonly waitingFor: WaitingFor; readonly until: Date }
  | { readonly kind: 'settle' };

/**
 * Compares the wanted state with the actual state and names the first difference. It is level-triggered: it depends on the
 * document alone, so repeated calls and lost signals do no harm.
 */
export function nextStep(item: Item, now: Date): NextStep {
  // First, because a take-down must not wait for images that no buyer will see.
  if (isUnwanted(item)) return unwantedStep(item, now);
  if (hasPendingImages(item)) return { kind: 'process-images' };
  if (!item.imageSet.announced) return { kind: 'announce-images' };
  if (owedEnrichment(item).length > 0) return { kind: 'enrich' };
  return wantedStep(item, now);
}

type StepOf = (item: Item, listing: Listing, now: Date) => NextStep;

// Both tables give the step for the state of the newest listing. A missing state needs no call to the marketplace.

/** No auction may stay up. A commit that may have succeeded is followed to its outcome first; then the auction comes down. */
const unwantedSteps: Partial<Record<ListingState, StepOf>> = {
  committing: (item, { publication }, now) => later(item, now) ?? { kind: 'go-live', publication },
  live: takeDownStep,
  leaving: takeDownStep,
  drafting: draftLeftStep,
  prepared: draftLeftStep,
};

/** The wanted auction is put up, and then has the item's prices. */
const wantedSteps: Partial<Record<ListingState, StepOf>> = {
  // It may be up already, so the commit is followed until its outcome is known, whatever the item's state.
  committing: (item, { publication }, now) => later(item, now) ?? { kind: 'go-live', publication },
  leaving: takeDownStep,
  live: liveStep,
  drafting: draftStep,
  prepared: draftStep,
};

function unwantedStep(item: Item, now: Date): NextStep {
  const newest = newestListing(item);
  const step = newest === undefined ? undefined : unwantedSteps[newest.state]?.(item, newest, now);
  return step ?? restingStep(item);
}

function wantedStep(item: Item, now: Date): NextStep {
  const newest = newestListing(item);
  const step = newest === undefined ? undefined : wantedSteps[newest.state]?.(item, newest, now);
  return step ?? openingStep(item, now);
}

const openingStep = (item: Item, now: Date): NextStep =>
  wantsPublication(item) && canPublish(item) ? (later(item, now) ?? { kind: 'open-listing' }) : { kind: 'settle' };

/** Images of an item that is off the service are still processed, so that they are ready when it comes back. */
function restingStep(item: Item): NextStep {
  if (!item.current) return { kind: 'settle' };
  if (hasPendingImages(item)) return { kind: 'process-images' };
  if (!item.imageSet.announced) return { kind: 'announce-images' };
  return { kind: 'settle' };
}

function takeDownStep(item: Item, { publication }: Listing, now: Date): NextStep {
  return later(item, now) ?? { kind: 'take-down', publication };
}

/** A lost commit may still put the draft up: such a draft is taken down like an auction. */
function draftLeftStep(item: Item, listing: Listing, now: Date): NextStep {
  return listing.mayBeCommitted ? takeDownStep(item, listing, now) : { kind: 'call-off' };
}

const canPublish = (item: Item): boolean => item.serviceStatus === 'active' && !allImagesFailed(item);

/** A running auction takes prices alone, unless the marketplace refused them; everything else waits for the next one. */
function liveStep(item: Item, listing: Listing, now: Date): NextStep {
  if (isUnconfirmed(item, listing)) return { kind: 'confirm-shown' };
  if (!needsPrice(item, listing)) return { kind: 'settle' };
  return later(item, now) ?? { kind: 'send-price', publication: listing.publication };
}

/** Nothing is for sale yet, so the item goes up in its present state, never from an older draft. */
function draftStep(item: Item, listing: Listing, now: Date): NextStep {
  // Without images nothing is published, but a commit that may have succeeded is followed.
  if (!canPublish(item) && !listing.mayBeCommitted) return { kind: 'settle' };
  const wait = later(item, now);
  if (wait !== null) return wait;
  if (listing.state === 'drafting') return { kind: 'prepare-listing', publication: listing.publication };
  // A lost commit may still arrive: this request is then the auction, and later changes wait for the next.
  return isFreshDraft(item, listing) || listing.mayBeCommitted
    ? { kind: 'go-live', publication: listing.publication }
    : { kind: 'redraft' };
}

function later({ processing }: Item, now: Date): NextStep | null {
  const { notBefore, waitingFor } = processing;
  if (notBefore === null || notBefore <= now) return null;
  return { kind: 'wait', waitingFor: waitingFor ?? 'marketplace', until: notBefore };
}
