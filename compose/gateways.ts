import type { ClientOptions } from '@temporalio/client';
import { withBudget, withCache, type LanguageModel } from '../gateways/ai/language-model.ts';
import { createEmbeddedClassifier } from '../gateways/ai/embedded-classifier.ts';
import { createModelClassifier } from '../gateways/ai/model-classifier.ts';
import { createModelTextImprover } from '../gateways/ai/model-text-improver.ts';
import { createOpenAiModel } from '../gateways/ai/openai-model.ts';
import type { ItemText } from '../gateways/ai/port.ts';
import { createRestMarketplace } from '../gateways/marketplace/rest-marketplace.ts';
import { createSandboxBuyers } from '../gateways/marketplace/rest-sandbox-buyers.ts';
import { createSandboxUsers } from '../gateways/marketplace/sandbox-users.ts';
import { tracedStarts } from '../gateways/orchestrator/temporal-orchestrator.ts';
import { absentPayments, createStripePayments } from '../gateways/payments/stripe-payments.ts';
import type { Payments } from '../gateways/payments/port.ts';
import type { Config } from './config.ts';
import type { Tracing } from '../platform/tracing.ts';
import type { ItemStore } from '../store/items/items.ts';
import { createAiCache, createPaidCalls, createVehicleLookupStore } from '../store/paid-calls/paid-calls.ts';
import { createCallCounters } from '../store/paid-calls/call-counters.ts';
import type { Sandbox } from '../usecases/sandbox/sandbox.ts';
import { classifyItem, improveText } from '../usecases/categories/categories.ts';
import type { EnrichDependencies } from '../usecases/items/enrich-item.ts';
import { budgetedMarketplace, createCallBudget } from '../usecases/listings/budgeted-marketplace.ts';
import { marketplaceOfSeller } from '../usecases/listings/seller-access.ts';
import {
  createLookupBudget,
  createVehicleLookup,
  LookupsOff,
  type VehicleLookup,
} from '../usecases/vehicles/look-up-vehicle.ts';
import { observedMarketplace, observedPayments } from './observe.ts';
import type { Foundation } from './foundation.ts';
import { openVehicleRegistry } from './vehicle-registry.ts';

/** Client options of the durable engine that carry traces on. */
export const tracedClient = (tracing: Tracing | undefined): Pick<ClientOptions, 'interceptors'> =>
  tracing === undefined ? {} : { interceptors: { workflow: [tracedStarts(tracing)] } };

/** The real marketplace, whose calls are shared out between the accounts, and the simulated one of test keys. */
export function composeMarketplace({ config, store, metrics, tracing, now }: Foundation) {
  const rest = createRestMarketplace(config.marketplace);
  const { callsPerDay } = config.marketplace;
  const budget = createCallBudget({ counters: createCallCounters(store), callsPerDay, now });
  const observed = observedMarketplace(rest, { metrics, tracing });
  const live = budgetedMarketplace(observed, { budget, now });
  const sandbox = composeSandboxMarketplace({ config, store, now });
  return {
    marketplace: marketplaceOfSeller(live, config.sandbox.kind === 'whole' ? live : sandbox.marketplace),
    closeMarketplace: () => Promise.all([rest.close(), sandbox.close()]),
  };
}

/** It has no budget and no metrics, because those count calls to the real marketplace. */
function composeSandboxMarketplace({ config, store, now }: Pick<Foundation, 'config' | 'store' | 'now'>) {
  if (config.sandbox.kind !== 'apart') return { marketplace: null, close: () => Promise.resolve() };
  const rest = createRestMarketplace(sandboxHttp(config));
  const budget = createCallBudget({ counters: createCallCounters(store), callsPerDay: undefined, now });
  return { marketplace: budgetedMarketplace(rest, { budget, now }), close: () => rest.close() };
}

const sandboxHttp = ({ sandbox, marketplace }: Config) => ({
  ...{ url: sandbox.url, appId: sandbox.appId, appKey: sandbox.appKey },
  requestTimeoutMs: marketplace.requestTimeoutMs,
});

/** Whether test keys work, and where. */
export function composeSandbox({ config }: Pick<Foundation, 'config'>): {
  readonly sandbox: Sandbox;
  readonly close: () => Promise<unknown>;
} {
  const { kind } = config.sandbox;
  if (kind === 'none') return { sandbox: { kind }, close: () => Promise.resolve() };
  const buyers = createSandboxBuyers(kind === 'whole' ? config.marketplace : sandboxHttp(config));
  if (kind === 'whole') return { sandbox: { kind, buyers }, close: () => buyers.close() };
  const users = createSandboxUsers(sandboxHttp(config));
  return { sandbox: { kind, users, buyers }, close: () => Promise.all([users.close(), buyers.close()]) };
}

/** The payment processor, where one is configured. */
export const composePayments = ({
  config,
  metrics,
  now,
  instead,
}: Pick<Foundation, 'config' | 'metrics' | 'now' | 'instead'>): Payments =>
  observedPayments(
    instead?.payments ??
      (config.payments.secretKey === '' ? absentPayments : createStripePayments({ ...config.payments, now })),
    metrics,
  );

interface ComposedVehicles {
  readonly lookUp: VehicleLookup;
  readonly close: () => Promise<void>;
}

/** Looks plates up in the configured registry, if any; all processes share its answers. */
export function composeVehicles(
  foundation: Pick<Foundation, 'config' | 'logger' | 'store' | 'now' | 'instead'>,
): ComposedVehicles {
  const { config, logger, store, now, instead } = foundation;
  const registry = instead?.vehicleRegistry ?? openVehicleRegistry(config.vehicleRegistry);
  if (registry === null) return { lookUp: () => Promise.reject(new LookupsOff()), close: () => Promise.resolve() };
  const { lookups: limits } = config.vehicleRegistry;
  const budget = createLookupBudget(createPaidCalls(store, now), { limits, now });
  const lookups = createVehicleLookupStore(store);
  return { lookUp: createVehicleLookup({ registry, lookups, budget, logger, now }), close: () => registry.close() };
}

/** Classification and text improvement: with the configured language model, else without a network. */
export function composeAi({ config, logger, store, now }: Pick<Foundation, 'config' | 'logger' | 'store' | 'now'>) {
  const embedded = createEmbeddedClassifier();
  const model = config.ai.url === '' ? null : composeLanguageModel(config.ai, { store, now });
  const classifier = model !== null && config.ai.classifier === 'model' ? createModelClassifier(model) : embedded;
  const { fallbackCategoryId } = config.marketplace;
  const classification = { classifier, embedded, fallbackCategoryId, logger };
  const improvement = { improver: model === null ? null : createModelTextImprover(model), logger };
  return {
    /** The marketplace category of an item of domain `other`. A failing model causes no error. */
    classifyItem: (text: ItemText) => classifyItem(classification, text),
    /** null without a working model. A failing model causes no error. */
    improveText: (text: Parameters<typeof improveText>[1]) => improveText(improvement, text),
    classification,
  };
}

/** The cache comes before the budget, so a known answer costs no call. */
function composeLanguageModel(ai: Config['ai'], { store, now }: Pick<Foundation, 'store' | 'now'>): LanguageModel {
  const calls = createPaidCalls(store, now);
  const budget = { take: async () => (await calls.take('ai', ai)) === 0 };
  const model = withBudget(createOpenAiModel(ai), budget);
  const { cacheDays } = ai;
  return cacheDays === 0 ? model : withCache(model, createAiCache(store, { keptDays: cacheDays, now }), ai.model);
}

/** Both external systems have time-outs of their own; this one covers whatever else may hang. */
export function composeEnrichment(
  foundation: Foundation,
  { items, vehicles }: { items: ItemStore; vehicles: ComposedVehicles },
): EnrichDependencies {
  const { config, logger, now } = foundation;
  return {
    items,
    ...composeAi(foundation),
    lookUpVehicle: async (accountId, plate) =>
      (await vehicles.lookUp(accountId, plate, { asksFailedAgain: true })).vehicle,
    fallbackCategoryId: config.marketplace.fallbackCategoryId,
    partTimeoutMs: config.ai.timeoutMs + config.vehicleRegistry.timeoutMs,
    logger,
    now,
  };
}
