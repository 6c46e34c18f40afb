import { isUnwanted, type Item, type Listing } from '../items/rules/item.ts';
import { auctionEnd, recordAuctionEnded } from './rules/auction-end.ts';
import { changeNewestListing, listingIn } from './rules/publication.ts';
import { recordTakeDownRefused, recordTakenDown } from './rules/delist.ts';
import type { Auction, RemovalOutcome, Seller } from '../../gateways/marketplace/port.ts';
import { rewriteItem } from '../items/write-item.ts';
import { recordFailure, recordTrouble, type ListingDependencies, type Publication } from './prepare-listing.ts';
import { missingSeller } from './seller-access.ts';

interface Leaving {
  readonly item: Item;
  readonly listing: Listing;
}

/**
 * Takes down an auction that is no longer wanted, or a draft that a commit under way could still put up. Only the marketplace's yes, or
 * the auction itself, says that it is down.
 */
export async function takeDown(
  dependencies: ListingDependencies,
  { accountId, itemId, publication }: Publication,
): Promise<void> {
  const item = await dependencies.items.findById({ accountId, id: itemId });
  const listing = item === null ? undefined : listingIn(item, publication, ['live', 'leaving', 'drafting', 'prepared']);
  if (item === null || listing === undefined || !(listing.state === 'leaving' || isUnwanted(item))) return;
  const lookup = await dependencies.sellers.find(item.accountId);
  if (lookup.kind !== 'connected') {
    return recordFailure(dependencies, item, { work: 'take-down', failure: missingSeller(lookup) });
  }
  try {
    await remove(dependencies, lookup.seller, { item, listing });
  } catch (error) {
    await recordTrouble(dependencies, item, { work: 'take-down', connected: lookup, error });
  }
}

async function remove(dependencies: ListingDependencies, seller: Seller, of: Leaving): Promise<void> {
  const { items, marketplace, now } = dependencies;
  const { item, listing } = of;
  const { publication, adId } = listing;
  const change = (apply: (current: Item) => Item): Promise<unknown> => rewriteItem(items, item, apply);
  // Without an ad id there never was a draft that could have been committed.
  const outcome: RemovalOutcome = adId === null ? { kind: 'removed' } : await marketplace.remove(seller, adId);
  switch (outcome.kind) {
    case 'removed':
      await change((current) => recordTakenDown(current, publication, now()));
      return;
    case 'has_bids':
      await change((current) => recordTakeDownRefused(current, publication, now()));
      return;
    case 'over':
      return recordOver(dependencies, of, outcome.auction);
    case 'gone':
    case 'refused':
      return isDraft(listing)
        ? recordDraftLeft(dependencies, seller, of)
        : recordRefused(dependencies, of, outcome.kind);
  }
}

/**
 * It is over: by an earlier call of ours whose answer was lost, or because its time was over. Where it may have a winner, the look at the
 * seller decides, which reads the sales.
 */
async function recordOver(dependencies: ListingDependencies, { item, listing }: Leaving, over: Auction): Promise<void> {
  const { items, now } = dependencies;
  const { publication } = listing;
  // A commit that was believed lost did arrive: it is followed first, so that the partner gets listing.created.
  if (isDraft(listing)) {
    await rewriteItem(items, item, (current) => asCommitted(current, publication));
    return;
  }
  const end = auctionEnd(listing, over, now());
  if (end === 'ended_early' || end === 'ended') {
    await rewriteItem(items, item, (current) =>
      end === 'ended' ? recordAuctionEnded(current, over, now()) : recordTakenDown(current, publication, now()),
    );
    return;
  }
  const message = 'the auction is over; how it ended is being read';
  await recordFailure(dependencies, item, { work: 'take-down', failure: { cause: 'AUCTION_OVER', message } });
}

const refusals = {
  gone: 'the marketplace has no such auction of the connected user',
  refused: 'the marketplace leaves the auction up and names no cause',
} as const;

const recordRefused = (
  dependencies: ListingDependencies,
  { item }: Leaving,
  kind: keyof typeof refusals,
): Promise<void> =>
  recordFailure(dependencies, item, {
    work: 'take-down',
    failure: { cause: 'TAKEDOWN_REFUSED', message: refusals[kind] },
  });

const isDraft = ({ state }: Listing): boolean => state === 'drafting' || state === 'prepared';

/** No commit is on its way for longer. */
const arrivesWithinMs = 3_600_000;

/**
 * A draft whose commit may have arrived: it is followed first when its request may be up. It is left behind when it is not, and when no
 * commit can arrive any more; until then no other auction of the item goes up.
 */
async function recordDraftLeft(dependencies: ListingDependencies, seller: Seller, of: Leaving): Promise<void> {
  const { items, marketplace, now } = dependencies;
  const { publication, requestId, committedAt } = of.listing;
  // Before the call: a process that is paused after it must not take an old answer for a late one.
  const askedAt = now();
  const result = requestId === null ? null : await marketplace.readResult(seller, requestId);
  const mayGoUp = result !== null && ['ok', 'waiting', 'none'].includes(result.kind);
  const isOpen = result?.kind === 'uncommitted' || result?.kind === 'try_again';
  const isEarly = committedAt !== null && askedAt.getTime() - committedAt.getTime() < arrivesWithinMs;
  if (isOpen && isEarly) {
    const message =
      'a call to put the auction up was lost and may still arrive; nothing else is put up until it can not';
    const failure = { cause: 'MARKETPLACE_TIMEOUT', message, retryAfterMs: 5 * 60_000 } as const;
    return recordFailure(dependencies, of.item, { work: 'take-down', failure });
  }
  await rewriteItem(items, of.item, (current) =>
    mayGoUp ? asCommitted(current, publication) : recordTakenDown(current, publication, now()),
  );
}

/** A draft whose commit was believed lost was up after all, or may be. */
const asCommitted = (item: Item, publication: number): Item =>
  listingIn(item, publication, ['drafting', 'prepared']) === undefined
    ? item
    : changeNewestListing(item, { state: 'committing' });
