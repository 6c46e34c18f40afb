import { idle } from '../../items/rules/owed-work.ts';
import { isUnwanted, type Item } from '../../items/rules/item.ts';
import { theService } from '../../items/rules/journal.ts';
import { note } from '../../items/rules/note.ts';
import { isReplacing, tellEnded } from './auction-end.ts';
import { changeNewestListing, listingIn, restingStatus, statusWhileUp, withNewestListing } from './publication.ts';
import { emitFailure, withFailure } from './listing-failure.ts';

const comingDown = ['live', 'leaving', 'drafting', 'prepared'] as const;

/**
 * The auction was removed, or the draft that a lost commit might have put up. No event (interface-decisions "Events"), unless it makes
 * room for the same item with its changes.
 */
export function recordTakenDown(item: Item, publication: number, now: Date): Item {
  const listing = listingIn(item, publication, comingDown);
  if (listing === undefined) return item;
  const wasLive = listing.state === 'live' || listing.state === 'leaving';
  const down = changeNewestListing(item, { state: wasLive ? 'removed' : 'cancelled', mayBeCommitted: false });
  const noted = note(
    {
      ...down,
      // The owner asked for publication while the marketplace was removing it: the item goes up once more.
      wantedPublication: isUnwanted(item) ? item.wantedPublication : Math.max(item.wantedPublication, publication + 1),
      marketplaceStatus: restingStatus(down),
      processing: { ...idle(now), stage: 'removed' },
      updatedAt: now,
    },
    { at: now, kind: 'taken_down', details: { adId: null }, actor: theService },
  );
  return isReplacing(item, listing) ? tellEnded(noted, listing, now) : noted;
}

/**
 * Bids forbid the take-down: the caller's status or delete stands, the auction runs to its end, and a winner still gives an order
 * (protocol 7). If the owner asked for publication meanwhile, the auction simply stays up.
 */
export function recordTakeDownRefused(item: Item, publication: number, now: Date): Item {
  const listing = listingIn(item, publication, comingDown);
  if (listing === undefined) return item;
  // A commit that was believed lost did arrive: it is followed first, so that the partner gets listing.created.
  if (listing.state === 'drafting' || listing.state === 'prepared')
    return { ...changeNewestListing(item, { state: 'committing' }), updatedAt: now };
  const { isReplaced = false, ...kept } = listing;
  const held = withNewestListing(item, { ...kept, state: 'live', hasBids: true });
  if (!isUnwanted(item)) {
    const stays: Item = {
      ...held,
      wantedPublication: publication,
      marketplaceStatus: item.marketplaceStatus === 'sold' ? statusWhileUp(item) : item.marketplaceStatus,
      processing: { ...idle(now), stage: 'published' },
      updatedAt: now,
    };
    const message = 'the auction has bids, so it is not replaced; the changes are kept for the next one';
    const refused = { cause: 'REPLACE_REFUSED_BIDS', message, refusedRevision: item.revision };
    return isReplaced ? emitFailure(stays, refused, now) : stays;
  }
  const isSold = item.openOrderIds.length > 0;
  const message = `the auction has bids and runs to its end${isSold ? '; a winner gives a second order of the item that was sold' : ''}`;
  return withFailure(held, { cause: 'TAKEDOWN_REFUSED_BIDS', message }, { now, work: 'take-down' });
}
