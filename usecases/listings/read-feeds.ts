import type { AccountId, OrderId } from '../../core/ids.ts';
import type { Item } from '../../core/items/item.ts';
import {
  hammerOrderId,
  recordAdRemoved,
  recordAuctionEnded,
  recordHammerSale,
  recordPaid,
  recordSeen,
} from '../../core/listings/auction-end.ts';
import { noteOwnPrice, priceOrigin, recordOthersPrice } from '../../core/listings/others-price.ts';
import {
  MarketplaceError,
  type Seller,
  type SellerFeeds,
  type SellerItemUpdate,
} from '../../gateways/marketplace/port.ts';
import type { ItemStore } from '../../store/items/items.ts';
import type { OrderStore } from '../../store/orders/orders.ts';
import type { MarketplaceConnectionRow } from '../../store/marketplace/marketplace-connections.ts';
import type { FeedCursors, MarketplaceWatch } from '../../store/marketplace/marketplace-watch.ts';
import { dueQueue } from '../../store/dispatch/due-rows.ts';
import type { Context } from '../context.ts';
import { rewriteItem } from '../items/write-item.ts';
import type { OrderWork } from '../orders/follow-marketplace-orders.ts';
import { insertPendingOrder } from '../orders/record-direct-sale.ts';
import type { ConnectedSeller } from './seller-access.ts';

export interface FeedDependencies extends Pick<Context, 'ring' | 'now'> {
  readonly watch: MarketplaceWatch;
  readonly feeds: SellerFeeds;
  readonly items: ItemStore;
  readonly orders: OrderStore;
  /** What to ask the marketplace about orders, and what to tell it. */
  readonly orderWork: OrderWork;
  readonly connect: (row: MarketplaceConnectionRow) => ConnectedSeller;
  /** Pause between two looks at this account, in ms: from the setting, and the call budget of the real marketplace. */
  readonly lookIntervalMs: (row: MarketplaceConnectionRow) => Promise<number>;
  /** Hundredths of a per cent, kept with each sale. */
  readonly platformFeeBps: number;
  /** Returns a new request id for a look, stored with all its findings. */
  readonly newRequestId: () => string;
}

/** A look that takes longer was interrupted; another reader may repeat it, because repeats are no-ops. */
const leaseMs = 60_000;
/** Cursors overlap by this much: the marketplace's rows may become visible a little late. */
const overlapMs = 10_000;
/** Upper limit for any wait that the marketplace asks for. */
const waitMaxMs = 24 * 3_600_000;
/** How far the first look goes back before the connection was made. */
const firstLookBackMs = 3_600_000;

/** Reads the feeds of the connection that has been due longest. Returns false when none is due (protocol 8). */
export async function readDueFeed(dependencies: FeedDependencies): Promise<boolean> {
  const { watch, now, items, orderWork } = dependencies;
  const row = await watch.claimLook(now(), new Date(now().getTime() + leaseMs));
  if (row === null) return false;
  try {
    await readFeeds({ ...dependencies, requestId: dependencies.newRequestId() }, row);
    await orderWork.follow(dependencies.connect(row).seller);
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error;
    await recordFeedTrouble(dependencies, row, error);
    return true;
  }
  if ((await items.hasWatchedListings(row._id)) || (await orderWork.isLeft(row._id))) {
    await watch.scheduleLook(row._id, new Date(now().getTime() + (await dependencies.lookIntervalMs(row))));
  } else {
    await watch.stopLooking(row);
  }
  return true;
}

async function recordFeedTrouble(
  dependencies: FeedDependencies,
  row: MarketplaceConnectionRow,
  error: MarketplaceError,
): Promise<void> {
  const { watch, connect, now, lookIntervalMs } = dependencies;
  if (error.kind === 'token_expired') await connect(row).markExpired();
  const waitMs = Math.min(Math.max(error.retryAfterMs ?? 0, await lookIntervalMs(row)), waitMaxMs);
  await watch.scheduleLook(row._id, new Date(now().getTime() + waitMs));
}

interface LookDependencies extends FeedDependencies {
  readonly requestId: string;
}

/** Writes every observation to its item before the cursor moves. Sales come first, so a sold auction does not count as ended. */
async function readFeeds(dependencies: LookDependencies, row: MarketplaceConnectionRow): Promise<void> {
  const { seller } = dependencies.connect(row);
  const start = new Date(row.connectedAt.getTime() - firstLookBackMs);
  const look = { account: row._id, seller };
  const updatesSince = row.updatesCursor ?? start;
  // Starts no later than the other cursor, which stops at a sold auction until its sale appears in this feed.
  const salesSince = new Date(Math.min((row.transactionsCursor ?? start).getTime(), updatesSince.getTime()));
  try {
    await readSales(dependencies, { ...look, cursor: 'transactionsCursor', since: salesSince });
  } finally {
    // Each feed has its own budget, so a feed that can't be read does not block the other.
    await readEnds(dependencies, { ...look, cursor: 'updatesCursor', since: updatesSince });
  }
}

interface Look {
  readonly account: AccountId;
  readonly seller: Seller;
  readonly cursor: keyof FeedCursors;
  readonly since: Date;
}

/** Pages per look; further pages are read by the next look. */
const pagesMax = 20;

/** `look-again`: the row can't be interpreted yet, so the cursor waits for it. */
type Taken = 'done' | 'look-again';

interface FeedRow {
  readonly adId: string;
  readonly updatedAt: Date;
}

/**
 * Reads a feed page by page and hands over each row with its item. The first page overlaps the previous look; after a full page
 * the next one starts at the newest row. The cursor is stored after each page, so a look cut short by the call budget continues
 * there.
 */
async function followFeed<Row extends FeedRow>(
  dependencies: FeedDependencies,
  { account, since, cursor: name }: Look,
  {
    read,
    take,
  }: { read: (since: Date) => Promise<readonly Row[]>; take: (row: Row, item: Item | undefined) => Promise<Taken> },
): Promise<void> {
  let cursor = since;
  let heldAt = Number.POSITIVE_INFINITY;
  let from = new Date(since.getTime() - overlapMs);
  for (let page = 0; page < pagesMax; page += 1) {
    const rows = await read(from);
    const itemByAdId = await itemsByAdId(
      dependencies,
      account,
      rows.map((row) => row.adId),
    );
    for (const row of rows) {
      const taken = await take(row, itemByAdId.get(row.adId));
      if (taken === 'look-again') heldAt = Math.min(heldAt, row.updatedAt.getTime());
    }
    const newest = new Date(Math.max(from.getTime(), ...rows.map((row) => row.updatedAt.getTime())));
    const reached = new Date(Math.min(newest.getTime(), heldAt));
    if (reached > cursor) {
      cursor = reached;
      await dependencies.watch.saveCursor(account, name, cursor);
    }
    if (rows.length < dependencies.feeds.feedRowsMax) break;
    // A full page with a single time would be read forever. Further rows of that millisecond can't be requested.
    from = newest <= from ? new Date(from.getTime() + 1) : newest;
  }
}

const readSales = (dependencies: LookDependencies, look: Look): Promise<void> =>
  followFeed(dependencies, look, {
    read: (since) => dependencies.feeds.readTransactions(look.seller, since),
    take: async ({ transactionId, adId, adUrl, soldAt, amountKronor, paid: isPaid }, item) => {
      const [amountOre, feeBps] = [Math.round(amountKronor * 100), dependencies.platformFeeBps];
      const sale = { transactionId, adId, adUrl, soldAt, amountOre, feeBps, isPaid };
      const sold = await observe(dependencies, item, (current) => recordHammerSale(current, sale, dependencies.now()));
      // The worker would insert the same order. It is inserted here, so that this look can already store its buyer.
      for (const pending of sold?.pendingOrders ?? []) if (sold) await insertPendingOrder(dependencies, sold, pending);
      if (isPaid) await takePayment(dependencies, look.account, { item, orderId: hammerOrderId(transactionId), adId });
      return 'done';
    },
  });

const readEnds = (dependencies: LookDependencies, look: Look): Promise<void> =>
  followFeed(dependencies, look, {
    read: (since) => dependencies.feeds.readUpdatedItems(look.seller, since),
    take: async (seen, item) => {
      if (seen.state === 'sold') return isSaleMissing(dependencies, seen, item) ? 'look-again' : 'done';
      const record = seen.state === 'ended' ? recordAuctionEnded : seen.state === 'removed' ? recordAdRemoved : null;
      if (record === null) return item === undefined ? 'done' : takeRunning(dependencies, item, seen);
      await observe(dependencies, item, (current) => record(current, seen, dependencies.now()));
      return 'done';
    },
  });

/** A row of a running auction. The look returns bids, price and end anyway, so they cost no call. */
async function takeRunning(dependencies: LookDependencies, item: Item, row: SellerItemUpdate): Promise<Taken> {
  const { items, now } = dependencies;
  let origin = priceOrigin(item, row);
  if (origin === 'others')
    await observe(dependencies, item, (current) => {
      // A change of ours may have been sent since the item was read.
      origin = priceOrigin(current, row);
      return recordOthersPrice(current, row, now());
    });
  const { bids, priceKronor, endsAt } = row;
  const seen = { bids, priceKronor, endsAt, at: now() };
  const noteSeen = (of: Item): Item => noteOwnPrice(recordSeen(of, row.adId, seen), row);
  // No work follows, so no doorbell is rung.
  if (noteSeen(item) !== item) await rewriteItem(items, item.id, noteSeen);
  return origin === 'unclear' && isRecent(dependencies, row) ? 'look-again' : 'done';
}

/** How long the cursor waits for such a row: until a sale appears, or a change of ours has its answer. */
const waitForRowMs = 3 * 86_400_000;
const isRecent = ({ now }: FeedDependencies, { updatedAt }: FeedRow): boolean =>
  now().getTime() - updatedAt.getTime() < waitForRowMs;

/**
 * True for a sold auction whose sale was not among the rows just read and comes later. `item` was read after those were written.
 */
const isSaleMissing = (dependencies: FeedDependencies, seen: FeedRow, item: Item | undefined): boolean =>
  item?.listings.some(({ adId, state }) => adId === seen.adId && state !== 'sold') === true &&
  isRecent(dependencies, seen);

/**
 * The item comes first, so an order not inserted yet is inserted as paid. The order is marked for every paid row, so a crash in
 * between is repaired when the row is read again. An item that sold hundreds since has forgotten the auction, and is found by the
 * order.
 */
async function takePayment(
  dependencies: LookDependencies,
  account: AccountId,
  { item, ...paid }: { item: Item | undefined; orderId: OrderId; adId: string },
): Promise<void> {
  const { orders, items, now } = dependencies;
  const itemId = item?.id ?? (await orders.findItemId(account, paid.orderId));
  const sold = item ?? (itemId === null ? null : await items.findById(itemId));
  if (sold === null) return;
  await observe(dependencies, sold, (current) => recordPaid(current, paid, now()));
  await orders.markPaid(account, paid.orderId, now());
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
  dependencies: LookDependencies,
  item: Item | undefined,
  change: (item: Item) => Item,
): Promise<Item | null> {
  if (item === undefined) return null;
  const seen = { isNew: false };
  const stored = await rewriteItem(dependencies.items, item.id, (current) => {
    const asked = { ...current, requestId: dependencies.requestId };
    const changed = change(asked);
    seen.isNew = changed !== asked;
    return seen.isNew ? changed : current;
  });
  if (seen.isNew && stored !== null) dependencies.ring(dueQueue('items', 'worker', stored.accountId));
  return seen.isNew ? stored : null;
}
