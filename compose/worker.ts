import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createBulkActivities,
  createDeliveryActivities,
  createItemActivities,
  createReceiverActivities,
  type BulkActivities,
  type DeliveryActivities,
  type ItemActivities,
  type ReceiverActivities,
} from '../activities/activities.ts';
import { itemId, type AccountId } from '../features/rules/ids.ts';
import { hintIntervalMs, lookIntervalMs, sandboxLookIntervalMs } from '../features/listings/rules/call-budget.ts';
import { imageQuotaFailure } from '../features/accounts/rules/storage-quota.ts';
import type { Scope } from '../features/rules/scope.ts';
import { createImageProcesses } from '../gateways/image-process/image-processes.ts';
import type { ImageProcesses } from '../gateways/image-process/port.ts';
import { createKeyedMutex } from '../platform/concurrency/keyed-mutex.ts';
import { createEncryption } from '../platform/security/encryption.ts';
import { hasOlderBulk } from '../features/bulk-syncs/store/bulk-syncs.ts';
import { createImageClaimStore } from '../features/images/store/image-claims.ts';
import { createImageRecordStore } from '../features/images/store/image-records.ts';
import { readImageUse } from '../features/images/store/image-usage.ts';
import { numberUnread } from '../features/webhooks/store/events.ts';
import { findItemNames, type ItemStore } from '../features/items/store/items.ts';
import {
  findConnectionState,
  findListingDefaults,
  type MarketplaceConnectionRow,
} from '../features/listings/store/marketplace-connections.ts';
import { createMarketplaceWatch, type MarketplaceWatch } from '../features/listings/store/marketplace-watch.ts';
import { createOrderStore } from '../features/orders/store/orders.ts';
import { createImageSteps, type ImageDependencies } from '../features/images/process-images.ts';
import { collectImages } from '../features/images/collect-images.ts';
import type { BulkOrigin } from '../features/items/apply-lines.ts';
import { resumeReconnected } from '../features/listings/marketplace-connection.ts';
import { watchTokens } from '../features/listings/watch-tokens.ts';
import { connectedSeller, createSellerAccess } from '../features/listings/seller-access.ts';
import { lookAtDueSeller } from '../features/listings/look-at-sellers.ts';
import type { LookDependencies } from '../features/listings/look.ts';
import { createOrderWork } from '../features/orders/follow-marketplace-orders.ts';
import { createItemRoom } from '../features/accounts/create-item-room.ts';
import { reconcileSubscriptions } from '../features/partner/refresh-subscription.ts';
import { composeDispatch } from './dispatch.ts';
import { composeEnrichment, composeMarketplace, composePayments, composeVehicles } from './gateways.ts';
import type { Foundation, WorkerFoundation } from './foundation.ts';
import { countedActivities, loggedSteps } from './observe.ts';
import { gaugeReader, clockWatch } from './watch-service.ts';

/** The worker's loops. `WORKER_LOOPS` names those that a process runs. */
export const roundNames = [
  'relay',
  'resume-reconnected',
  'look-at-sellers',
  'watch-tokens',
  'collect-images',
  'number-events',
  'reconcile-subscriptions',
] as const;
export type RoundName = (typeof roundNames)[number];

export interface WorkerParts {
  readonly activities: ItemActivities & DeliveryActivities & ReceiverActivities & BulkActivities;
  /** The rounds of the worker's loops. Each returns true when more work may be waiting, and then runs again at once. */
  readonly rounds: Readonly<Record<RoundName, () => Promise<boolean>>>;
  /** A further round, for a worker with exposed metrics. */
  readonly readGauges: () => Promise<boolean>;
  readonly watchClock: () => Promise<boolean>;
  /** Ends long activities early, because the process ends. */
  readonly hurry: () => void;
  close(): Promise<void>;
}

/** Always followed by a pause, however much was found. */
const once = (round: () => Promise<unknown>) => async (): Promise<boolean> => {
  await round();
  return false;
};

/** Everything the worker hosts: activities for the workflows, and rounds for its loops. */
export function composeWorker(foundation: WorkerFoundation): WorkerParts {
  const { config, logger, store, imageStore, metrics, now } = foundation;
  const { allowPrivateNetworks, authoritiesFile } = config;
  const imageProcesses = createImageProcesses({ allowPrivateNetworks, authoritiesFile });
  const { marketplace, ensureCalls, closeMarketplace } = composeMarketplace(foundation);
  const images = { imageStore, imageRecords: createImageRecordStore(store), imageClaims: createImageClaimStore(store) };
  const watch = createMarketplaceWatch(store);
  const vehicles = composeVehicles(foundation);
  const dispatch = composeDispatch(foundation);
  const { items, sending, stored, hints } = dispatch;
  const stopping = new AbortController();
  const itemActivities = composeItemActivities(foundation, {
    items,
    watch,
    images,
    imageProcesses,
    marketplace,
    ensureCalls,
    vehicles,
    dispatch,
  });
  const activities = {
    ...itemActivities,
    ...createDeliveryActivities(sending),
    ...createReceiverActivities(
      {
        ...sending,
        stored,
        hints,
        pause,
        newId: randomUUID,
        addressPolicy: { allowPrivateNetworks },
        // An operator acts without a credential, so there is none to confirm.
        confirmCredential: () => Promise.resolve(),
      },
      stopping.signal,
    ),
    ...composeBulkActivities(foundation, dispatch),
  };
  const payments = composePayments(foundation);
  return {
    activities: countedActivities(activities, metrics),
    readGauges: gaugeReader(foundation),
    watchClock: clockWatch(foundation),
    hurry: () => stopping.abort(),
    rounds: {
      relay: dispatch.relay,
      // Never repeated at once, so that the work of a large account is spread.
      'resume-reconnected': once(() => resumeReconnected({ items, watch, now })),
      'look-at-sellers': composeLooks(foundation, { items, watch, marketplace }),
      'watch-tokens': () => watchTokens({ watch, now }),
      'collect-images': () => collectImages({ items, ...images, now }),
      'number-events': () => numberUnread(store),
      'reconcile-subscriptions': () => reconcileSubscriptions({ store, payments, logger, now }),
    },
    close: async () => {
      await dispatch.close();
      await Promise.all([imageProcesses.close(), closeMarketplace(), vehicles.close()]);
      await store.close();
    },
  };
}

type Dispatch = ReturnType<typeof composeDispatch>;

interface ItemParts {
  readonly items: ItemStore;
  readonly watch: MarketplaceWatch;
  readonly imageProcesses: ImageProcesses;
  readonly images: Pick<ImageDependencies, 'imageStore' | 'imageRecords' | 'imageClaims'>;
  readonly marketplace: ReturnType<typeof composeMarketplace>['marketplace'];
  readonly ensureCalls: ReturnType<typeof composeMarketplace>['ensureCalls'];
  readonly vehicles: ReturnType<typeof composeVehicles>;
  readonly dispatch: Dispatch;
}

/** The steps of single items, with a log line per long step. */
function composeItemActivities(foundation: Foundation, parts: ItemParts): ItemActivities {
  const { config, logger, store, imageStore, now } = foundation;
  const { items, watch, images, imageProcesses } = parts;
  const { marketplace, ensureCalls, vehicles, dispatch } = parts;
  const { lookIntervalMs: intervalMs, fallbackCategoryId } = config.marketplace;
  const encryption = createEncryption(config.secrets.encryptionKeys);
  const sellers = createSellerAccess({ watch, encryption, lookIntervalMs: intervalMs, now });
  const activities = createItemActivities({
    advance: dispatch.advance,
    images: {
      items,
      ...images,
      imageProcesses,
      imageSteps: createImageSteps(),
      now,
      whyNoRoom: async (account) => imageQuotaFailure(await readImageUse(store, account), config.storageQuota),
      pause: (ms, signal) => pause(ms, undefined, { signal }),
    },
    enrichment: composeEnrichment(foundation, { items, vehicles }),
    listings: {
      items,
      imageStore,
      marketplace,
      ensureCalls,
      sellers,
      logger,
      fallbackCategoryId,
      pause,
      now,
      drafts: { last: null },
      defaultsOf: (account) => findListingDefaults(store, account),
    },
  });
  return loggedSteps(activities, { find: (item) => findItemNames(store, item), logger });
}

/** The round that looks at one seller; with many watched accounts the call budget lengthens the interval. */
function composeLooks(
  { config, store, logger, now }: Foundation,
  { items, watch, marketplace }: Pick<ItemParts, 'items' | 'watch' | 'marketplace'>,
): () => Promise<boolean> {
  const encryption = createEncryption(config.secrets.encryptionKeys);
  const { lookIntervalMs: settingMs, callsPerDay, callLimit: limit } = config.marketplace;
  const paceOf: LookDependencies['paceOf'] = async ({ isSandbox }) => {
    if (isSandbox === true) return { fullMs: () => sandboxLookIntervalMs(settingMs), hintMs: null };
    const plan = { settingMs, callsPerDay, limit, watchedAccounts: await watch.countWatched() };
    return { fullMs: (calls) => lookIntervalMs({ ...plan, calls }), hintMs: hintIntervalMs(plan) };
  };
  const looks = {
    watch,
    items,
    now,
    logger,
    paceOf,
    feeds: marketplace,
    orders: createOrderStore(store),
    orderWork: createOrderWork({ store, logger, marketplace, buyerDataDays: config.buyerDataDays, now }),
    connect: (row: MarketplaceConnectionRow) => connectedSeller({ watch, encryption, now }, row),
    settleMs: 2 * settingMs,
    platformFeeBps: config.platformFeeBps,
    newRequestId: () => `marketplace-${randomUUID()}`,
  };
  return () => lookAtDueSeller(looks);
}

function composeBulkActivities(
  { config, store, logger, now }: Foundation,
  { lines }: Pick<Dispatch, 'lines'>,
): BulkActivities {
  const items = {
    lines,
    hasOlderBulk: (scope: Scope, bulk: BulkOrigin) => hasOlderBulk(store, { ...scope, ...bulk }),
    // Each chunk checks its sender itself (confirm-sender.ts).
    confirmCredential: () => Promise.resolve(),
    connectionOf: (account: AccountId) => findConnectionState(store, account),
    takeRoom: createItemRoom({ store, now, itemsMax: config.storageQuota.itemsMax }),
    runExclusive: createKeyedMutex(),
    newItemId: () => itemId(randomUUID()),
    now,
  };
  return createBulkActivities({ store, items, logger, now });
}
