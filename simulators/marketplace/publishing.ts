import { Refusal } from '../kit/fields.ts';
import type { ListingBook } from './listing-book.ts';
import type { Listing, ListingFields, ListingRequest, Revision } from './model.ts';
import { describeBits, hasBit, resultBits } from './result-codes.ts';

/** The caller and the time; `processingDelayMs` is how long the marketplace takes to process a request. */
export interface SellerCall {
  readonly userId: string;
  readonly now: number;
  readonly processingDelayMs: number;
}

/** Results report a draft only after a while, and a request that is not processed yet only after a longer one. */
const draftGraceMs = 1000;
const waitingGraceMs = 10_000;

/** Every call creates another draft, because the real marketplace has no idempotency key either. */
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

/** Images of a draft are attached at once; those of a revision wait in the request until its result is Ok. */
export function addImage(book: ListingBook, call: SellerCall, image: { requestId: number; name: string }): void {
  const request = sellersRequest(book, call, image.requestId);
  const { work } = request;
  if (work.kind === 'revise') {
    if (request.committedAt !== null) throw alreadyCommitted(image.requestId);
    return book.putRequest({ ...request, work: { ...work, images: [...(work.images ?? []), image.name] } });
  }
  const listing = draftOf(book, request);
  if (listing.state !== 'uncommitted') throw alreadyCommitted(image.requestId);
  book.put({ ...listing, images: [...listing.images, image.name], updatedAt: call.now });
}

/** A request, a draft's or a revision's, may be committed again only after a result that says TryAgain. */
export function commitRequest(book: ListingBook, call: SellerCall, requestId: number): void {
  const request = sellersRequest(book, call, requestId);
  const { committedAt, result, work } = request;
  const draft = work.kind === 'create' ? draftOf(book, request) : undefined;
  const isInWork = draft === undefined ? committedAt !== null && result === null : draft.state !== 'uncommitted';
  const isFinal = result !== null && !hasBit(result.code, 'TryAgain');
  if (isInWork || isFinal) throw alreadyCommitted(requestId);
  if (draft !== undefined) book.put({ ...draft, state: 'waiting', updatedAt: call.now });
  book.putRequest({ ...request, committedAt: call.now, dueAt: call.now + call.processingDelayMs, result: null });
}

export interface RevisionWish {
  readonly changes: readonly Revision[];
  /** false: it takes effect with a commit, so that images can be added before. */
  readonly autoCommit: boolean;
}

/** One request for all revisions; whether they are allowed is decided when the request is processed. */
export function requestRevision(book: ListingBook, call: SellerCall, { changes, autoCommit }: RevisionWish): number {
  for (const { itemId } of changes) requireActive(sellersListing(book, call, itemId));
  const requestId = book.nextRequestId();
  const { userId, now } = call;
  book.putRequest({
    requestId,
    userId,
    work: { kind: 'revise', changes },
    createdAt: now,
    committedAt: autoCommit ? now : null,
    dueAt: autoCommit ? now + call.processingDelayMs : null,
    result: null,
  });
  return requestId;
}

export interface ResultRow {
  readonly requestId: number;
  readonly resultCode: number;
  readonly message: string;
}

/** No row for a request without a result, which surprises callers of the real marketplace, too. */
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
  if (listing?.state === 'removed') return resultBits.Error;
  const createdAt = listing?.createdAt ?? request.createdAt;
  return createdAt !== undefined && now - createdAt > draftGraceMs ? resultBits.Uncommited : undefined;
}

function sellersRequest(book: ListingBook, call: SellerCall, requestId: number): ListingRequest {
  const request = book.request(requestId);
  if (request === undefined || request.userId !== call.userId) throw unknownRequest(requestId);
  return request;
}

/** When a seller has removed a draft, its request is gone, too. */
function draftOf(book: ListingBook, { requestId, work }: ListingRequest): Listing {
  const listing = work.kind === 'create' ? book.listing(work.itemId) : undefined;
  if (listing === undefined || listing.state === 'removed') throw unknownRequest(requestId);
  return listing;
}

/** Another seller's listing is as unknown as one that does not exist. */
export function sellersListing(book: ListingBook, call: SellerCall, itemId: number): Listing {
  const listing = book.listing(itemId);
  if (listing === undefined || listing.userId !== call.userId)
    throw new Refusal(404, 'ItemNotFound', `there is no item ${itemId}`);
  return listing;
}

/** Throws a 409 unless the auction runs. */
export function requireActive(listing: Listing): void {
  if (listing.state === 'active') return;
  if (listing.state === 'uncommitted' || listing.state === 'waiting')
    throw new Refusal(409, 'ItemNotYetActive', `item ${listing.itemId} is not active yet`);
  throw new Refusal(404, 'ItemNotActive', `item ${listing.itemId} is not active any more`);
}

const unknownRequest = (requestId: number): Refusal =>
  new Refusal(404, 'RequestNotFound', `there is no request ${requestId}`);

function alreadyCommitted(requestId: number): Refusal {
  return new Refusal(409, 'AlreadyCommitted', `request ${requestId} has been committed already`);
}
