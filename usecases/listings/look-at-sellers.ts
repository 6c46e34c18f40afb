import type { AccountId } from '../../core/ids.ts';
import { dueQueue } from '../../store/dispatch/due-rows.ts';
import type { ItemStore } from '../../store/items/items.ts';
import type { MarketplaceConnectionRow } from '../../store/marketplace/marketplace-connections.ts';
import type { MarketplaceWatch } from '../../store/marketplace/marketplace-watch.ts';
import type { OrderStore } from '../../store/orders/orders.ts';
import {
  MarketplaceError,
  type ListingPublisher,
  type Seller,
  type SellerFeeds,
} from '../../gateways/marketplace/port.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Item } from '../../core/items/item.ts';
import type { Context } from '../context.ts';
import { rewriteItem } from '../items/write-item.ts';
import type { OrderWork } from '../orders/follow-marketplace-orders.ts';
import { lookAtAuctions } from './look-at-auctions.ts';
import { readSales, takePayments } from './look-at-sales.ts';
import type { ConnectedSeller } from './seller-access.ts';

/** Pauses between two looks at an account, in ms. */
export interface LookPace {
  /** After a look that made so many calls. */
  readonly fullMs: (calls: number) => number;
  /** Between two hints of the marketplace that something changed; null: calls are too few to ask for them. */
  readonly hintMs: number | null;
}

export interface LookDependencies extends Pick<Context, 'ring' | 'now'> {
  readonly watch: MarketplaceWatch;
  readonly feeds: SellerFeeds & Pick<ListingPublisher, 'readAuction' | 'readRunning'>;
  readonly items: ItemStore;
  readonly orders: OrderStore;
  /** What to ask the marketplace about orders, and what to tell it. */
  readonly orderWork: OrderWork;
  readonly connect: (row: MarketplaceConnectionRow) => ConnectedSeller;
  /** From the setting, and the call budget of the real marketplace. */
  readonly paceOf: (row: MarketplaceConnectionRow) => Promise<LookPace>;
  /** After a call of ours, the marketplace's lists may show the price from before for this long. */
  readonly settleMs: number;
  /** Hundredths of a per cent, kept with each sale. */
  readonly platformFeeBps: number;
  /** Returns a new request id for a look, stored with all its findings. */
  readonly newRequestId: () => string;
  readonly logger: Logger;
}

/** One look at one seller. Times are the service's own. */
export interface Look extends LookDependencies {
  readonly account: AccountId;
  readonly seller: Seller;
  readonly requestId: string;
  readonly startedAt: Date;
  /** When the last complete look began; before the first, some time before the connection. */
  readonly lookedAt: Date;
  /** When sales were read last; the same. */
  readonly salesReadAt: Date;
  /** Makes a call and counts it. */
  readonly call: <Result>(make: () => Promise<Result>) => Promise<Result>;
}

/** A look that takes longer was interrupted; another reader may repeat it, because repeats are no-ops. */
const leaseMs = 60_000;
/** Upper limit for any wait that the marketplace asks for. */
const waitMaxMs = 24 * 3_600_000;
/** How far the first look goes back before the connection was made. */
const firstLookBackMs = 3_600_000;

/** Looks at the seller that has been due longest. Returns false when none is due (protocol 8). */
export async function lookAtDueSeller(dependencies: LookDependencies): Promise<boolean> {
  const { watch, now, connect } = dependencies;
  const row = await watch.claimLook(now(), new Date(now().getTime() + leaseMs));
  if (row === null) return false;
  const spent = { calls: 0 };
  try {
    await lookOrAsk(dependencies, row, spent);
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error;
    if (error.kind === 'token_expired') await connect(row).markExpired();
    await schedule(dependencies, row, { ...spent, waitMs: error.retryAfterMs ?? 0 });
    return true;
  }
  if (await isLeft(dependencies, row)) await schedule(dependencies, row, { ...spent, waitMs: 0 });
  else await watch.stopLooking(row);
  return true;
}

const isLeft = async ({ items, orderWork }: LookDependencies, { _id }: MarketplaceConnectionRow): Promise<boolean> =>
  (await items.hasWatchedListings(_id)) || orderWork.isLeft(_id);

async function schedule(
  { watch, now, paceOf }: LookDependencies,
  row: MarketplaceConnectionRow,
  { calls, waitMs }: { calls: number; waitMs: number },
): Promise<void> {
  const { fullMs, hintMs } = await paceOf(row);
  const pauseMs = Math.max(waitMs, hintMs ?? fullMs(calls));
  await watch.scheduleLook(row._id, new Date(now().getTime() + Math.min(pauseMs, waitMaxMs)));
}

/** Between two looks at everything, only a hint is asked for that something changed. */
async function lookOrAsk(
  dependencies: LookDependencies,
  row: MarketplaceConnectionRow,
  spent: { calls: number },
): Promise<void> {
  const { watch, feeds, paceOf, now } = dependencies;
  const { seller } = dependencies.connect(row);
  const { fullMs, hintMs } = await paceOf(row);
  const startedAt = now();
  if (hintMs !== null) {
    const mark = await feeds.readChangeMark(seller, row.changeMark ?? '0');
    const isSame = mark === row.changeMark;
    if (!isSame) await watch.saveLook(row._id, { changeMark: mark });
    const isFullDue = row.lookedAt === undefined || startedAt.getTime() >= row.lookedAt.getTime() + fullMs(1);
    if (isSame && !isFullDue) return;
  }
  const start = new Date(row.connectedAt.getTime() - firstLookBackMs);
  await lookAtAll({
    ...dependencies,
    ...{ account: row._id, seller, startedAt, requestId: dependencies.newRequestId() },
    ...{ lookedAt: row.lookedAt ?? start, salesReadAt: row.salesReadAt ?? start },
    call: (make) => {
      spent.calls += 1;
      return make();
    },
  });
}

/** Writes every observation to its item before the look counts as complete. */
async function lookAtAll(look: Look): Promise<void> {
  const { account, seller, orderWork, watch, startedAt } = look;
  await lookAtAuctions(look, (isNeeded) => readSales(look, isNeeded));
  await watch.saveLook(account, { lookedAt: startedAt });
  await takePayments(look, await orderWork.follow(seller, look.call));
}

/** Applies what was seen to the stored item. Work that follows from it is begun at once. Returns the item when it changed. */
export async function observe(look: Look, id: Item['id'], change: (item: Item) => Item): Promise<Item | null> {
  const seen = { isNew: false, isWork: false };
  const stored = await rewriteItem(look.items, id, (current) => {
    const asked = { ...current, requestId: look.requestId };
    const changed = change(asked);
    seen.isNew = changed !== asked;
    seen.isWork = changed.revision !== current.revision;
    if (!seen.isNew) return current;
    return seen.isWork ? changed : { ...changed, requestId: current.requestId ?? null };
  });
  if (!seen.isNew || stored === null) return null;
  if (seen.isWork) look.ring(dueQueue('items', 'worker', stored.accountId));
  return stored;
}
