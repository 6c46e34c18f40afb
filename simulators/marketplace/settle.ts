import { endAuction } from './auction.ts';
import type { ListingBook } from './listing-book.ts';
import type { Listing, ListingRequest, Revision } from './model.ts';
import { describeBits, hasBit, resultBits } from './result-codes.ts';

const dayMs = 24 * 3600 * 1000;

/**
 * Does everything that was due up to `now`, each at its own time and in order. It is called before every read of the
 * book, so that callers see the same as if the work ran by itself.
 */
export function settle(book: ListingBook, now: number, processingDelayMs: number): void {
  for (let due = book.takeDue(now); due !== undefined; due = book.takeDue(now)) {
    if (due.kind === 'end') endAuction(book, due.listing, due.listing.endsAt ?? now);
    else processRequest(book, due.request, processingDelayMs);
  }
}

function processRequest(book: ListingBook, request: ListingRequest, processingDelayMs: number): void {
  const at = request.dueAt ?? 0;
  const code = request.work.kind === 'create' ? publish(book, request.work.itemId, at) : revise(book, request.work, at);
  const stillWaits = hasBit(code, 'WaitingToBeProcessed') && !hasBit(code, 'Ok');
  const result = { code, message: describeBits(code) };
  book.putRequest({ ...request, dueAt: stillWaits ? at + Math.max(processingDelayMs, 1) : null, result });
}

function publish(book: ListingBook, itemId: number, at: number): number {
  const listing = book.listing(itemId);
  if (listing?.state !== 'waiting') return resultBits.Error;
  const code = book.takeOutcome(listing.ownReferences) ?? resultBits.Ok;
  if (hasBit(code, 'Ok')) book.put({ ...listing, state: 'active', endsAt: endOf(listing, at), updatedAt: at });
  else if (!hasBit(code, 'WaitingToBeProcessed')) book.put({ ...listing, state: 'uncommitted', updatedAt: at });
  return code;
}

const endOf = ({ customEndAt, durationDays }: Listing, at: number): number => customEndAt ?? at + durationDays * dayMs;

type RevisionWork = Extract<ListingRequest['work'], { kind: 'revise' }>;

/**
 * Applies the allowed changes, and reports UpdateNotAllowed when one was not allowed. A scripted outcome overrides
 * this.
 */
function revise(book: ListingBook, { changes, images }: RevisionWork, at: number): number {
  const outcomes = changes.map(({ itemId, fields }) => {
    const listing = book.listing(itemId);
    if (listing?.state !== 'active') return resultBits.Error;
    const scripted = book.takeOutcome(listing.ownReferences);
    if (scripted !== undefined && !hasBit(scripted, 'Ok')) return scripted;
    if (listing.bids.length > 0) return resultBits.UpdateNotAllowed;
    book.put({ ...revised(listing, { itemId, fields }, at), images: images ?? listing.images });
    return resultBits.Ok;
  });
  const failures = outcomes.filter((code) => code !== resultBits.Ok);
  return failures.length === 0 ? resultBits.Ok : failures.reduce((bits, code) => bits | code, 0);
}

/** The end of a running auction stays unchanged. */
function revised(listing: Listing, { fields }: Revision, at: number): Listing {
  return { ...listing, ...fields, durationDays: listing.durationDays, updatedAt: at };
}
