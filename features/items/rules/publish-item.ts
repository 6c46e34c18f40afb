import { acceptWrite, idle } from './owed-work.ts';
import { hostedImages, nextImageSet } from '../../images/rules/image-set.ts';
import {
  hasKnownBids,
  isUnwanted,
  newestListing,
  notRelisted,
  wantsPublication,
  type Item,
  type Listing,
} from './item.ts';
import type { Actor } from './journal.ts';
import { note } from './note.ts';
import type { Processing } from './processing.ts';
import { marketplaceStatusAfter, serviceStatusAfter } from './transitions.ts';
import { pendingChanges } from '../../listings/rules/pending-changes.ts';
import { changeNewestListing } from '../../listings/rules/publication.ts';

/**
 * Ended for good, so that only another publication puts the item up again. A `leaving` listing ends before the next one
 * begins.
 */
const isOver = ({ state }: Listing): boolean =>
  state !== 'drafting' && state !== 'prepared' && state !== 'committing' && state !== 'live';

/** An item with several pieces can be published while one of them is in an order. */
export const isPublishable = ({ current, serviceStatus, openOrderIds, quantityLeft }: Item): boolean =>
  current &&
  serviceStatus !== 'sold' &&
  serviceStatus !== 'archived' &&
  (quantityLeft === null ? openOrderIds.length === 0 : quantityLeft > 0);

/**
 * `publish`: the first publication, the next one after an end, a take-down or a failure, or a retry of a refused change.
 * Returns the item unchanged when it is up, or on its way there without a problem (protocol 2, interface-decisions "Items").
 * Call {@link isPublishable} first.
 */
export function publishItem(item: Item, { now, actor }: { now: Date; actor: Actor }): Item {
  const newest = newestListing(item);
  const wantedPublication = publicationAskedFor(item, newest);
  const serviceStatus = statusWhenAsked(item);
  // Images that failed are tried again: without them a publication can't happen or would miss some.
  const imageSet = nextImageSet(item.imageSet, item.content.imageUrls);
  const isStuck = item.processing.waitingFor !== null || newest?.refusedRevision === item.revision;
  const isSame =
    wantedPublication === item.wantedPublication && serviceStatus === item.serviceStatus && imageSet === item.imageSet;
  if (isSame && !isStuck) return item;
  const processing: Processing = { ...idle(now), stage: 'publishing' };
  const marketplaceStatus = statusOnSale(item, newest);
  const relisted = wantedPublication === item.wantedPublication ? item.relisted : notRelisted;
  const changed: Item = {
    ...item,
    serviceStatus,
    marketplaceStatus,
    wantedPublication,
    relisted,
    imageSet,
    processing,
  };
  return note(acceptWrite(changed, now), {
    at: now,
    kind: 'publish_requested',
    details: {},
    actor,
  });
}

/** Why the running auction can't be replaced by one with the item's changes. */
export type WhyNotReplaced = 'bids' | 'on_its_way';

/**
 * `publish?replaceRunning=true`: the running auction comes down, and the item goes up again with the changes that wait for that. null
 * when the auction shows the item as it is, or none runs: then it is a plain `publish`.
 */
export function whyNotReplaced(item: Item): WhyNotReplaced | null {
  const newest = newestListing(item);
  if (newest === undefined || !needsReplacing(item)) return null;
  if (newest.state !== 'live' && newest.state !== 'leaving') return 'on_its_way';
  return hasKnownBids(newest) ? 'bids' : null;
}

const needsReplacing = (item: Item): boolean => pendingChanges(item).length > 0 && !isUnwanted(item);

/** Call {@link isPublishable} and {@link whyNotReplaced} first. */
export function replaceRunning(item: Item, { now, actor }: { now: Date; actor: Actor }): Item {
  const newest = newestListing(item);
  if (newest?.state !== 'live' || !needsReplacing(item)) return publishItem(item, { now, actor });
  const leaving = changeNewestListing(item, { state: 'leaving', isReplaced: true });
  const asked = { ...leaving, wantedPublication: newest.publication + 1, processing: idle(now) };
  return note(acceptWrite(asked, now), { at: now, kind: 'publish_requested', details: {}, actor });
}

/** An item that never had a hosted image waits for one, like any draft. */
function statusWhenAsked(item: Item): Item['serviceStatus'] {
  if (item.serviceStatus === 'draft') return item.serviceStatus;
  const trigger = isUnready(item) && item.serviceStatus === 'not_listed' ? 'publishUnready' : 'publish';
  return serviceStatusAfter(trigger, item.serviceStatus);
}

/** Whether the item has images and none of them is hosted. */
export const isUnready = (item: Item): boolean => item.imageSet.images.length > 0 && hostedImages(item).length === 0;

/** The number of the publication that `publish` asks for. */
export function publicationAskedFor(item: Item, newest: Listing | undefined): number {
  if (newest === undefined) return 1;
  return !wantsPublication(item) && isOver(newest) ? newest.publication + 1 : item.wantedPublication;
}

/**
 * The status of an item that is on sale again. When bids have kept an auction up after a late sale of an older one, the
 * item is `active`.
 */
export const statusOnSale = ({ marketplaceStatus }: Item, newest: Listing | undefined): Item['marketplaceStatus'] =>
  newest?.state === 'live' && marketplaceStatus === 'sold'
    ? marketplaceStatusAfter('live', marketplaceStatus)
    : marketplaceStatus;
