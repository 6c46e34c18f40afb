import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { openFoundation, type WorkerFoundation } from '../../../compose/foundation.ts';
import type { AccountId } from '../../../features/rules/ids.ts';
import { freePort } from '../../../embedded/choose-port.ts';
import { nodeProcess } from '../../../embedded/node-process.ts';
import type { ManagedProcess } from '../../../embedded/managed-process.ts';
import { loadConfig } from '../../../compose/config.ts';
import { createLogger } from '../../../platform/logger.ts';
import { setUpAccount } from '../../../test/support/set-up-account.ts';
import { requireSoundWebhooks } from '../../../test/support/sound-webhooks.ts';
import {
  callAdmin,
  startSimulators,
  worldEnvironment,
  type MarketplaceListing,
  type ReceivedWebhook,
  type Simulators,
} from '../../../test/support/world.ts';

/** The product as processes of their own, to be killed, with the outside in the test's process. */
export interface System extends Simulators {
  readonly api: ManagedProcess;
  readonly worker: ManagedProcess;
  /** A second worker beside the first, as in production; not started. */
  readonly otherWorker: ManagedProcess;
  readonly apiUrl: string;
  readonly accountId: AccountId;
  /** With the account's key, as its programs send them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly taskQueue: string;
  /** The product's database and workflows as the test sees them. */
  readonly foundation: WorkerFoundation;
  /** A call under `/integration/v1/items/`; `null` when the connection broke. */
  call(method: string, path: string, body?: object): Promise<ApiAnswer | null>;
  /** Status of the answer; `null` when the connection broke. */
  put(externalId: string, body: object): Promise<number | null>;
  status(externalId: string): Promise<ItemStatus>;
  received(): Promise<ReceivedWebhook[]>;
  listings(): Promise<MarketplaceListing[]>;
  stop(): Promise<void>;
}

export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
}

export interface ItemStatus {
  readonly marketplaceStatus: string;
  readonly serviceStatus: string;
  readonly serviceItemId: string;
  readonly price: number;
}

const erpPath = '/hooks/erp';

/**
 * `overrides` points at servers of the test's own, when those are to be killed. `compiledIn`: folder of the compiled product
 * from which the workers run, as in production; `image`: folder from which the API runs, too, laid out as in the image.
 */
export async function startSystem(
  overrides: Record<string, string> = {},
  { compiledIn, image }: { compiledIn?: string; image?: string } = {},
): Promise<System> {
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
  const compiled = image === undefined ? compiledIn : join(image, 'dist');
  const { api, worker, otherWorker } = productProcesses(settings, {
    apiUrl,
    apiEntry: image === undefined ? 'bin/api.ts' : join(image, 'dist/bin/api.js'),
    workerEntry: compiled === undefined ? 'bin/worker.ts' : join(compiled, 'bin/worker.js'),
  });
  const { foundation, close } = await openProduct(settings);
  const account = await setUpAccount(foundation, {
    webhookUrl: `${simulators.receiver.url}${erpPath}`,
    openMarketplace: async (userId) => {
      const users = `${simulators.marketplace.adminUrl}/users`;
      return (await callAdmin<{ token: string }>(users, 'POST', { userId })).token;
    },
  });
  const stop: System['stop'] = async () => {
    await Promise.all([api.stop(), worker.stop(), otherWorker.stop()]);
    await close();
    await simulators.close();
  };
  // What runs would keep the test's process from its end.
  await Promise.all([api.start(), worker.start()]).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const { headers } = account;
  const call: System['call'] = (method, path, body) =>
    callItems(`${apiUrl}/integration/v1/items/${path}`, { method, headers, body });
  return {
    ...simulators,
    api,
    worker,
    otherWorker,
    apiUrl,
    accountId: account.id,
    headers,
    taskQueue: settings['TEMPORAL_TASK_QUEUE'] ?? '',
    foundation,
    call,
    put: async (externalId, body) => (await call('PUT', externalId, body))?.status ?? null,
    status: async (externalId) => {
      const answer = await call('GET', externalId);
      if (answer?.status !== 200) throw new Error(`${externalId}: ${answer?.status ?? 'no answer'}`);
      return JSON.parse(answer.text) as ItemStatus;
    },
    received: async () => {
      const url = `${simulators.receiver.adminUrl}/received`;
      const { received } = await callAdmin<{ received: ReceivedWebhook[] }>(url);
      requireSoundWebhooks(received, (path) => (path === erpPath ? [account.webhookSecret ?? ''] : []));
      return received;
    },
    listings: async () =>
      (await callAdmin<{ listings: MarketplaceListing[] }>(`${simulators.marketplace.adminUrl}/listings`)).listings,
    stop,
  };
}

type Processes = Pick<System, 'api' | 'worker' | 'otherWorker'>;

function productProcesses(
  settings: Record<string, string>,
  { apiUrl, apiEntry, workerEntry }: { apiUrl: string; apiEntry: string; workerEntry: string },
): Processes {
  const environment = { ...process.env, ...settings };
  const logFile = (name: string): string =>
    join(process.env['TEST_DIRECTORY'] ?? '.', `${settings['MONGODB_DATABASE'] ?? ''}-${name}.log`);
  const api = nodeProcess({
    name: 'api',
    entry: apiEntry,
    environment,
    logFile: logFile('api'),
    healthUrl: `${apiUrl}/healthz`,
  });
  const [worker, otherWorker] = ['worker', 'other-worker'].map((name) =>
    nodeProcess({ name: 'worker', entry: workerEntry, environment, logFile: logFile(name) }),
  ) as [ManagedProcess, ManagedProcess];
  return { api, worker, otherWorker };
}

async function openProduct(settings: Record<string, string>) {
  const config = loadConfig(settings);
  const connection = Connection.lazy(config.temporal.connection);
  const client = new Client({ connection });
  const foundation = { ...(await openFoundation({ config, logger: createLogger('test', 'fatal') })), client };
  const close = async (): Promise<void> => {
    await foundation.store.close();
    await connection.close();
  };
  return { foundation, close };
}

async function callItems(
  url: string,
  { method, headers, body }: { method: string; headers: Readonly<Record<string, string>>; body?: object | undefined },
): Promise<ApiAnswer | null> {
  try {
    const response = await fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    return { status: response.status, text: await response.text() };
  } catch {
    return null;
  }
}
