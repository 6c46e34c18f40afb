import { randomUUID } from 'node:crypto';
import { lookIntervalMs } from '../core/listings/look-interval.ts';
import type { Item } from '../core/items/item.ts';
import { createEncryption } from '../security/encryption.ts';
import type { ItemStore } from '../store/items/items.ts';
import type { MarketplaceWatch } from '../store/marketplace/marketplace-watch.ts';
import { createOrderStore } from '../store/orders/orders.ts';
import { connectedSeller } from '../usecases/listings/create-seller-access.ts';
import { readDueFeed } from '../usecases/listings/read-feeds.ts';
import { now, type Foundation } from './foundation.ts';
import type { composeMarketplace } from './marketplace.ts';

interface FeedParts {
  readonly items: ItemStore;
  readonly watch: MarketplaceWatch;
  readonly marketplace: ReturnType<typeof composeMarketplace>['marketplace'];
  readonly nudge: (item: Item) => void;
}

/** The round that looks at the feeds of one account; the budget of calls stretches the interval when many are watched. */
export function composeFeeds(
  { config, store }: Foundation,
  { items, watch, marketplace, nudge }: FeedParts,
): () => Promise<boolean> {
  const encryption = createEncryption(config.secrets.encryptionKeys);
  const { lookIntervalMs: settingMs, callsPerDay } = config.marketplace;
  const feeds = {
    watch,
    feeds: marketplace,
    items,
    orders: createOrderStore(store),
    connect: (row: Parameters<typeof connectedSeller>[1]) => connectedSeller({ watch, encryption, now }, row),
    nudge,
    platformFeeBps: config.platformFeeBps,
    newRequestId: () => `marketplace-${randomUUID()}`,
    lookIntervalMs: async () => lookIntervalMs({ settingMs, callsPerDay, watchedAccounts: await watch.countWatched() }),
    now,
  };
  return () => readDueFeed(feeds);
}
