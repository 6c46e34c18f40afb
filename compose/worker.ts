import { setTimeout as pause } from 'node:timers/promises';
import type { BulkActivities } from '../activities/bulk-activities.ts';
import type { DeliveryActivities } from '../activities/delivery-activities.ts';
import { createItemActivities, type ItemActivities } from '../activities/item-activities.ts';
import type { RecoveryActivities } from '../activities/recovery-activities.ts';
import { isPressing } from '../core/items/short-way.ts';
import type { Item } from '../core/items/item.ts';
import { imageQuotaFailure } from '../core/quota/storage-quota.ts';
import type { ImageCodec } from '../gateways/image-codec/port.ts';
import { createProcessImageCodec } from '../gateways/image-codec/process-image-codec.ts';
import type { ImageSource } from '../gateways/image-source/port.ts';
import type { ImageStore } from '../gateways/image-store/port.ts';
import { createHttpsImageSource } from '../gateways/image-source/https-image-source.ts';
import { createGuardedAgent } from '../platform/guarded-agent.ts';
import { createEncryption } from '../security/encryption.ts';
import { readImageUse } from '../store/images/image-usage.ts';
import { createImageRecordStore } from '../store/images/image-records.ts';
import { countUncounted } from '../store/items/inventory-counts.ts';
import { createItemStore, findItemNames, type ItemStore } from '../store/items/items.ts';
import { createMarketplaceWatch, type MarketplaceWatch } from '../store/marketplace/marketplace-watch.ts';
import { createDownloadSlots } from '../usecases/images/download-image.ts';
import { createImageSteps } from '../usecases/items/process-images.ts';
import { collectImages } from '../usecases/images/collect-images.ts';
import type { AdvanceDependencies } from '../usecases/items/advance-item.ts';
import { createGiveWay, type GiveWay } from '../usecases/items/give-way.ts';
import { createLookFirst } from '../usecases/items/look-first.ts';
import { createItemLane } from '../usecases/items/item-lane.ts';
import { resumeReconnected, sweepItems } from '../usecases/items/sweep-items.ts';
import { createMemberReferences } from '../usecases/operations/member-references.ts';
import { reconcileSubscriptions } from '../usecases/subscription/reconcile-subscriptions.ts';
import { createSellerAccess } from '../usecases/listings/create-seller-access.ts';
import { composeBulkSyncs, composeFeeds, composeOutbox, composeSending } from './worker-parts.ts';
import { composeEnrichment, composeMarketplace, composePayments, composeVehicles } from './gateways.ts';
import { now, type Foundation, composeHints, firstLookOf, nudger, composeOrchestrator } from './foundation.ts';
import { advanceTeller, countedActivities, toldSteps } from './observe.ts';
import { gaugeReader, clockWatch } from './watch-service.ts';

/** The worker's loops. */
export const roundNames = [
  'sweep-items',
  'sweep-deliveries',
  'sweep-recoveries',
  'sweep-bulk-syncs',
  'feed-backlog',
  'resume-reconnected',
  'read-feeds',
  'collect-images',
  'count-items',
  'reconcile-subscriptions',
] as const;
export type RoundName = (typeof roundNames)[number];

export interface WorkerParts {
  readonly activities: ItemActivities & DeliveryActivities & RecoveryActivities & BulkActivities;
  /** The rounds of the worker's loops; each returns true when it found work. */
  readonly rounds: Readonly<Record<RoundName, () => Promise<boolean>>>;
  /** A further round, for a worker with exposed metrics. */
  readonly readGauges: () => Promise<boolean>;
  readonly watchClock: () => Promise<boolean>;
  close(): Promise<void>;
}

/** Everything the worker hosts: activities for the workflows, and rounds for its loops. */
export function composeWorker(foundation: Foundation): WorkerParts {
  const { config, logger, store, imageStore, metrics } = foundation;
  const orchestrator = composeOrchestrator(foundation);
  const hints = composeHints(foundation);
  const imageAgent = createGuardedAgent(config);
  const imageCodec = createProcessImageCodec();
  const { marketplace, closeMarketplace } = composeMarketplace(foundation);
  const items = createItemStore(store);
  const imageRecords = createImageRecordStore(store);
  const watch = createMarketplaceWatch(store);
  const vehicles = composeVehicles(foundation);
  const giveWay = createGiveWay();
  const sending = composeSending(foundation, { orchestrator, hints });
  const { itemActivities, lookFirst } = composeItemWork(foundation, {
    ...{ items, watch, imageStore, imageRecords, imageCodec, marketplace, vehicles },
    imageSource: createHttpsImageSource({ agent: imageAgent }),
    storeOutbox: composeOutbox(foundation, sending.begin),
    giveWay,
  });
  const bulks = composeBulkSyncs(foundation, { orchestrator, giveWay, lookFirst });
  const lane = lookFirst && createItemLane({ items, orchestrator, lookFirst, now });
  const payments = composePayments(foundation);
  return {
    activities: countedActivities({ ...itemActivities, ...sending.activities, ...bulks.activities }, metrics),
    readGauges: gaugeReader(foundation),
    watchClock: clockWatch(foundation),
    rounds: {
      'sweep-items': lane?.round ?? (async () => (await sweepItems({ items, orchestrator, now })) > 0),
      ...sending.rounds,
      ...bulks.rounds,
      // Never repeated at once, however much is left: that spreads the work of a large account.
      'resume-reconnected': async () => {
        await resumeReconnected({ items, watch, now });
        return false;
      },
      'read-feeds': composeFeeds(foundation, { items, watch, marketplace, nudge: nudger(hints, orchestrator) }),
      'collect-images': () => collectImages({ items, imageRecords, imageStore, now }),
      'count-items': () =>
        countUncounted(store, {
          // A failure of one account must not hold up the others.
          onFailure: (accountId, error) => logger.warn({ accountId, err: error }, 'inventory.not_counted'),
        }),
      'reconcile-subscriptions': () => reconcileSubscriptions({ store, payments, logger, now }),
    },
    close: async () => {
      // Unfinished work is handed over by hints.
      await Promise.all([lane?.drain(), sending.close()]);
      await hints.drain();
      imageCodec.close();
      await Promise.all([imageAgent.close(), closeMarketplace(), vehicles.close()]);
      await store.close();
    },
  };
}

interface ItemParts {
  readonly items: ItemStore;
  readonly watch: MarketplaceWatch;
  readonly imageSource: ImageSource;
  readonly imageCodec: ImageCodec;
  readonly imageStore: ImageStore;
  readonly imageRecords: ReturnType<typeof createImageRecordStore>;
  readonly marketplace: ReturnType<typeof composeMarketplace>['marketplace'];
  readonly vehicles: ReturnType<typeof composeVehicles>;
  readonly storeOutbox: (item: Item) => Promise<void>;
  readonly giveWay: GiveWay;
}

/** Composes the work for single items, with a log line per long step, and the worker's own first look unless workflows do it. */
function composeItemWork(foundation: Foundation, parts: ItemParts) {
  const { config, logger, store } = foundation;
  const {
    items,
    watch,
    imageSource,
    imageCodec,
    imageStore,
    imageRecords,
    marketplace,
    vehicles,
    storeOutbox,
    giveWay,
  } = parts;
  const { lookIntervalMs, fallbackCategoryId } = config.marketplace;
  const encryption = createEncryption(config.secrets.encryptionKeys);
  const sellers = createSellerAccess({ watch, encryption, lookIntervalMs, now });
  const memberOf = createMemberReferences(store, now);
  const advance: AdvanceDependencies = {
    ...{ items, storeOutbox, memberOf, tell: advanceTeller(foundation), now },
    onLook: (item) => {
      if (isPressing(item)) giveWay.notice();
    },
  };
  const activities = createItemActivities({
    advance,
    images: {
      ...{ items, imageRecords, imageSource, imageStore, now },
      ...{ imageCodec, downloadSlots: createDownloadSlots(), imageSteps: createImageSteps() },
      whyNoRoom: async (account) => imageQuotaFailure(await readImageUse(store, account), config.storageQuota),
      pause: (ms, signal) => pause(ms, undefined, { signal }),
    },
    enrichment: composeEnrichment(foundation, { items, vehicles }),
    listings: { items, imageStore, marketplace, sellers, fallbackCategoryId, pause, now },
  });
  return {
    itemActivities: toldSteps(activities, { find: (id) => findItemNames(store, id), logger }),
    lookFirst: firstLookOf(foundation) === 'lane' ? createLookFirst(advance, logger) : undefined,
  };
}
