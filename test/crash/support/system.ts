import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { composeAccountSide, openFoundation } from '../../../compose.ts';
import { accountId } from '../../../core/ids.ts';
import type { Scope } from '../../../core/scope.ts';
import { freePort } from '../../../embedded/choose-port.ts';
import { nodeProcess } from '../../../embedded/node-process.ts';
import type { ManagedProcess } from '../../../embedded/managed-process.ts';
import { loadConfig } from '../../../platform/config.ts';
import { createLogger } from '../../../platform/logger.ts';
import {
  callAdmin,
  startSimulators,
  worldEnvironment,
  type MarketplaceListing,
  type ReceivedWebhook,
  type Simulators,
} from '../../support/world.ts';

/** The product as processes of their own, to be killed, with the outside in the test's process. */
export interface System extends Simulators {
  readonly api: ManagedProcess;
  readonly worker: ManagedProcess;
  readonly apiUrl: string;
  readonly apiKey: string;
  /** Answers of the API; `null` when the connection broke. */
  put(externalId: string, body: object): Promise<number | null>;
  status(externalId: string): Promise<{ marketplaceStatus: string; serviceStatus: string; serviceItemId: string }>;
  received(): Promise<ReceivedWebhook[]>;
  listings(): Promise<MarketplaceListing[]>;
  stop(): Promise<void>;
}

/** `overrides` points at servers of the test's own, when those are to be killed. */
export async function startSystem(overrides: Record<string, string> = {}): Promise<System> {
  const simulators = await startSimulators();
  const port = await freePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const settings = worldEnvironment({
    MARKETPLACE_URL: simulators.marketplace.url,
    API_PORT: String(port),
    PUBLIC_URL: apiUrl,
    LOG_LEVEL: 'info',
    ...overrides,
  });
  const environment = { ...process.env, ...settings };
  const logFile = (name: string): string =>
    join(process.env['TEST_DIRECTORY'] ?? '.', `${settings['MONGODB_DATABASE'] ?? ''}-${name}.log`);
  const api = nodeProcess({
    name: 'api',
    entry: 'api/main.ts',
    environment,
    logFile: logFile('api'),
    healthUrl: `${apiUrl}/healthz`,
  });
  const worker = nodeProcess({ name: 'worker', entry: 'workers/main.ts', environment, logFile: logFile('worker') });
  const apiKey = await makeAccount(settings, simulators);
  await Promise.all([api.start(), worker.start()]);
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const itemUrl = (externalId: string): string => `${apiUrl}/integration/v1/items/${externalId}`;
  return {
    ...simulators,
    api,
    worker,
    apiUrl,
    apiKey,
    put: async (externalId, body) => {
      try {
        const response = await fetch(itemUrl(externalId), { method: 'PUT', headers, body: JSON.stringify(body) });
        await response.arrayBuffer();
        return response.status;
      } catch {
        return null;
      }
    },
    status: async (externalId) => {
      const response = await fetch(itemUrl(externalId), { headers });
      if (!response.ok) throw new Error(`${externalId}: ${response.status}`);
      return (await response.json()) as Awaited<ReturnType<System['status']>>;
    },
    received: async () =>
      (await callAdmin<{ received: ReceivedWebhook[] }>(`${simulators.receiver.adminUrl}/received`)).received,
    listings: async () =>
      (await callAdmin<{ listings: MarketplaceListing[] }>(`${simulators.marketplace.adminUrl}/listings`)).listings,
    stop: async () => {
      await Promise.all([api.stop(), worker.stop()]);
      await simulators.close();
    },
  };
}

/** An account with a key, a marketplace connection and an endpoint for everything. */
async function makeAccount(settings: Record<string, string>, simulators: Simulators): Promise<string> {
  const config = loadConfig(settings);
  const connection = Connection.lazy({ address: config.temporal.address });
  const foundation = await openFoundation({
    config,
    logger: createLogger('test', 'fatal'),
    client: new Client({ connection }),
  });
  const accountSide = composeAccountSide(foundation);
  const id = accountId(randomUUID());
  const scope: Scope = { accountId: id, actingAccountId: id, credential: { kind: 'system' } };
  const user = await callAdmin<{ userId: string; token: string }>(`${simulators.marketplace.adminUrl}/users`, 'POST', {
    userId: id,
  });
  await accountSide.marketplaceConnection.set(scope, { marketplaceUserId: user.userId, token: user.token });
  await accountSide.webhooks.create(scope, {
    url: `${simulators.receiver.url}/hooks/erp`,
    eventTypes: [],
    scope: 'self',
    description: '',
  });
  const { apiKey } = await accountSide.apiKeys.generate(scope, { name: 'ERP' });
  await accountSide.settle();
  await foundation.store.close();
  await connection.close();
  return apiKey;
}
