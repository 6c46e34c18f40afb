import { randomUUID } from 'node:crypto';
import { createBulkActivities } from '../activities/bulk-activities.ts';
import { createDeliveryActivities } from '../activities/delivery-activities.ts';
import { createRecoveryActivities } from '../activities/recovery-activities.ts';
import { itemId, type AccountId } from '../core/ids.ts';
import type { Item } from '../core/items/item.ts';
import { lookIntervalMs } from '../core/listings/look-interval.ts';
import type { Scope } from '../core/scope.ts';
import { attemptBounds } from '../core/webhooks/attempt-bounds.ts';
import { attemptTimeoutMs } from '../core/webhooks/retry-schedule.ts';
import type { Orchestrator } from '../gateways/orchestrator/port.ts';
import { createHttpsWebhookSender } from '../gateways/webhook-sender/https-webhook-sender.ts';
import { createKeyedMutex } from '../platform/concurrency/keyed-mutex.ts';
import { createGuardedAgent } from '../platform/guarded-agent.ts';
import { createEncryption } from '../security/encryption.ts';
import { hasOlderBulk } from '../store/bulk-syncs/open-bulk-syncs.ts';
import type { Delivery } from '../store/deliveries/deliveries.ts';
import { recordEvents } from '../store/events/event-log.ts';
import { createItemBacklog } from '../store/items/item-backlog.ts';
import { createItemLineStore } from '../store/items/item-lines.ts';
import type { ItemStore } from '../store/items/items.ts';
import { createJournalStore } from '../store/items/journal.ts';
import { findConnectionState } from '../store/marketplace/marketplace-connections.ts';
import type { MarketplaceWatch } from '../store/marketplace/marketplace-watch.ts';
import { createOrderStore } from '../store/orders/orders.ts';
import { sweepBulkSyncs } from '../usecases/bulk-syncs/sweep-bulk-syncs.ts';
import { bindDeliveries } from '../usecases/deliveries/bind-deliveries.ts';
import { firstAttemptDependencies } from '../usecases/deliveries/bind-first-attempts.ts';
import { deliveryHints } from '../usecases/deliveries/delivery-hints.ts';
import { FirstAttempts } from '../usecases/deliveries/first-attempts.ts';
import { sweepDeliveries } from '../usecases/deliveries/start-delivery.ts';
import { createEventRecorder } from '../usecases/events/event-recorder.ts';
import { planDeliveries } from '../usecases/events/plan-deliveries.ts';
import { storeOutbox } from '../usecases/events/store-outbox.ts';
import type { Hints } from '../usecases/hints.ts';
import type { BulkOrigin } from '../usecases/items/apply-lines.ts';
import { createBacklogFeeder } from '../usecases/items/feed-backlog.ts';
import type { GiveWay } from '../usecases/items/give-way.ts';
import type { LookFirst } from '../usecases/items/look-first.ts';
import { connectedSeller } from '../usecases/listings/create-seller-access.ts';
import { readDueFeed } from '../usecases/listings/read-feeds.ts';
import { createItemRoom } from '../usecases/quota/create-item-room.ts';
import { bindRecoveries } from '../usecases/recoveries/bind-recoveries.ts';
import { sweepRecoveries } from '../usecases/recoveries/sweep-recoveries.ts';
import { now, type Foundation } from './foundation.ts';
import type { composeMarketplace } from './gateways.ts';
import { observeDeliveries, tracedSender } from './observe.ts';

export function composeOutbox(
  { store }: Pick<Foundation, 'store'>,
  beginDeliveries: (made: readonly Delivery[]) => void,
): (item: Item) => Promise<void> {
  const recordBatch = createEventRecorder(async (account, events) => {
    const at = now();
    beginDeliveries(
      await recordEvents(store, account, {
        events,
        planDeliveries: (...planned) => planDeliveries(...planned, at),
        now: at,
      }),
    );
  });
  const dependencies = {
    recordEvents: recordBatch,
    journal: createJournalStore(store),
    orders: createOrderStore(store),
    now,
  };
  return (item) => storeOutbox(dependencies, item);
}

interface FeedParts {
  readonly items: ItemStore;
  readonly watch: MarketplaceWatch;
  readonly marketplace: ReturnType<typeof composeMarketplace>['marketplace'];
  readonly nudge: (item: Item) => void;
}

/** The round that reads the feeds of one account; with many watched accounts the call budget lengthens the interval. */
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

interface BulkParts {
  readonly orchestrator: Orchestrator;
  readonly giveWay: GiveWay;
  /** undefined where workflows look first. */
  readonly lookFirst: LookFirst | undefined;
}

/** The worker's part of bulk syncs, and of the work that many items leave at once. */
export function composeBulkSyncs(
  { config, store, logger }: Foundation,
  { orchestrator, giveWay, lookFirst }: BulkParts,
) {
  const items = {
    lines: createItemLineStore(store),
    hasOlderBulk: (scope: Scope, bulk: BulkOrigin) => hasOlderBulk(store, { ...scope, ...bulk }),
    // Each chunk checks its sender itself (confirm-sender.ts).
    confirmCredential: () => Promise.resolve(),
    connectionOf: (account: AccountId) => findConnectionState(store, account),
    takeRoom: createItemRoom({ store, now, itemsMax: config.storageQuota.itemsMax }),
    runExclusive: createKeyedMutex(),
    newItemId: () => itemId(randomUUID()),
    now,
  };
  const feedBacklog = createBacklogFeeder({
    ...{ backlog: createItemBacklog(store), orchestrator, now },
    isOthersTurn: giveWay.isAsked,
    // While a single write waits, this work is paced like other bulk work.
    ...(lookFirst && { lookFirst: (id) => (giveWay.isAsked() ? giveWay.pass(() => lookFirst(id)) : lookFirst(id)) }),
  });
  return {
    activities: createBulkActivities({ store, items, giveWay, logger, now }),
    rounds: {
      'sweep-bulk-syncs': async () => (await sweepBulkSyncs({ store, orchestrator, now })) > 0,
      // Workflows take new work at the rate of free slots, so constant polling would not speed it up.
      'feed-backlog': async () => (await feedBacklog()) > 0,
    },
  };
}

/**
 * Deliveries and recoveries. They have their own connection pool, because slow receivers must not take connections that images
 * need.
 */
export function composeSending(
  { config, logger, store, metrics, tracing }: Foundation,
  { orchestrator, hints }: { orchestrator: Orchestrator; hints: Hints },
) {
  // No delivery waits for a connection, not even where many endpoints share a host and some of them hang.
  const agent = createGuardedAgent({ ...config, connectionsPerOriginMax: attemptBounds.inFlightMax });
  const sender = tracedSender(createHttpsWebhookSender({ agent, timeoutMs: attemptTimeoutMs }), tracing);
  const encryption = createEncryption(config.secrets.encryptionKeys);
  const dependencies = bindDeliveries({ store, encryption, sender, logger, observer: observeDeliveries(metrics), now });
  const { deliveries } = dependencies;
  const { startDelivery } = deliveryHints(hints, orchestrator);
  const lane = new FirstAttempts(firstAttemptDependencies(store, dependencies, { handOver: startDelivery, logger }));
  return {
    /** Starts new deliveries outside the path of the call. The sweep finds lost ones. */
    begin: (made: readonly Delivery[]): void => {
      for (const delivery of made.filter(({ state }) => state === 'pending')) {
        if (lane.offer(delivery) === 'no') startDelivery(delivery);
      }
    },
    activities: {
      ...createDeliveryActivities(dependencies),
      ...createRecoveryActivities(bindRecoveries(store, dependencies, now)),
    },
    rounds: {
      'sweep-deliveries': async () => (await sweepDeliveries({ deliveries, orchestrator, lane, now })) > 0,
      'sweep-recoveries': async () => (await sweepRecoveries({ store, orchestrator, now })) > 0,
    },
    close: async () => {
      await lane.close();
      await agent.close();
    },
  };
}
