// The one file where ports meet implementations. Each process takes the part it needs.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { createDeliveryActivities, type DeliveryActivities } from './activities/delivery-activities.ts';
import { createItemActivities, type ItemActivities } from './activities/item-activities.ts';
import { createRecoveryActivities, type RecoveryActivities } from './activities/recovery-activities.ts';
import type { ApiDependencies } from './api/dependencies.ts';
import { itemId } from './core/ids.ts';
import type { Item } from './core/items/item.ts';
import { lookIntervalMs } from './core/listings/look-interval.ts';
import type { Scope } from './core/scope.ts';
import { attemptBounds } from './core/webhooks/attempt-bounds.ts';
import { attemptTimeoutMs } from './core/webhooks/retry-schedule.ts';
import { withBudget } from './gateways/ai/budgeted-model.ts';
import { withCache } from './gateways/ai/cached-model.ts';
import { createEmbeddedClassifier } from './gateways/ai/embedded-classifier.ts';
import type { LanguageModel } from './gateways/ai/language-model.ts';
import { createModelClassifier } from './gateways/ai/model-classifier.ts';
import { createModelTextImprover } from './gateways/ai/model-text-improver.ts';
import { createOpenAiModel } from './gateways/ai/openai-model.ts';
import type { ItemText } from './gateways/ai/port.ts';
import { createSharpImageCodec } from './gateways/image-codec/sharp-image-codec.ts';
import { createHttpsImageSource } from './gateways/image-source/https-image-source.ts';
import { createDiskImageStore } from './gateways/image-store/disk-image-store.ts';
import { createRestMarketplace } from './gateways/marketplace/rest-marketplace.ts';
import type { Orchestrator } from './gateways/orchestrator/port.ts';
import { createTemporalOrchestrator } from './gateways/orchestrator/temporal-orchestrator.ts';
import { createHttpsWebhookSender } from './gateways/webhook-sender/https-webhook-sender.ts';
import { absentVehicleRegistry } from './gateways/vehicle-registry/absent-vehicle-registry.ts';
import { createHttpVehicleRegistry } from './gateways/vehicle-registry/http-vehicle-registry.ts';
import type { Config } from './platform/config.ts';
import { createGuardedAgent } from './platform/guarded-agent.ts';
import type { Logger } from './platform/logger.ts';
import { createEncryption } from './security/encryption.ts';
import { createSessionTokens } from './security/session-token.ts';
import type { ItemListQuery } from './schemas/items/item-list.ts';
import { createAiBudget } from './store/ai-budget.ts';
import { createAiCache } from './store/ai-cache.ts';
import { createCallCounters } from './store/call-budget.ts';
import { isStoreUnavailable, openStore, type StoreConnection } from './store/connection.ts';
import type { Delivery } from './store/deliveries.ts';
import { recordEvents } from './store/event-log.ts';
import { createImageRecordStore } from './store/image-records.ts';
import { createItemListStore } from './store/item-list.ts';
import { createItemStore, type ItemStore } from './store/items.ts';
import { createJournalStore } from './store/journal.ts';
import { createMarketplaceWatch } from './store/marketplace-watch.ts';
import { createOrderStore } from './store/orders.ts';
import { createVehicleLookupStore } from './store/vehicle-lookups.ts';
import { createAccountSide } from './usecases/account-side.ts';
import { confirmKeyActive } from './usecases/api-keys/confirm-key-active.ts';
import { classifyItem } from './usecases/categories/classify-item.ts';
import { convertCategory } from './usecases/categories/convert-category.ts';
import { improveText } from './usecases/categories/improve-text.ts';
import { bindDeliveries } from './usecases/deliveries/bind-deliveries.ts';
import { deliveryHints } from './usecases/deliveries/delivery-hints.ts';
import { sweepDeliveries } from './usecases/deliveries/start-delivery.ts';
import { createEventRecorder } from './usecases/events/event-recorder.ts';
import { planDeliveries } from './usecases/events/plan-deliveries.ts';
import { storeOutbox } from './usecases/events/store-outbox.ts';
import { createHints, type Hints } from './usecases/hints.ts';
import { collectImages } from './usecases/images/collect-images.ts';
import { createItemWrites } from './usecases/items/item-writes.ts';
import { listItems } from './usecases/items/list-items.ts';
import type { EnrichDependencies } from './usecases/items/enrich-item.ts';
import { readHostedImage } from './usecases/items/read-hosted-image.ts';
import { readItem, readItemStatus } from './usecases/items/read-item.ts';
import { readTimeline } from './usecases/items/read-timeline.ts';
import { resumeReconnected, sweepItems } from './usecases/items/sweep-items.ts';
import { budgetedMarketplace } from './usecases/listings/budgeted-marketplace.ts';
import { createCallBudget } from './usecases/listings/create-call-budget.ts';
import { connectedSeller, createSellerAccess } from './usecases/listings/create-seller-access.ts';
import { readDueFeed } from './usecases/listings/read-feeds.ts';
import { bindRecoveries } from './usecases/recoveries/bind-recoveries.ts';
import { sweepRecoveries } from './usecases/recoveries/sweep-recoveries.ts';
import { createVehicleLookup } from './usecases/vehicles/create-vehicle-lookup.ts';
import { readVehicle } from './usecases/vehicles/read-vehicle.ts';

const now = (): Date => new Date();

/** What every process has open. */
export interface Foundation {
  readonly config: Config;
  readonly logger: Logger;
  readonly store: StoreConnection;
  readonly client: Client;
}

/** Opens the database and creates the indexes that are missing. */
export async function openFoundation(opened: Omit<Foundation, 'store'>): Promise<Foundation> {
  const store = await openStore(opened.config.mongo);
  await store.ensureIndexes();
  return { ...opened, store };
}

/** The worker's loops. */
export const roundNames = [
  'sweep-items',
  'sweep-deliveries',
  'sweep-recoveries',
  'resume-reconnected',
  'read-feeds',
  'collect-images',
] as const;
export type RoundName = (typeof roundNames)[number];

export interface WorkerParts {
  readonly activities: ItemActivities & DeliveryActivities & RecoveryActivities;
  /** Rounds of the worker's loops; each says whether it found something to do. */
  readonly rounds: Readonly<Record<RoundName, () => Promise<boolean>>>;
  close(): Promise<void>;
}

/** Everything the worker hosts: activities for the workflows, and rounds for its loops. */
export function composeWorker(foundation: Foundation): WorkerParts {
  const { config, logger, store } = foundation;
  const encryption = createEncryption(config.secrets.encryptionKeys);
  const orchestrator = createTemporalOrchestrator(foundation.client, config.temporal.taskQueue);
  const hints = createHints(logger);
  const imageAgent = createGuardedAgent(config);
  const { marketplace, closeMarketplace } = composeMarketplace(foundation);
  const items = createItemStore(store);
  const imageStore = createDiskImageStore(config.imageStore.directory);
  const imageRecords = createImageRecordStore(store);
  const watch = createMarketplaceWatch(store);
  const { lookIntervalMs: settingMs, callsPerDay, fallbackCategoryId } = config.marketplace;
  const nudge = nudger(hints, orchestrator);
  const sellers = createSellerAccess({ watch, encryption, lookIntervalMs: settingMs, now });
  const vehicles = composeVehicles(foundation);
  const itemActivities = createItemActivities({
    advance: { items, storeOutbox: composeOutbox(foundation, { orchestrator, hints }), now },
    images: {
      items,
      imageRecords,
      imageSource: createHttpsImageSource({ agent: imageAgent }),
      imageCodec: createSharpImageCodec(),
      imageStore,
      pause: (ms, signal) => pause(ms, undefined, { signal }),
      now,
    },
    enrichment: composeEnrichment(foundation, { items, vehicles }),
    listings: { items, imageStore, marketplace, sellers, fallbackCategoryId, pause, now },
  });
  const sending = composeSending(foundation, orchestrator);
  const feeds = {
    watch,
    feeds: marketplace,
    items,
    orders: createOrderStore(store),
    connect: (row: Parameters<typeof connectedSeller>[1]) => connectedSeller({ watch, encryption, now }, row),
    nudge,
    lookIntervalMs: async () => lookIntervalMs({ settingMs, callsPerDay, watchedAccounts: await watch.countWatched() }),
    now,
  };
  return {
    activities: {
      ...itemActivities,
      ...sending.activities,
    },
    rounds: {
      'sweep-items': async () => (await sweepItems({ items, watch, orchestrator, now })) > 0,
      ...sending.rounds,
      'resume-reconnected': async () => (await resumeReconnected({ items, watch, orchestrator, now })) > 0,
      'read-feeds': () => readDueFeed(feeds),
      'collect-images': () => collectImages({ items, imageRecords, imageStore, now }),
    },
    close: async () => {
      await hints.drain();
      await Promise.all([imageAgent.close(), sending.close(), closeMarketplace(), vehicles.close()]);
      await store.close();
    },
  };
}

/** Deliveries and recoveries. A pool of their own: slow receivers must not take the connections that images need. */
function composeSending({ config, logger, store }: Foundation, orchestrator: Orchestrator) {
  // No delivery waits for a connection, not even where many endpoints share a host and some of them hang.
  const agent = createGuardedAgent({ ...config, connectionsPerOriginMax: attemptBounds.inFlightMax });
  const sender = createHttpsWebhookSender({ agent, timeoutMs: attemptTimeoutMs });
  const encryption = createEncryption(config.secrets.encryptionKeys);
  const dependencies = bindDeliveries({ store, encryption, sender, logger, now });
  const { deliveries } = dependencies;
  return {
    activities: {
      ...createDeliveryActivities(dependencies),
      ...createRecoveryActivities(bindRecoveries(store, dependencies, now)),
    },
    rounds: {
      'sweep-deliveries': async () => (await sweepDeliveries({ deliveries, orchestrator, now })) > 0,
      'sweep-recoveries': async () => (await sweepRecoveries({ store, orchestrator, now })) > 0,
    },
    close: () => agent.close(),
  };
}

/** The marketplace, its calls shared out between the accounts. */
function composeMarketplace({ config, store }: Foundation) {
  const rest = createRestMarketplace(config.marketplace);
  const { callsPerDay } = config.marketplace;
  const budget = createCallBudget({ counters: createCallCounters(store), callsPerDay, now });
  return { marketplace: budgetedMarketplace(rest, { budget, now }), closeMarketplace: () => rest.close() };
}

/** By default a lost connection is tried again after up to two minutes; hints should flow as soon as the engine is back. */
const quickReconnect = { 'grpc.initial_reconnect_backoff_ms': 250, 'grpc.max_reconnect_backoff_ms': 2_000 };

/** Everything that the API process calls. The durable engine may be away: nudges are hints, and writes don't wait for them. */
export async function composeApi(
  config: Config,
  logger: Logger,
): Promise<{ dependencies: ApiDependencies; close(): Promise<void> }> {
  const connection = Connection.lazy({ address: config.temporal.address, channelArgs: quickReconnect });
  const client = new Client({ connection, namespace: config.temporal.namespace });
  const foundation = await openFoundation({ config, logger, client });
  const { store } = foundation;
  const { settle: settleItems, ...items } = composeItems(foundation);
  const { settle: settleAccountSide, ...accountSide } = composeAccountSide(foundation);
  const imageStore = createDiskImageStore(config.imageStore.directory);
  const vehicles = composeVehicles(foundation);
  return {
    dependencies: {
      ...accountSide,
      logger,
      items,
      categories: { convert: composeAi(foundation).convertCategory },
      vehicles: { read: vehicles.read },
      images: { read: (key) => readHostedImage(imageStore, key) },
      health: { isReady: () => store.isReachable() },
      isUnavailable: isStoreUnavailable,
    },
    close: async () => {
      await Promise.all([settleItems(), settleAccountSide()]);
      await Promise.all([connection.close(), vehicles.close(), store.close()]);
    },
  };
}

/** What is guessed about categories and texts: with the language model where one is configured, else without a network. */
export function composeAi({ config, logger, store }: Omit<Foundation, 'client'>) {
  const embedded = createEmbeddedClassifier();
  const model = config.ai.url === '' ? null : composeLanguageModel(config.ai, store);
  const classifier = model !== null && config.ai.classifier === 'model' ? createModelClassifier(model) : embedded;
  const { fallbackCategoryId } = config.marketplace;
  const classification = { classifier, embedded, fallbackCategoryId, logger };
  const improvement = { improver: model === null ? null : createModelTextImprover(model), logger };
  return {
    /** The marketplace category of an item of domain `other`; never throws because of a model. */
    classifyItem: (text: ItemText) => classifyItem(classification, text),
    /** null when there is no working model; never throws because of one. */
    improveText: (text: Parameters<typeof improveText>[1]) => improveText(improvement, text),
    convertCategory: (request: Parameters<typeof convertCategory>[1]) => convertCategory(classification, request),
  };
}

/** Both outside systems have time-outs of their own; the part's is there for what they don't cover. */
function composeEnrichment(
  foundation: Foundation,
  { items, vehicles }: { items: ItemStore; vehicles: ReturnType<typeof composeVehicles> },
): EnrichDependencies {
  const { config, logger } = foundation;
  return {
    items,
    ...composeAi(foundation),
    lookUpVehicle: async (plate) => (await vehicles.lookUp(plate)).vehicle,
    fallbackCategoryId: config.marketplace.fallbackCategoryId,
    partTimeoutMs: config.ai.timeoutMs + config.vehicleRegistry.timeoutMs,
    logger,
    now,
  };
}

/** Plates are looked up in the registry where one is configured; its answers are shared by all processes. */
export function composeVehicles({ config, logger, store }: Omit<Foundation, 'client'>) {
  const { vehicleRegistry } = config;
  const registry = vehicleRegistry.url === '' ? absentVehicleRegistry : createHttpVehicleRegistry(vehicleRegistry);
  const lookUp = createVehicleLookup({ registry, lookups: createVehicleLookupStore(store), logger, now });
  return {
    lookUp,
    read: (plate: string | undefined) => readVehicle({ lookUp, now }, plate),
    close: () => registry.close(),
  };
}

/** The cache stands before the budget: an answer that is known costs no call. */
function composeLanguageModel(ai: Config['ai'], store: StoreConnection): LanguageModel {
  const model = withBudget(createOpenAiModel(ai), createAiBudget(store, { ...ai, now }));
  const { cacheDays } = ai;
  return cacheDays === 0 ? model : withCache(model, createAiCache(store, { keptDays: cacheDays, now }), ai.model);
}

/** The item use cases that answer requests. `settle` waits for the hints that are still being sent. */
export function composeItems({ config, logger, store, client }: Foundation) {
  const items = createItemStore(store);
  const hints = createHints(logger);
  const nudge = nudger(hints, createTemporalOrchestrator(client, config.temporal.taskQueue));
  const confirmCredential = (scope: Scope): Promise<void> => confirmKeyActive(store, scope);
  const writes = { items, confirmCredential, nudge, newItemId: () => itemId(randomUUID()), now };
  return {
    ...createItemWrites(writes),
    read: (scope: Scope, externalId: string) => readItem({ items, publicUrl: config.publicUrl }, scope, externalId),
    readStatus: (scope: Scope, externalId: string) => readItemStatus(items, scope, externalId),
    list: (scope: Scope, query: ItemListQuery) =>
      listItems({ itemList: createItemListStore(store), publicUrl: config.publicUrl, now }, scope, query),
    readTimeline: (scope: Scope, page: Parameters<typeof readTimeline>[2]) =>
      readTimeline({ items, journal: createJournalStore(store) }, scope, page),
    settle: () => hints.drain(),
  };
}

/** The use cases around accounts, keys, webhooks, members and connections. `settle` waits for what runs beside the calls. */
export function composeAccountSide({ config, logger, store, client }: Foundation) {
  const hints = createHints(logger);
  const { settle, ...accountSide } = createAccountSide({
    store,
    encryption: createEncryption(config.secrets.encryptionKeys),
    sessions: createSessionTokens(config.secrets.jwtKeys),
    addressPolicy: { allowPrivateNetworks: config.allowPrivateNetworks },
    logger,
    hints: deliveryHints(hints, createTemporalOrchestrator(client, config.temporal.taskQueue)),
    now,
    newId: randomUUID,
  });
  return { ...accountSide, settle: () => Promise.all([settle(), hints.drain()]) };
}

const nudger =
  (hints: Hints, orchestrator: Orchestrator) =>
  (item: Item): void => {
    const { id, accountId, externalId, journal } = item;
    const requestId = journal.at(-1)?.actor.requestId ?? null;
    hints.send(`item:${id}`, () => orchestrator.nudgeItem({ itemId: id, accountId, externalId, requestId }));
  };

function composeOutbox(
  { config, store }: Foundation,
  { orchestrator, hints }: { orchestrator: Orchestrator; hints: Hints },
): (item: Item) => Promise<void> {
  const { startDelivery } = deliveryHints(hints, orchestrator);
  const startAll = (deliveries: readonly Delivery[]): void => {
    for (const delivery of deliveries.filter(({ state }) => state === 'pending')) startDelivery(delivery);
  };
  const recordBatch = createEventRecorder(async (account, events) => {
    const at = now();
    startAll(
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
    platformFeeBps: config.platformFeeBps,
    now,
  };
  return (item) => storeOutbox(dependencies, item);
}
