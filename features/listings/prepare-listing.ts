import { slugOf } from '../rules/domains.ts';
import { outboundCategoryId } from './rules/category-map.ts';
import { itemId, type AccountId, type ItemId } from '../rules/ids.ts';
import { effectiveContent } from '../items/rules/enrich-item.ts';
import { forgetHostedImage, hostedHashes } from '../images/rules/image-set.ts';
import { isUnwanted, startPriceOre, type Item, type Listing } from '../items/rules/item.ts';
import { callsOfPublication } from './rules/call-budget.ts';
import { withFailure, type ListingFailure, type ListingWork } from './rules/listing-failure.ts';
import { durationDaysOf, endAheadOf, pricesOf, termsOf, type ListingDefaults } from './rules/listing-terms.ts';
import { adDescription, adTitle } from './rules/marketplace-limits.ts';
import {
  changeNewestListing,
  externalIdsNamed,
  listingIn,
  ownReferences,
  publicationNamed,
  recordDraft,
} from './rules/publication.ts';
import { recordRestarted } from './rules/auction-end.ts';
import { wholeKronorFromOre } from '../rules/money.ts';
import { ImageNotStored, type ImageStore } from '../../gateways/image-store/port.ts';
import {
  MarketplaceError,
  type Auction,
  type ListingDraft,
  type ListingKeeper,
  type ListingPublisher,
} from '../../gateways/marketplace/port.ts';
import type { Logger } from '../../platform/logger.ts';
import type { ItemStore } from '../items/store/items.ts';
import { imageKey } from '../images/hosted-image.ts';
import { rewriteItem } from '../items/write-item.ts';
import type { EnsureCalls } from './call-budget.ts';
import {
  connectionReasons,
  failureOf,
  isAboutConnection,
  missingSeller,
  unseenSeller,
  type ConnectedSeller,
  type SellerAccess,
} from './seller-access.ts';

export interface ListingDependencies {
  readonly items: ItemStore;
  readonly imageStore: ImageStore;
  readonly marketplace: ListingPublisher & ListingKeeper;
  readonly ensureCalls: EnsureCalls;
  readonly sellers: SellerAccess;
  readonly logger: Logger;
  /** Category for items whose domain has no marketplace category of its own. */
  readonly fallbackCategoryId: number;
  /** The terms that the account has set for its auctions. */
  readonly defaultsOf: (account: AccountId) => Promise<ListingDefaults>;
  /** When this process last had a draft made. While others pass, a draft that fails again and again is itself the cause. */
  readonly drafts: { last: { readonly itemId: ItemId; readonly madeAt: Date } | null };
  readonly pause: (ms: number) => Promise<void>;
  readonly now: () => Date;
}

export interface Publication {
  readonly accountId: AccountId;
  readonly itemId: ItemId;
  readonly publication: number;
}

/**
 * Creates the draft on the marketplace and uploads the item's images. Nothing is for sale yet, so after any interruption it
 * starts again with a new draft. An abandoned draft is no listing, and no image can be added twice (protocol 2).
 */
export async function prepareListing(
  dependencies: ListingDependencies,
  { accountId, itemId: id, publication }: Publication,
): Promise<void> {
  const item = await dependencies.items.findById({ accountId, id });
  const listing = item === null ? undefined : listingIn(item, publication, ['drafting']);
  if (item === null || listing === undefined || isUnwanted(item)) return;
  const lookup = await dependencies.sellers.find(item.accountId);
  if (lookup.kind !== 'connected')
    return recordFailure(dependencies, item, { work: 'publish', failure: missingSeller(lookup) });
  if (lookup.isUnseen === true) return recordFailure(dependencies, item, { work: 'publish', failure: unseenSeller });
  try {
    await makeDraft(dependencies, lookup, { item, listing });
  } catch (error) {
    if (error instanceof DraftFails) return recordFailure(dependencies, item, { work: 'publish', failure: draftFails });
    await recordTrouble(dependencies, item, { work: 'publish', connected: lookup, error });
  }
}

async function makeDraft(
  dependencies: ListingDependencies,
  connected: ConnectedSeller,
  { item, listing }: { item: Item; listing: Listing },
): Promise<void> {
  const { items, marketplace, fallbackCategoryId, defaultsOf, ensureCalls, drafts, now } = dependencies;
  const { seller } = connected;
  // Read before the draft: a draft without its images or its commit would waste part of a small call budget.
  const jpegs = await readImages(dependencies, item);
  if (jpegs === null) return;
  await ensureCalls(seller, callsOfPublication(jpegs.length));
  if (await isRestarted(dependencies, connected, item)) return;
  const defaults = await defaultsOf(item.accountId);
  const wanted = draftListing(item, { ...listing, defaults }, { fallbackCategoryId, now: now() });
  const draft = await marketplace.createDraft(seller, wanted).catch((error: unknown) => {
    throw isDraftAtFault(dependencies, item, error) ? new DraftFails(draftFails.message, { cause: error }) : error;
  });
  drafts.last = { itemId: item.id, madeAt: now() };
  const made = { ...draft, draftedAs: seller.marketplaceUserId, defaults };
  const noted = await items.replace(item, recordDraft(item, made));
  if (noted === null) return; // Another write came in between: the next round starts from it.
  // One at a time: the marketplace shows images in the order of their arrival.
  for (const jpeg of jpegs) await marketplace.addImage(seller, draft.requestId, jpeg);
  await rewriteItem(items, item, (current) => {
    const drafted = listingIn(current, listing.publication, ['drafting']);
    return drafted?.requestId === draft.requestId ? changeNewestListing(current, { state: 'prepared' }) : current;
  });
}

/**
 * Its seller may have restarted an earlier auction at the marketplace, or the database was restored to a moment before it came up: then
 * another would offer the same thing twice. A restart after this look and before the commit is the one case that stays.
 */
async function isRestarted(
  { items, marketplace, sellers, now }: ListingDependencies,
  { seller, isAfterRestore = false }: ConnectedSeller,
  item: Item,
): Promise<boolean> {
  const mayBeUp = isAfterRestore || item.listings.some(({ state }) => state === 'ended' || state === 'removed');
  if (!mayBeUp) return false;
  const running = await marketplace.readRunning(seller, 'publish');
  const auction = await auctionOf(items, item, { running, isAfterRestore });
  if (auction === undefined) return false;
  await rewriteItem(items, item, (current) => recordRestarted(current, auction, now()));
  // A seller with nothing up is looked at once a day.
  await sellers.watch(seller);
  return true;
}

/** An auction of the item that it does not know. One of an item that a restored database has forgotten names the same external id. */
async function auctionOf(
  items: ItemStore,
  { id, accountId, externalId, listings }: Item,
  { running, isAfterRestore }: { readonly running: readonly Auction[]; readonly isAfterRestore: boolean },
): Promise<Auction | undefined> {
  for (const auction of running.filter(({ adId }) => listings.every((listing) => listing.adId !== adId))) {
    const named = publicationNamed(auction)?.itemId;
    if (named === id) return auction;
    const isNamesake = isAfterRestore && named !== undefined && externalIdsNamed(auction).includes(externalId);
    if (isNamesake && (await items.findById({ accountId, id: itemId(named) })) === null) return auction;
  }
  return undefined;
}

/** The marketplace takes other drafts, and not this one. */
class DraftFails extends Error {
  override readonly name = 'DraftFails';
}

const failuresMin = 2;
const draftFails: ListingFailure = {
  cause: 'DRAFT_FAILS',
  message:
    "the marketplace answers HTTP 500 to this item's draft and takes others, so check its shipping and its category",
};

/**
 * The third 500 for one draft, and another draft was made since its last one: the marketplace fails so on values that it can't take.
 * When the marketplace fails on every draft, none is made in between.
 */
function isDraftAtFault({ drafts: { last } }: ListingDependencies, { id, processing }: Item, error: unknown): boolean {
  const isServerError = error instanceof MarketplaceError && error.status === 500;
  const isFailing = processing.waitingFor === 'marketplace' && processing.attempts >= failuresMin;
  return isServerError && isFailing && last !== null && last.itemId !== id && last.madeAt > processing.updatedAt;
}

/** null when a stored file was gone: its image is fetched again first. */
async function readImages(dependencies: ListingDependencies, item: Item): Promise<Buffer[] | null> {
  const jpegs: Buffer[] = [];
  for (const contentHash of hostedHashes(item)) {
    try {
      jpegs.push(await dependencies.imageStore.read(imageKey(item.accountId, contentHash, 'large')));
    } catch (error) {
      if (error instanceof ImageNotStored) {
        await rewriteItem(dependencies.items, item, (current) => forgetHostedImage(current, contentHash));
      }
      const message = 'a hosted image could not be read';
      const failure: ListingFailure = { cause: 'IMAGE_STORE_FAILED', message };
      await recordFailure(dependencies, item, { work: 'publish', failure });
      return null;
    }
  }
  return jpegs;
}

/** Stores the meaning of a failed call: the work waits or is given up. An expired token stops the work of the whole account. */
export async function recordTrouble(
  dependencies: ListingDependencies,
  item: Item,
  { work, connected, error }: { work: ListingWork; connected: ConnectedSeller; error: unknown },
): Promise<void> {
  const failure = failureOf(error, work);
  if (error instanceof MarketplaceError && error.kind === 'token_expired') await connected.markExpired();
  await recordFailure(dependencies, item, { work, failure });
}

/** States of a listing in which a failure of that kind of work applies. */
const statesOf: Readonly<Record<ListingWork, readonly Listing['state'][]>> = {
  publish: ['drafting', 'prepared', 'committing'],
  price: ['live'],
  'take-down': ['live', 'leaving', 'drafting', 'prepared'],
};

/** Stores a failure of the given work, unless the item has changed so that it no longer applies. */
export async function recordFailure(
  dependencies: ListingDependencies,
  item: Item,
  { work, failure }: { work: ListingWork; failure: ListingFailure },
): Promise<void> {
  const { items, sellers, now } = dependencies;
  const publication = item.listings.at(-1)?.publication ?? 0;
  await rewriteItem(items, item, (current) =>
    listingIn(current, publication, statesOf[work]) === undefined
      ? current
      : withFailure(current, failure, { now: now(), work }),
  );
  // A reconnection between the look-up and this write found nothing waiting, so the item must not wait for the next one.
  if (isAboutConnection(failure) && (await sellers.find(item.accountId)).kind === 'connected') {
    await rewriteItem(items, item, (current) => tryAgainNow(current, now()));
  }
}

/** For this item alone, because the reconnection has made all others due, or each calls this itself. */
function tryAgainNow(item: Item, now: Date): Item {
  const { processing } = item;
  const isWaiting = connectionReasons.some((reason) => reason === processing.waitingFor);
  if (!isWaiting || processing.notBefore === null || processing.notBefore <= now) return item;
  return { ...item, processing: { ...processing, notBefore: now }, startAt: now, starts: 0 };
}

/** The auction in the form of the marketplace. Terms that neither item nor account has are the standard ones. */
function draftListing(
  item: Item,
  listing: Listing,
  { fallbackCategoryId, now }: { readonly fallbackCategoryId: number; readonly now: Date },
): ListingDraft {
  const terms = termsOf(item, listing.defaults);
  const content = effectiveContent(item);
  const { shippingCostOre, weightKg } = content;
  return {
    title: adTitle(content.title),
    descriptionHtml: adDescription(content),
    categoryId: terms.categoryId ?? categoryOf(item, fallbackCategoryId),
    ...pricesOf(terms, startPriceOre(item)),
    shippingKronor: shippingCostOre === null ? null : wholeKronorFromOre(shippingCostOre),
    shippingOptions: terms.shippingOptions ?? null,
    vatPercent: terms.vatPercent ?? null,
    durationDays: durationDaysOf(terms),
    endsAt: endAheadOf(terms, now),
    weightKg,
    ownReferences: ownReferences(item, listing.publication),
  };
}

const categoryOf = ({ content, enrichment }: Item, fallbackCategoryId: number): number =>
  outboundCategoryId(slugOf(content.domain)) ?? enrichment.category?.categoryId ?? fallbackCategoryId;
