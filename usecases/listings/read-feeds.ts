import type { AccountId } from '../../core/ids.ts';
import type { Item } from '../../core/items/item.ts';
import { recordAuctionEnded, recordHammerSale } from '../../core/listings/auction-end.ts';
import { MarketplaceError, type Seller, type SellerFeeds } from '../../gateways/marketplace/port.ts';
import type { ItemStore } from '../../store/items.ts';
import type { MarketplaceConnectionRow } from '../../store/marketplace-connections.ts';
import type { FeedCursors, MarketplaceWatch } from '../../store/marketplace-watch.ts';
import { changeItem } from '../items/change-item.ts';
import type { ConnectedSeller } from './seller-access.ts';

export interface FeedDependencies {
  readonly watch: MarketplaceWatch;
  readonly feeds: SellerFeeds;
  readonly items: ItemStore;
  readonly connect: (row: MarketplaceConnectionRow) => ConnectedSeller;
  readonly nudge: (item: Item) => void;
  readonly lookIntervalMs: number;
  readonly now: () => Date;
}

/** A look that takes longer was interrupted; another reader may repeat it, because repeats are no-ops. */
const leaseMs = 60_000;
/** Cursors overlap by this much: the marketplace's rows may become visible a little late. */
const overlapMs = 10_000;
/** How far the first look goes back before the connection was made. */
const firstLookBackMs = 3_600_000;

/** Reads the feeds of the connection whose look is due longest. false when none is due (protocol 8). */
export async function readDueFeed(dependencies: FeedDependencies): Promise<boolean> {
  const { watch, now, items, lookIntervalMs } = dependencies;
  const row = await watch.claimLook(now(), new Date(now().getTime() + leaseMs));
  if (row === null) return false;
  try {
    const cursors = await readFeeds(dependencies, row);
    await watch.saveCursors(row._id, cursors);
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error;
    await recordFeedTrouble(dependencies, row, error);
    return true;
  }
  if (await items.hasWatchedListings(row._id))
    await watch.scheduleLook(row._id, new Date(now().getTime() + lookIntervalMs));
  else await watch.stopLooking(row);
  return true;
}

async function recordFeedTrouble(
  dependencies: FeedDependencies,
  row: MarketplaceConnectionRow,
  error: MarketplaceError,
): Promise<void> {
  const { watch, connect, now, lookIntervalMs } = dependencies;
  if (error.kind === 'token_expired') await connect(row).markExpired();
  await watch.scheduleLook(row._id, new Date(now().getTime() + (error.retryAfterMs ?? lookIntervalMs)));
}

/** Every observation is written to its item before the cursor moves. Sales first: a sold auction is no ended one. */
async function readFeeds(dependencies: FeedDependencies, row: MarketplaceConnectionRow): Promise<FeedCursors> {
  const { seller } = dependencies.connect(row);
  const start = new Date(row.connectedAt.getTime() - firstLookBackMs);
  const transactionsCursor = await readSales(dependencies, {
    account: row._id,
    seller,
    since: row.transactionsCursor ?? start,
  });
  const updatesCursor = await readEnds(dependencies, { account: row._id, seller, since: row.updatesCursor ?? start });
  return { transactionsCursor, updatesCursor };
}

interface Look {
  readonly account: AccountId;
  readonly seller: Seller;
  readonly since: Date;
}

const overlapping = (since: Date): Date => new Date(since.getTime() - overlapMs);

async function readSales(dependencies: FeedDependencies, { account, seller, since }: Look): Promise<Date> {
  const sales = await dependencies.feeds.readTransactions(seller, overlapping(since));
  const itemByAdId = await itemsByAdId(
    dependencies,
    account,
    sales.map((sale) => sale.adId),
  );
  for (const sale of sales) {
    const { transactionId, adId, soldAt } = sale;
    const hammer = { transactionId, adId, soldAt, amountOre: sale.amountKronor * 100 };
    await observe(dependencies, itemByAdId.get(adId), (item) => recordHammerSale(item, hammer, dependencies.now()));
  }
  return newest(
    since,
    sales.map((sale) => sale.updatedAt),
  );
}

async function readEnds(dependencies: FeedDependencies, { account, seller, since }: Look): Promise<Date> {
  const updates = await dependencies.feeds.readUpdatedItems(seller, overlapping(since));
  const ended = updates.filter((update) => update.state === 'ended');
  const itemByAdId = await itemsByAdId(
    dependencies,
    account,
    ended.map((update) => update.adId),
  );
  for (const { adId } of ended) {
    await observe(dependencies, itemByAdId.get(adId), (item) => recordAuctionEnded(item, adId, dependencies.now()));
  }
  return newest(
    since,
    updates.map((update) => update.updatedAt),
  );
}

async function itemsByAdId(
  { items }: FeedDependencies,
  account: AccountId,
  adIds: readonly string[],
): Promise<Map<string, Item>> {
  if (adIds.length === 0) return new Map();
  const found = await items.findByAdIds(account, adIds);
  return new Map(found.flatMap((item) => item.listings.map((listing) => [listing.adId ?? '', item] as const)));
}

async function observe(
  dependencies: FeedDependencies,
  item: Item | undefined,
  change: (item: Item) => Item,
): Promise<void> {
  if (item === undefined || change(item) === item) return;
  const stored = await changeItem(dependencies.items, item.id, change);
  if (stored !== null) dependencies.nudge(stored);
}

const newest = (since: Date, seen: readonly Date[]): Date =>
  new Date(Math.max(since.getTime(), ...seen.map((at) => at.getTime())));
