import type { AccountId } from '../rules/ids.ts';
import type { Item } from '../items/rules/item.ts';
import type { ListingPublisher, Seller, SellerFeeds } from '../../gateways/marketplace/port.ts';
import type { Logger } from '../../platform/logger.ts';
import type { ItemStore } from '../items/store/items.ts';
import type { MarketplaceConnectionRow } from './store/marketplace-connections.ts';
import type { MarketplaceWatch } from './store/marketplace-watch.ts';
import type { OrderStore } from '../orders/store/orders.ts';
import type { Context } from '../context.ts';
import { rewriteItem } from '../items/write-item.ts';
import type { OrderWork } from '../orders/follow-marketplace-orders.ts';
import type { ConnectedSeller } from './seller-access.ts';

/** Pauses between two looks at an account, in ms. */
export interface LookPace {
  /** After a look that made so many calls. */
  readonly fullMs: (calls: number) => number;
  /** Between two hints of the marketplace that something changed; null: calls are too few to ask for them. */
  readonly hintMs: number | null;
}

export interface LookDependencies extends Pick<Context, 'now'> {
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
  /** The database was restored: auctions may be up of which it knows nothing. `isUnseen`: no look has read since which. */
  readonly isAfterRestore: boolean;
  readonly isUnseen: boolean;
  /** Makes a call and counts it. */
  readonly call: <Result>(make: () => Promise<Result>) => Promise<Result>;
}

/** Applies what was seen to the stored item. Work that follows from it is begun at once. Returns the item when it changed. */
export async function observe(look: Look, id: Item['id'], change: (item: Item) => Item): Promise<Item | null> {
  const seen = { isNew: false, isWork: false };
  const stored = await rewriteItem(look.items, { accountId: look.account, id }, (current) => {
    const asked = { ...current, requestId: look.requestId };
    const changed = change(asked);
    seen.isNew = changed !== asked;
    seen.isWork = changed.revision !== current.revision;
    if (!seen.isNew) return current;
    return seen.isWork ? changed : { ...changed, requestId: current.requestId ?? null };
  });
  if (!seen.isNew || stored === null) return null;
  return stored;
}
