import { isUnwanted, type Item, type Listing } from '../../core/items/item.ts';
import { listingIn } from '../../core/listings/publication.ts';
import {
  askedChange,
  needsOnlyPrice,
  needsRevision,
  picturesToShow,
  recordChangeRefused,
  recordRevised,
  type AskedChange,
} from '../../core/listings/revision.ts';
import type { Setback } from '../../core/listings/setback.ts';
import { wholeKronorFromOre } from '../../core/money.ts';
import type { ChangeOutcome, ChangeReceipt, Seller } from '../../gateways/marketplace/port.ts';
import { changeItem } from '../items/change-item.ts';
import { followEnd } from './follow-end.ts';
import { draftChanges } from './listing-draft.ts';
import { readImages, recordTrouble, stepBack, type ListingDependencies, type Publication } from './prepare-listing.ts';
import { missingSeller } from './seller-access.ts';

/** Waits between looks for the outcome of a change; then the workflow waits with its own, longer ones. */
const looksMs = [200, 300, 500, 800, 1_500];

interface Revision {
  readonly item: Item;
  readonly listing: Listing;
  readonly asked: AskedChange;
}

/**
 * Makes a live auction show the item as it is now: the price alone where that is all, else everything at once. Both say how the
 * auction should be, not what changed, so after a lost answer they are simply asked again, and many changes become one call.
 */
export async function reviseListing(
  dependencies: ListingDependencies,
  { itemId, publication }: Publication,
): Promise<void> {
  const item = await dependencies.items.findById(itemId);
  const listing = item === null ? undefined : listingIn(item, publication, ['live']);
  if (item === null || listing === undefined || isUnwanted(item) || !needsRevision(item, listing)) return;
  const lookup = await dependencies.sellers.find(item.accountId);
  if (lookup.kind !== 'connected') {
    return stepBack(dependencies, item, { work: 'revise', setback: missingSeller(lookup) });
  }
  try {
    const revision = { item, listing, asked: askedChange(item, listing) };
    const receipt = await ask(dependencies, lookup.seller, revision);
    if (receipt === null) return;
    const outcome = 'outcome' in receipt ? receipt.outcome : await awaitChange(dependencies, lookup.seller, receipt);
    await recordOutcome(dependencies, lookup.seller, { revision, outcome });
  } catch (error) {
    await recordTrouble(dependencies, item, { work: 'revise', connected: lookup, error });
  }
}

/** null when a stored picture was gone: it is fetched again first. */
async function ask(
  dependencies: ListingDependencies,
  seller: Seller,
  { item, listing }: Revision,
): Promise<ChangeReceipt | null> {
  const { marketplace, fallbackCategoryId } = dependencies;
  const adId = listing.adId ?? '';
  if (needsOnlyPrice(item, listing)) {
    return marketplace.changePrice(seller, adId, wholeKronorFromOre(item.content.priceOre));
  }
  const hashes = picturesToShow(item, listing);
  const jpegs = hashes === null ? null : await readImages(dependencies, item, { hashes, work: 'revise' });
  if (hashes !== null && jpegs === null) return null;
  return marketplace.revise(seller, adId, draftChanges(item, listing, { jpegs, fallbackCategoryId }));
}

async function awaitChange(
  { marketplace, pause }: ListingDependencies,
  seller: Seller,
  { requestId }: { requestId: string },
): Promise<ChangeOutcome> {
  for (const waitMs of looksMs) {
    await pause(waitMs);
    const outcome = await marketplace.readChange(seller, requestId);
    if (outcome.kind !== 'unknown_yet') return outcome;
  }
  return { kind: 'unknown_yet' };
}

async function recordOutcome(
  dependencies: ListingDependencies,
  seller: Seller,
  { revision, outcome }: { revision: Revision; outcome: ChangeOutcome },
): Promise<void> {
  const { item, listing, asked } = revision;
  const { items, now } = dependencies;
  const setBack = (setback: Setback): Promise<void> => stepBack(dependencies, item, { work: 'revise', setback });
  switch (outcome.kind) {
    case 'taken':
      await changeItem(items, item.id, (current) => recordRevised(current, asked, now()));
      return;
    case 'has_bids':
      await changeItem(items, item.id, (current) => recordChangeRefused(current, asked, now()));
      return;
    case 'unknown_yet':
      return setBack({ cause: 'MARKETPLACE_TIMEOUT', message: 'the marketplace has not answered yet' });
    case 'try_again':
      return setBack({
        cause: 'MARKETPLACE_TIMEOUT',
        message: `the marketplace asks to try again: ${outcome.message}`,
      });
    case 'not_active':
    case 'refused': {
      // An auction that ended meanwhile refuses every change: that is no failure of the change.
      if ((await followEnd(dependencies, seller, { item, listing, work: 'revise' })) === 'followed') return;
      const message = outcome.kind === 'refused' ? outcome.message : 'the auction is not active';
      return setBack({ cause: 'REVISION_REFUSED', message });
    }
  }
}
