import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import type { TestFn } from 'ava';
import { composeContext } from '../../compose/context.ts';
import { openFoundation, type WorkerFoundation } from '../../compose/foundation.ts';
import { accountId, type AccountId } from '../../features/rules/ids.ts';
import type { ItemContent } from '../../features/items/rules/item-content.ts';
import type { EventType } from '../../features/webhooks/rules/event-types.ts';
import type { Scope } from '../../features/rules/scope.ts';
import { loadConfig } from '../../compose/config.ts';
import { connectTemporal } from '../../gateways/orchestrator/temporal-connection.ts';
import { createLogger } from '../../platform/logger.ts';
import { startImageServer } from '../../simulators/images/start-image-server.ts';
import { defaultApplication } from '../../simulators/marketplace/default-application.ts';
import { startMarketplaceSimulator } from '../../simulators/marketplace/start-marketplace-simulator.ts';
import { startWebhookReceiver } from '../../simulators/webhook-receiver/start-webhook-receiver.ts';
import { runWorkers, type RunningWorkers } from '../../workers/run-workers.ts';
import { generousRateLimits } from './generous-rate-limits.ts';
import { anItemRequest } from './an-item-request.ts';
import { requireSoundWebhooks } from './sound-webhooks.ts';
import { silenceTemporal } from './silence-temporal.ts';
import { until } from './until.ts';
import { webhookSecretsOf } from './webhook-secrets.ts';
import { createWebhookOnce } from '../../features/webhooks/register-webhook.ts';
import { setMarketplaceConnection } from '../../features/listings/marketplace-connection.ts';
import type { Context } from '../../features/context.ts';
import { changeItemStatus } from '../../features/items/change-status.ts';
import { deleteItem } from '../../features/items/delete-item.ts';
import { changeItemPrice } from '../../features/items/change-price.ts';
import { publishItem } from '../../features/items/publish-item.ts';
import { readItemStatus } from '../../features/items/read-item.ts';
import { upsertItem } from '../../features/items/upsert-item.ts';

const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run the tests by "npm test"`);
  return value;
};

/** Settings of a system of a test's own: database and task queues nobody else uses, on the run's shared servers. */
export function worldEnvironment(overrides: Record<string, string> = {}): Record<string, string> {
  const name = `t${randomBytes(6).toString('hex')}`;
  return {
    MONGODB_URI: setting('TEST_MONGODB_URI'),
    MONGODB_DATABASE: name,
    TEMPORAL_ADDRESS: setting('TEST_TEMPORAL_ADDRESS'),
    TEMPORAL_TASK_QUEUE: name,
    IMAGE_STORE_DIR: join(setting('TEST_DIRECTORY'), name, 'images'),
    WORKFLOW_BUNDLE: process.env['TEST_WORKFLOW_BUNDLE'] ?? '',
    MARKETPLACE_APP_ID: defaultApplication.appId,
    MARKETPLACE_APP_KEY: defaultApplication.appKey,
    MARKETPLACE_LOOK_INTERVAL_MS: '200',
    MARKETPLACE_CALLS_PER_DAY: '100000000',
    MARKETPLACE_REQUEST_TIMEOUT_MS: '1500',
    JWT_KEYS: 'test:a-signing-key-of-the-tests-that-is-long-enough',
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    ...generousRateLimits,
    ALLOW_PRIVATE_NETWORKS: 'true',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'fatal',
    ...overrides,
  };
}

export interface Simulators {
  readonly marketplace: { readonly url: string; readonly adminUrl: string };
  readonly images: { readonly url: string; readonly adminUrl: string };
  readonly receiver: { readonly url: string; readonly adminUrl: string };
  close(): Promise<void>;
}

/** The outside of the product, in this process. `imageFolder` holds the files that the image server has. */
export async function startSimulators(
  options: { imageFolder?: string; processingDelayMs?: number } = {},
): Promise<Simulators> {
  const tls = { keyFile: setting('TEST_TLS_KEY_FILE'), certFile: setting('TEST_TLS_CERT_FILE') };
  const [marketplace, images, receiver] = await Promise.all([
    startMarketplaceSimulator({ processingDelayMs: options.processingDelayMs ?? 50 }),
    startImageServer({ tls, folder: options.imageFolder ?? 'examples/catalogue/images' }),
    startWebhookReceiver({ tls }),
  ]);
  const close = async (): Promise<void> => {
    await Promise.all([marketplace.close(), images.close(), receiver.close()]);
  };
  return { marketplace, images, receiver, close };
}

export type Json = Record<string, unknown>;

export async function callAdmin<Answer = Json>(url: string, method = 'GET', body?: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${await response.text()}`);
  return (response.status === 204 ? {} : await response.json()) as Answer;
}

export interface MarketplaceListing {
  readonly itemId: number;
  readonly requestId: number;
  readonly ownReferences: readonly string[];
  readonly title: string;
  readonly startPrice: number;
  readonly state: string;
  readonly imageCount: number;
  readonly bids: number;
}

export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: {
    eventId: string;
    eventType: string;
    timestamp: string;
    data: Json & { externalId: string; sequence: number };
  };
  readonly rawBase64: string;
}

export interface TestAccount {
  readonly id: AccountId;
  readonly scope: Scope;
  readonly secret: string;
  push(
    externalId: string,
    content?: Partial<ItemContent>,
    options?: { autoPublish?: boolean },
  ): Promise<{ itemId: string; outcome: string }>;
  changePrice(externalId: string, priceOre: number): Promise<{ itemId: string; outcome: string }>;
  changeStatus(externalId: string, status: 'not_listed' | 'sold'): Promise<{ itemId: string; outcome: string }>;
  remove(externalId: string): Promise<{ itemId: string; outcome: string }>;
  publish(externalId: string): Promise<{ itemId: string; outcome: string }>;
  /** Connects to the marketplace (again), with a fresh token. */
  connect(): Promise<void>;
  status(externalId: string): ReturnType<typeof readItemStatus>;
  /** What the receiver got for this account, oldest first; throws unless all of it is sound. */
  received(eventType?: string): Promise<ReceivedWebhook[]>;
  listings(externalId: string): Promise<MarketplaceListing[]>;
}

export interface World extends Simulators {
  readonly foundation: WorkerFoundation;
  readonly context: Context;
  /** An account with a marketplace connection and a webhook endpoint for everything. */
  account(options?: AccountWish): Promise<TestAccount>;
  startWorkers(): Promise<RunningWorkers>;
  stop(): Promise<void>;
}

/** A system that the tests of a file share. */
export function withWorld(test: TestFn, onStarted: (world: World) => unknown, options?: WorldOptions): void {
  let world: World | undefined;
  test.before(async () => {
    world = await startWorld(options);
    await onStarted(world);
  });
  test.after.always(async () => {
    await world?.stop();
  });
}

interface WorldOptions {
  readonly workers?: boolean;
  readonly imageFolder?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A whole system of the test's own: simulators, use cases and (unless told otherwise) workers, in this process. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  silenceTemporal();
  const simulators = await startSimulators(options);
  const config = loadConfig(worldEnvironment({ MARKETPLACE_URL: simulators.marketplace.url, ...options.environment }));
  const logger = createLogger('test', config.logLevel);
  const connection = connectTemporal(config.temporal.connection);
  const foundation = { ...(await openFoundation({ config, logger })), client: new Client({ connection }) };
  const running: RunningWorkers[] = [];
  const startWorkers = async (): Promise<RunningWorkers> => {
    const workers = await runWorkers(config, logger);
    running.push(workers);
    return workers;
  };
  if (options.workers !== false) await startWorkers();
  const { context, close } = composeContext(foundation);
  return {
    ...simulators,
    foundation,
    context,
    startWorkers,
    account: (wish) => makeAccount({ simulators, foundation, context }, wish),
    stop: async () => {
      // Before the connection goes: a call that is tried again on a closed one fails where nobody listens.
      await close();
      await Promise.all(running.map((workers) => workers.stop()));
      await foundation.store.connection.dropDatabase();
      await foundation.store.close();
      await connection.close();
      await simulators.close();
    },
  };
}

interface AccountParts {
  readonly simulators: Simulators;
  readonly foundation: WorkerFoundation;
  readonly context: Context;
}

interface AccountWish {
  readonly connected?: boolean;
  /** Of its endpoint: the specified ones by default. */
  readonly eventTypes?: readonly EventType[];
}

async function makeAccount(
  { simulators, foundation, context }: AccountParts,
  wish: AccountWish = {},
): Promise<TestAccount> {
  const id = accountId(randomUUID());
  const scope: Scope = { accountId: id, actingAccountId: id, credential: { kind: 'system' } };
  if (wish.connected !== false) await connectMarketplace({ simulators, context }, scope);
  const hook = await createWebhookOnce(context, scope, {
    url: `${simulators.receiver.url}/hooks/${id}`,
    eventTypes: [...(wish.eventTypes ?? [])],
    scope: 'self',
    description: '',
  });
  const readSecrets = webhookSecretsOf(foundation, id);
  await readSecrets();
  return {
    id,
    scope,
    secret: hook.secret,
    push: (externalId, content, options) =>
      upsertItem(context, scope, { externalId, request: anItemRequest(content, options) }),
    changePrice: (externalId, priceOre) => changeItemPrice(context, scope, { externalId, priceOre }),
    changeStatus: (externalId, status) => changeItemStatus(context, scope, { externalId, status }),
    remove: (externalId) => deleteItem(context, scope, { externalId }),
    publish: (externalId) => publishItem(context, scope, { externalId }),
    connect: () => connectMarketplace({ simulators, context }, scope),
    status: (externalId) => readItemStatus(context, scope, externalId),
    received: async (eventType) => {
      const answer = await callAdmin<{ received: ReceivedWebhook[] }>(
        `${simulators.receiver.adminUrl}/received?path=/hooks/${id}`,
      );
      const secrets = await readSecrets();
      requireSoundWebhooks(answer.received, () => secrets);
      return answer.received.filter((webhook) => eventType === undefined || webhook.body.eventType === eventType);
    },
    listings: async (externalId) => {
      const { status } = await readItemStatus(context, scope, externalId);
      const url = `${simulators.marketplace.adminUrl}/listings?ownReference=${status.serviceItemId}`;
      return (await callAdmin<{ listings: MarketplaceListing[] }>(url)).listings;
    },
  };
}

/** Connects, or connects again with a fresh token. */
async function connectMarketplace(
  { simulators, context }: Pick<AccountParts, 'simulators' | 'context'>,
  scope: Scope,
): Promise<void> {
  const user = await callAdmin<{ userId: string; token: string }>(`${simulators.marketplace.adminUrl}/users`, 'POST', {
    userId: scope.accountId,
  });
  await setMarketplaceConnection(context, scope, { marketplaceUserId: user.userId, token: user.token });
}

/** Waits until the item's marketplace status is `wanted`. */
export const untilMarketplaceStatus = (account: TestAccount, externalId: string, wanted: string): Promise<unknown> =>
  until(
    `${externalId} is ${wanted} on the marketplace`,
    async () => (await account.status(externalId)).status.marketplaceStatus === wanted,
  );

/** Waits until the account's receiver got so many events of a type, and gives them, oldest first. */
export const untilReceived = (account: TestAccount, eventType: string, count = 1): Promise<ReceivedWebhook[]> =>
  until(`${count} ${eventType}`, async () => {
    const received = await account.received(eventType);
    return received.length >= count && received;
  });
