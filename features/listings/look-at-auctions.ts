import type { Item, Listing } from '../items/rules/item.ts';
import {
  auctionEnd,
  recordAdRemoved,
  recordAuctionEnded,
  recordEndedEarly,
  isKnown,
  openRestarted,
  recordFoundUp,
  recordRestarted,
  recordSeen,
} from './rules/auction-end.ts';
import { takeOthersPrice } from './rules/others-price.ts';
import { externalIdsNamed, publicationNamed, withNamedAd } from './rules/publication.ts';
import { wholeKronorFromOre } from '../rules/money.ts';
import { itemId } from '../rules/ids.ts';
import type { Auction } from '../../gateways/marketplace/port.ts';
import type { WatchedItem } from '../items/store/items.ts';
import { observe, type Look } from './look.ts';

interface Watched {
  readonly item: WatchedItem;
  readonly listing: Listing;
  readonly adId: string;
}

/** So many auctions that are in no list are read one by one in a look. The next looks read the others. */
const singleReadsMax = 5;

/**
 * Compares what we believe is up with what the marketplace shows. One call tells all that run, with bids and prices. Only when one of
 * ours is missing there are the ended ones and the sales read as well. Sales come first, so a sold auction does not count as ended.
 * Returns how many auctions of ours run that belong to no item.
 */
export async function lookAtAuctions(
  look: Look,
  readSales: (isNeeded: boolean) => Promise<ReadonlySet<string>>,
): Promise<{ readonly unknown: number }> {
  const watched = await look.items.listWatched(look.account);
  const up = watched.flatMap(listingsUp);
  const running = up.length === 0 && !look.isAfterRestore ? [] : await readRunning(look, readSales);
  const byAdId = new Map(running.map((auction) => [auction.adId, auction]));
  const [missing, seen] = [up.filter(({ adId }) => !byAdId.has(adId)), up.filter(({ adId }) => byAdId.has(adId))];
  for (const one of seen) await takeRunning(look, one, byAdId.get(one.adId));
  const readsEnded = missing.length > 0 || look.isUnseen;
  const ended = readsEnded ? await look.call(() => look.feeds.readEnded(look.seller, dayBefore(look.lookedAt))) : [];
  const hasUnpaid = watched.some(({ unpaidOrderIds }) => unpaidOrderIds.length > 0);
  const sold = await readSales(missing.length > 0 || hasUnpaid || look.isAfterRestore);
  if (look.isUnseen) await takeForgottenEnds(look, ended, sold);
  // After what is over, because it is the newest of its item.
  const unknown = await findUnknown(look, running, new Set(up.map(({ adId }) => adId)));
  const unsold = missing.filter(({ adId }) => !sold.has(adId));
  await takeMissing(look, unsold, new Map(ended.map((auction) => [auction.adId, auction])));
  return { unknown };
}

/** What is sold is told even when the auctions can't be read. */
async function readRunning(
  look: Look,
  readSales: (isNeeded: boolean) => Promise<unknown>,
): Promise<readonly Auction[]> {
  try {
    return await look.call(() => look.feeds.readRunning(look.seller, 'feed'));
  } catch (error) {
    await readSales(true);
    throw error;
  }
}

const dayMs = 86_400_000;
/** The marketplace's times may be of another zone or clock, and rows may become visible late. */
const dayBefore = (at: Date): Date => new Date(at.getTime() - dayMs);

const listingsUp = (item: WatchedItem): Watched[] =>
  item.listings.flatMap((listing) =>
    listing.adId !== null && (listing.state === 'live' || listing.state === 'leaving')
      ? [{ item, listing, adId: listing.adId }]
      : [],
  );

/** Most auctions show nothing new, and their items are not read. */
async function takeRunning(look: Look, { item, listing }: Watched, auction: Auction | undefined): Promise<void> {
  if (auction === undefined || !isNews(listing, auction)) return;
  const { bids, priceKronor, endsAt, adId, startPriceKronor } = auction;
  const { startedAt, settleMs, now } = look;
  await observe(look, item.id, (current) =>
    takeOthersPrice(
      recordSeen(current, adId, { bids, priceKronor, endsAt, at: now() }),
      { adId, bids, startPriceKronor, readAt: startedAt },
      { settleMs, now: now() },
    ),
  );
}

const isNews = ({ seen, itemPriceOre }: Listing, auction: Auction): boolean =>
  seen?.bids !== auction.bids ||
  seen.priceKronor !== auction.priceKronor ||
  seen.endsAt?.getTime() !== auction.endsAt?.getTime() ||
  auction.startPriceKronor !== wholeKronorFromOre(itemPriceOre);

/**
 * An auction with our reference that runs although we believe that it does not: a commit of ours that was thought lost, one that its
 * seller restarted at the marketplace, or one that a restored database has forgotten. Returns how many belong to no item.
 */
async function findUnknown(look: Look, running: readonly Auction[], known: ReadonlySet<string>): Promise<number> {
  const ours = running.filter((auction) => !known.has(auction.adId) && publicationNamed(auction) !== undefined);
  if (ours.length === 0) return 0;
  const itemOf = await itemsOfAuctions(look, ours);
  let unknown = 0;
  for (const auction of ours) {
    const item = itemOf(auction);
    if (item === null && look.isUnseen) tell(look, auction, 'auction.item_unknown');
    if (item === null || !(await takeUnknown(look, item, auction))) unknown += 1;
  }
  return unknown;
}

/** By the item's id. One that a restored database has forgotten has another id when it is pushed again, and the same external id. */
async function itemsOfAuctions(
  { items, account, isAfterRestore }: Look,
  ours: readonly Auction[],
): Promise<(auction: Auction) => Item | null> {
  const ids = ours.flatMap((auction) => publicationNamed(auction)?.itemId ?? []);
  const found = await items.findByIds(account, ids.map(itemId));
  const byId = new Map<string, Item>(found.map((item) => [item.id, item]));
  const forgotten = isAfterRestore ? ours.filter((auction) => !byId.has(publicationNamed(auction)?.itemId ?? '')) : [];
  const names = [...new Set(forgotten.flatMap(externalIdsNamed))];
  const pushed = await Promise.all(names.map((name) => items.findCurrent(account, name)));
  const byName = new Map(pushed.flatMap((item) => (item === null ? [] : [[item.externalId, item] as const])));
  return (auction) =>
    byId.get(publicationNamed(auction)?.itemId ?? '') ??
    externalIdsNamed(auction).flatMap((name) => byName.get(name) ?? [])[0] ??
    null;
}

/** Returns whether the auction is one of the item's now. */
async function takeUnknown(look: Look, item: Item, auction: Auction): Promise<boolean> {
  const take = (change: (current: Item) => Item) => observe(look, item.id, change);
  const followed = await take((current) => recordFoundUp(current, auction.adId, look.now()));
  const opened = await take((current) => openRestarted(current, auction.adId, look.now()));
  const taken = await take((current) => recordRestarted(current, auction, look.now()));
  const now = taken ?? opened ?? followed;
  if (now !== null) tell(look, auction, 'auction.up_unexpected');
  return (now ?? item).listings.some(({ adId }) => adId === auction.adId);
}

function tell({ logger, account }: Look, auction: Auction, what: string): void {
  logger.warn({ accountId: account, itemId: publicationNamed(auction)?.itemId, adId: auction.adId }, what);
}

/**
 * Auctions that came up and ended after the backup: their items believe that they are still to go up. They are not put up again by
 * themselves, because their end may have been a wish that the restore has lost.
 */
async function takeForgottenEnds(look: Look, ended: readonly Auction[], sold: ReadonlySet<string>): Promise<void> {
  const { items, account, now } = look;
  const named = ended.flatMap((auction) => {
    const publication = publicationNamed(auction);
    return publication === undefined || sold.has(auction.adId) ? [] : [{ ...auction, ...publication }];
  });
  const known = await items.findByIds(account, [...new Set(named.map((auction) => itemId(auction.itemId)))]);
  const ids = new Map<string, Item['id']>(known.map(({ id }) => [id, id]));
  for (const auction of named.toSorted((one, other) => one.publication - other.publication)) {
    const id = ids.get(auction.itemId);
    if (id !== undefined)
      await observe(look, id, (current) =>
        isKnown(current, auction.adId)
          ? current
          : recordAuctionEnded(withNamedAd(current, auction, now()), { ...auction, isEarly: true }, now()),
      );
  }
}

async function takeMissing(
  look: Look,
  missing: readonly Watched[],
  ended: ReadonlyMap<string, Auction>,
): Promise<void> {
  const unlisted = missing.filter(({ adId }) => !ended.has(adId));
  for (const one of missing) {
    const auction = ended.get(one.adId);
    if (auction !== undefined) await takeOver(look, one, auction);
  }
  for (const one of unlisted.slice(0, singleReadsMax)) {
    const auction = await look.call(() => look.feeds.readAuction(look.seller, one.adId));
    if (auction !== null && !auction.isOver) await takeRunning(look, one, auction);
    else await takeOver(look, one, auction);
  }
}

/** null: the marketplace has no such auction. */
async function takeOver(look: Look, { item, listing, adId }: Watched, auction: Auction | null): Promise<void> {
  const end = auctionEnd(listing, auction, look.now());
  const seen = { adId, adUrl: auction?.adUrl ?? listing.adUrl ?? '' };
  if (end === 'sale_missing')
    look.logger.warn({ accountId: look.account, itemId: item.id, adId }, 'auction.sale_missing');
  if (end === 'ended') await observe(look, item.id, (current) => recordAuctionEnded(current, seen, look.now()));
  if (end === 'ended_early') await observe(look, item.id, (current) => recordEndedEarly(current, seen, look.now()));
  if (end === 'removed') await observe(look, item.id, (current) => recordAdRemoved(current, seen, look.now()));
}
