import { deepEqual } from '../deep-equal.ts';
import type { FieldProblem } from '../errors.ts';
import { hasKnownBids, newestListing, type Item, type Listing } from '../items/item.ts';
import { showDifferently, type ListingTerms } from './listing-terms.ts';

const nextOne = 'counts from the next one';
/** Terms that the marketplace fixes when an auction goes up. */
const fixedTerms = ['durationDays', 'startsAt', 'endsAt'] as const;

/** Warnings about changes that the running auction can't show, in words for the caller. */
export function termWarnings(item: Item, pushed: ListingTerms | null): FieldProblem[] {
  const newest = newestListing(item);
  const before = item.content.listing;
  if (newest?.state !== 'live' || deepEqual(before, pushed)) return [];
  const fixed = fixedTerms
    .filter((name) => before?.[name] !== pushed?.[name])
    .map((name) => ({ field: `listing.${name}`, message: `the running auction keeps its time; this ${nextOne}` }));
  return [...fixed, ...shownWarnings(newest, before, pushed)];
}

function shownWarnings(newest: Listing, before: ListingTerms | null, pushed: ListingTerms | null): FieldProblem[] {
  if (!showDifferently(before, pushed)) return [];
  if (hasKnownBids(newest))
    return [
      {
        field: 'listing',
        message: `the auction has bids, so the marketplace changes none of its terms; this ${nextOne}`,
      },
    ];
  const isReserveGone = before?.reservePrice !== undefined && pushed?.reservePrice === undefined;
  const message = `the marketplace takes no reserve price off a running auction; this ${nextOne}`;
  return isReserveGone ? [{ field: 'listing.reservePrice', message }] : [];
}
