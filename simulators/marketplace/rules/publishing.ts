import type { Listing, ListingFields, ListingRequest, SentImage } from '../records/model.ts';
import type { User } from '../records/user-book.ts';
import type { World } from '../records/world.ts';
import { badRequest, notFound } from '../wire/refusals.ts';
import { endAuction } from './bids.ts';
import { resultBits } from '../../../gateways/marketplace/v4-objects.ts';
import { describeBits, hasBit } from './result-codes.ts';

/** Results report a draft only after a while, and a request that is not processed yet only after a longer one. */
const draftGraceMs = 1000;
const waitingGraceMs = 10_000;
const dayMs = 24 * 3600 * 1000;

/** Every call makes another draft, because the marketplace has no key of idempotency. Its item's id is reserved. */
export function createDraft({ listings }: World, seller: User, draft: { fields: ListingFields; now: number }): Listing {
  const { fields, now } = draft;
  const ids = { itemId: listings.nextItemId(), requestId: listings.nextRequestId(), userId: seller.userId };
  const times = { createdAt: now, updatedAt: now, startedAt: null, endsAt: null, rowVersion: 0 };
  const state = 'uncommitted';
  const listing = listings.put({ ...fields, ...ids, ...times, state, images: [], bids: [], restartOf: null });
  listings.putRequest({ ...ids, committedAt: null, dueAt: null, result: null });
  return listing;
}

/** Only before the commit. */
export function addImage(world: World, request: ListingRequest, image: SentImage): void {
  const listing = draftOf(world, request);
  if (listing.state !== 'uncommitted') throw badRequest(`request ${request.requestId} has been committed`);
  world.listings.put({ ...listing, images: [...listing.images, image] });
}

/** A request may be committed again only after a result that says TryAgain; otherwise the switch says what comes. */
export function commitRequest(world: World, request: ListingRequest, now: number): void {
  const { requestId, committedAt, result } = request;
  const isOpen = committedAt === null || (result !== null && hasBit(result, 'TryAgain') && !hasBit(result, 'Ok'));
  if (!isOpen) {
    if (world.switches.is('secondCommit', '400')) throw badRequest(`request ${requestId} has been committed already`);
    return;
  }
  world.listings.put({ ...draftOf(world, request), state: 'waiting', updatedAt: now });
  world.listings.putRequest({ ...request, committedAt: now, dueAt: now + world.processingDelayMs, result: null });
}

export interface ResultRow {
  readonly requestId: number;
  readonly resultCode: number;
  readonly message: string | null;
}

/** There is no row for a request without a result, nor for another seller's. */
export function readResult({ listings }: World, request: ListingRequest, now: number): ResultRow | undefined {
  const { requestId, itemId, committedAt, result } = request;
  const createdAt = listings.listing(itemId)?.createdAt ?? now;
  const pending = committedAt === null ? resultBits.Uncommited : resultBits.WaitingToBeProcessed;
  const isOld = committedAt === null ? now - createdAt > draftGraceMs : now - committedAt > waitingGraceMs;
  const code = result ?? (isOld ? pending : undefined);
  if (code === undefined) return undefined;
  return { requestId, resultCode: code, message: code === resultBits.Ok ? null : describeBits(code) };
}

/** Another seller's request is as unknown as one that does not exist. */
export function sellersRequest({ listings }: World, seller: User, requestId: number): ListingRequest {
  const request = listings.request(requestId);
  if (request?.userId !== seller.userId) throw notFound(`request ${requestId}`);
  return request;
}

/** Lists an ended item again as a new one. Returns its listing, or why it can't be. */
export function restart(world: World, listing: Listing, now: number): Listing | string {
  const { listings, processingDelayMs } = world;
  if (listing.state === 'sold') return 'Item is sold';
  if (listing.state !== 'ended' && listing.state !== 'removed') return 'Item is not ended';
  const again = listings.ofUser(listing.userId).some(({ restartOf }) => restartOf === listing.itemId);
  if (again) return 'Item has already been restarted';
  const ids = { itemId: listings.nextItemId(), requestId: listings.nextRequestId() };
  const times = { createdAt: now, updatedAt: now, startedAt: null, endsAt: null, rowVersion: 0, customEndAt: null };
  const restarts = Math.max(0, listing.restarts - 1);
  const next = { ...listing, ...ids, ...times, bids: [], restarts, restartOf: listing.itemId };
  listings.putRequest({
    ...ids,
    userId: listing.userId,
    committedAt: now,
    dueAt: now + processingDelayMs,
    result: null,
  });
  return listings.put({ ...next, state: 'waiting' });
}

/**
 * Does everything that was due up to `now`, each at its own time and in order. It is called before every read, so that
 * callers see the same as if the work ran by itself.
 */
export function settle(world: World, now: number): void {
  for (let due = world.listings.takeDue(now); due !== undefined; due = world.listings.takeDue(now)) {
    if (due.kind === 'end') endAuction(world, due.listing, due.listing.endsAt ?? now);
    else processRequest(world, due.request);
  }
}

function processRequest(world: World, request: ListingRequest): void {
  const at = request.dueAt ?? 0;
  const result = publish(world, request, at);
  const stillWaits = hasBit(result, 'WaitingToBeProcessed') && !hasBit(result, 'Ok');
  const dueAt = stillWaits ? at + Math.max(world.processingDelayMs, 1) : null;
  world.listings.putRequest({ ...request, dueAt, result });
}

/** A picture that is not of the format its number says fails the whole request. */
function publish({ listings }: World, request: ListingRequest, at: number): number {
  const listing = listings.listing(request.itemId);
  if (listing?.state !== 'waiting') return resultBits.Error;
  const isReadable = listing.images.every((image) => image.isReadable);
  const code =
    listings.takeOutcome(listing.ownReferences) ?? (isReadable ? resultBits.Ok : resultBits.ImageProcessingError);
  if (hasBit(code, 'Ok')) listings.put({ ...wentUp(listing, at, code), rowVersion: listings.nextRowVersion() });
  else if (!hasBit(code, 'WaitingToBeProcessed')) listings.put({ ...listing, state: 'uncommitted', updatedAt: at });
  return code;
}

/** Ok with ImageProcessingError: it is up without its pictures. */
function wentUp(listing: Listing, at: number, code: number): Listing {
  const images = hasBit(code, 'ImageProcessingError') ? [] : listing.images;
  return { ...listing, images, state: 'active', startedAt: at, updatedAt: at, endsAt: plannedEnd(listing, at) };
}

export const plannedEnd = ({ customEndAt, durationDays }: Listing, from: number): number =>
  customEndAt ?? from + durationDays * dayMs;

function draftOf({ listings }: World, { itemId, requestId }: ListingRequest): Listing {
  const listing = listings.listing(itemId);
  if (listing === undefined) throw notFound(`request ${requestId}`);
  return listing;
}
