import type { ClientOptions } from '@temporalio/client';
import { withBudget, withCache, type LanguageModel } from '../gateways/ai/language-model.ts';
import { createEmbeddedClassifier } from '../gateways/ai/embedded-classifier.ts';
import { createModelClassifier } from '../gateways/ai/model-classifier.ts';
import { createModelTextImprover } from '../gateways/ai/model-text-improver.ts';
import { createOpenAiModel } from '../gateways/ai/openai-model.ts';
import type { ItemText } from '../gateways/ai/port.ts';
import type { MarketplaceAccess } from '../gateways/marketplace/marketplace-http.ts';
import { createMarketplaceLogin } from '../gateways/marketplace/marketplace-login.ts';
import type { MarketplaceLogin } from '../gateways/marketplace/port.ts';
import { createRestMarketplace } from '../gateways/marketplace/rest-marketplace.ts';
import { createSandboxBuyers } from '../gateways/marketplace/rest-sandbox-buyers.ts';
import { createSandboxUsers } from '../gateways/marketplace/sandbox-users.ts';
import { tracedStarts } from '../gateways/orchestrator/temporal-orchestrator.ts';
import { absentPayments, createStripePayments } from '../gateways/payments/stripe-payments.ts';
import type { Payments } from '../gateways/payments/port.ts';
import type { Config } from './config.ts';
import type { Tracing } from '../platform/tracing.ts';
import type { ItemStore } from '../features/items/store/items.ts';
import { createAiCache, createPaidCalls } from '../features/accounts/store/paid-calls.ts';
import { createVehicleLookupStore } from '../features/vehicles/store/plate-cache.ts';
import { createCallCounters } from '../features/accounts/store/call-counters.ts';
import type { Sandbox } from '../features/accounts/sandbox.ts';
import { classifyItem, improveText } from '../features/listings/categories.ts';
import type { EnrichDependencies } from '../features/items/enrich-item.ts';
import { budgetGate, createCallBudget, ensureCalls } from '../features/listings/call-budget.ts';
import {
  createLookupBudget,
  createVehicleLookup,
  LookupsOff,
  type VehicleLookup,
} from '../features/vehicles/look-up-vehicle.ts';
import { observedCalls, observedPayments } from './observe.ts';
import type { Foundation } from './foundation.ts';
import { openVehicleRegistry } from './vehicle-registry.ts';

/** Client options of the durable engine that carry traces on. */
export const tracedClient = (tracing: Tracing | undefined): Pick<ClientOptions, 'interceptors'> =>
  tracing === undefined ? {} : { interceptors: { workflow: [tracedStarts(tracing)] } };

/** The budget of calls to the real marketplace, which all processes share. */
export const composeCallBudget = ({ config, store, now }: Pick<Foundation, 'config' | 'store' | 'now'>) => {
  const { callsPerDay, callLimit: limit } = config.marketplace;
  return createCallBudget({ counters: createCallCounters(store), callsPerDay, limit, now });
};

/** The real marketplace, whose calls are shared out between the accounts and counted, and the simulated one of test keys. */
export function composeMarketplace(foundation: Foundation) {
  const { config, logger, metrics, tracing, now } = foundation;
  const { adUrlTemplate, requestTimeoutMs, wire: settings } = config.marketplace;
  const clock = { budget: composeCallBudget(foundation), now };
  const [budgeted, observed] = [budgetGate(clock), observedCalls({ metrics, tracing })];
  const marketplace = createRestMarketplace({
    live: config.marketplace,
    sandbox: sandboxAccess(config),
    adUrlTemplate,
    requestTimeoutMs,
    settings,
    now,
    gate: (place, send) => budgeted(place, () => observed(place, send)),
    onUnreadableRows: (what) => logger.error(what, 'marketplace.rows_unreadable'),
  });
  return { marketplace, ensureCalls: ensureCalls(clock), closeMarketplace: () => marketplace.close() };
}

/** Where the sellers of sandboxes are; null: nowhere. */
function sandboxAccess({ sandbox, marketplace }: Config): MarketplaceAccess | null {
  if (sandbox.kind === 'none') return null;
  return sandbox.kind === 'whole' ? marketplace : sandbox;
}

/** The login of sellers at the real marketplace; null where the application has no public key. */
export function composeLogin({ config }: Pick<Foundation, 'config'>): MarketplaceLogin | null {
  const { publicKey, requestTimeoutMs } = config.marketplace;
  return publicKey === '' ? null : createMarketplaceLogin({ access: config.marketplace, publicKey, requestTimeoutMs });
}

/** Whether test keys work, and where. */
export function composeSandbox({ config }: Pick<Foundation, 'config'>): {
  readonly sandbox: Sandbox;
  readonly close: () => Promise<unknown>;
} {
  const { kind } = config.sandbox;
  const access = sandboxAccess(config);
  if (kind === 'none' || access === null) return { sandbox: { kind: 'none' }, close: () => Promise.resolve() };
  const { requestTimeoutMs } = config.marketplace;
  const buyers = createSandboxBuyers({ ...access, requestTimeoutMs });
  if (kind === 'whole') return { sandbox: { kind, buyers }, close: () => buyers.close() };
  const users = createSandboxUsers({ ...access, requestTimeoutMs });
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
