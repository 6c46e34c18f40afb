import { Refusal } from '../kit/refusal.ts';
import type { ListingBook } from './listing-book.ts';
import type { Listing, ListingFields, ListingRequest, Revision } from './model.ts';
import { describeBits, hasBit, resultBits } from './result-codes.ts';

/** Who calls and when; `processingDelayMs` is how long the marketplace thinks about a request. */
export interface SellerCall {
  readonly userId: string;
  readonly now: number;
  readonly processingDelayMs: number;
}

/** A draft is called that only after a while, and a request that nobody has looked at yet only after a longer one. */
const draftGraceMs = 1000;
const waitingGraceMs = 10_000;

/** Every call makes another draft: the real one has no idempotency key either. */
export function createDraft(book: ListingBook, call: SellerCall, fields: ListingFields): Listing {
  const { userId, now } = call;
  const requestId = book.nextRequestId();
  const itemId = book.nextItemId();
  const times = { createdAt: now, updatedAt: now, endsAt: null };
  const listing = book.put({
    ...fields,
    itemId,
    requestId,
    userId,
    images: [],
    bids: [],
    state: 'uncommitted',
    ...times,
  });
  book.putRequest({
    requestId,
    userId,
    work: { kind: 'create', itemId },
    committedAt: null,
    dueAt: null,
    result: null,
  });
  return listing;
}

export function addImage(book: ListingBook, call: SellerCall, image: { requestId: number; name: string }): void {
  const { listing } = draftOf(book, call, image.requestId);
  if (listing.state !== 'uncommitted') throw alreadyCommitted(image.requestId);
  book.put({ ...listing, images: [...listing.images, image.name], updatedAt: call.now });
}

/** A request may be committed again only after a result that says TryAgain. */
export function commitDraft(book: ListingBook, call: SellerCall, requestId: number): void {
  const { listing, request } = draftOf(book, call, requestId);
  if (listing.state !== 'uncommitted') throw alreadyCommitted(requestId);
  if (request.result !== null && !hasBit(request.result.code, 'TryAgain')) throw alreadyCommitted(requestId);
  book.put({ ...listing, state: 'waiting', updatedAt: call.now });
  book.putRequest({ ...request, committedAt: call.now, dueAt: call.now + call.processingDelayMs, result: null });
}

/** One request for all revisions; whether they are allowed is decided when it is processed. */
export function requestRevision(book: ListingBook, call: SellerCall, changes: readonly Revision[]): number {
  for (const { itemId } of changes) requireActive(sellersListing(book, call, itemId));
  const requestId = book.nextRequestId();
  const { userId, now } = call;
  book.putRequest({
    requestId,
    userId,
    work: { kind: 'revise', changes },
    committedAt: now,
    dueAt: now + call.processingDelayMs,
    result: null,
  });
  return requestId;
}

export interface ResultRow {
  readonly requestId: number;
  readonly resultCode: number;
  readonly message: string;
}

/** No row at all until there is something to say, which is what callers of the real one stumble over. */
export function readResults(book: ListingBook, call: SellerCall, requestIds: readonly number[]): ResultRow[] {
  return requestIds.flatMap((requestId) => {
    const request = book.request(requestId);
    if (request === undefined || request.userId !== call.userId) return [];
    const code = request.result?.code ?? pendingCode(book, request, call.now);
    return code === undefined
      ? []
      : [{ requestId, resultCode: code, message: request.result?.message ?? describeBits(code) }];
  });
}

function pendingCode(book: ListingBook, request: ListingRequest, now: number): number | undefined {
  if (request.committedAt !== null)
    return now - request.committedAt > waitingGraceMs ? resultBits.WaitingToBeProcessed : undefined;
  const listing = request.work.kind === 'create' ? book.listing(request.work.itemId) : undefined;
  return listing !== undefined && now - listing.createdAt > draftGraceMs ? resultBits.Uncommited : undefined;
}

function draftOf(
  book: ListingBook,
  call: SellerCall,
  requestId: number,
): { listing: Listing; request: ListingRequest } {
  const request = book.request(requestId);
  const listing = request?.work.kind === 'create' ? book.listing(request.work.itemId) : undefined;
  if (request === undefined || listing === undefined || request.userId !== call.userId || listing.state === 'removed')
    throw new Refusal(404, 'RequestNotFound', `there is no request ${requestId}`);
  return { listing, request };
}

/** Another seller's listing is as unknown as one that does not exist. */
export function sellersListing(book: ListingBook, call: SellerCall, itemId: number): Listing {
  const listing = book.listing(itemId);
  if (listing === undefined || listing.userId !== call.userId)
    throw new Refusal(404, 'ItemNotFound', `there is no item ${itemId}`);
  return listing;
}

export function requireActive(listing: Listing): void {
  if (listing.state === 'active') return;
  if (listing.state === 'uncommitted' || listing.state === 'waiting')
    throw new Refusal(409, 'ItemNotYetActive', `item ${listing.itemId} is not active yet`);
  throw new Refusal(404, 'ItemNotActive', `item ${listing.itemId} is not active any more`);
}

function alreadyCommitted(requestId: number): Refusal {
  return new Refusal(409, 'AlreadyCommitted', `request ${requestId} has been committed already`);
}
