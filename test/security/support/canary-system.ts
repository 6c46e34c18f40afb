import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { MongoClient } from 'mongodb';
import { openFoundation, type WorkerFoundation } from '../../../compose/foundation.ts';
import { freePort } from '../../../embedded/choose-port.ts';
import { ManagedProcess } from '../../../embedded/managed-process.ts';
import { nodeProcess } from '../../../embedded/node-process.ts';
import { loadConfig } from '../../../compose/config.ts';
import { createLogger } from '../../../platform/logger.ts';
import { startAiSimulator } from '../../../simulators/ai/start-ai-simulator.ts';
import type { RunningSimulator } from '../../../simulators/kit/start-simulator.ts';
import { startMarketplaceSimulator } from '../../../simulators/marketplace/start-marketplace-simulator.ts';
import { startPaymentsSimulator } from '../../../simulators/payments/start-payments-simulator.ts';
import { startVehicleRegistrySimulator } from '../../../simulators/vehicle-registry/start-vehicle-registry-simulator.ts';
import { madeUpOwner } from '../../../simulators/vehicle-registry/vehicles.ts';
import { startMongod, startTemporal, type TestMongod, type TestTemporal } from '../../support/servers.ts';
import { callAdmin, startSimulators, worldEnvironment, type Simulators } from '../../support/world.ts';
import type { Canary } from './canaries.ts';
import { startRawCollector } from './raw-collector.ts';
import { createRecorder, type Recorder } from './recorder.ts';

/** The product as processes of its own that log all they can, on servers of its own, whose every secret is known. */
export interface CanarySystem {
  readonly apiUrl: string;
  readonly api: ManagedProcess;
  readonly worker: ManagedProcess;
  /** The product's database and workflows as the test sees them. */
  readonly foundation: WorkerFoundation;
  readonly partners: Pick<Simulators, 'images' | 'receiver'>;
  readonly recorder: Recorder;
  readonly mongod: TestMongod;
  readonly temporal: TestTemporal;
  readonly outside: Outside;
  /** Names of logs and of Temporal's database → files. */
  readonly files: Readonly<Record<string, string>>;
  readonly traces: () => string;
}

type Outside = Readonly<Record<'marketplace' | 'ai' | 'registry' | 'payments', RunningSimulator>>;

const word = (): string => randomBytes(18).toString('base64url');

/** What the operator's configuration holds. */
const configured = {
  marketplaceAppKey: `app${word()}`,
  aiKey: `ai${word()}`,
  registryKey: `registry${word()}`,
  stripeKey: word(),
  stripeWebhookSecret: word(),
  jwtKey: randomBytes(36).toString('base64'),
  encryptionKey: randomBytes(32).toString('base64'),
  mongodbPassword: word(),
};

/**
 * `closing` gets what has to be closed, the last first, also when a start fails. With traces, the headers
 * of workflows carry them, too.
 */
export async function startCanarySystem(
  closing: (() => Promise<unknown>)[],
  { isTraced }: { isTraced: boolean },
): Promise<CanarySystem> {
  const folder = mkdtempSync(join(process.env['TEST_DIRECTORY'] ?? '.', 'canaries-'));
  const [dataDirectory, dbFile] = [join(folder, 'mongod'), join(folder, 'temporal.sqlite')];
  const [mongod, temporal, collector, outside] = await Promise.all([
    startMongod({ dataDirectory }),
    startTemporal({ dbFile }),
    startRawCollector(),
    startOutside(),
  ]);
  closing.unshift(() => Promise.all([mongod, temporal].map((server) => server.stop())));
  closing.unshift(() => Promise.all([collector, ...Object.values(outside)].map((one) => one.close())));
  await createUser(mongod.uri);
  const partners = await startSimulators();
  closing.unshift(() => partners.close());
  const port = await freePort();
  const apiUrl = `http://127.0.0.1:${String(port)}`;
  const settings = worldEnvironment({
    ...settingsFor(mongod, outside),
    API_PORT: String(port),
    PUBLIC_URL: apiUrl,
    TEMPORAL_ADDRESS: temporal.address,
    ...(isTraced && { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }),
  });
  const [api, worker] = [productProcess('api', folder, settings), productProcess('worker', folder, settings)];
  closing.unshift(() => Promise.all([api.stop(), worker.stop()]));
  const { foundation, close } = await openProduct(settings);
  closing.unshift(close);
  await api.start();
  await worker.start();
  const webhook = { url: `${apiUrl}/stripe/webhook`, secret: `whsec_${configured.stripeWebhookSecret}` };
  await callAdmin(`${outside.payments.adminUrl}/webhook`, 'PUT', webhook);
  const recorder = createRecorder(apiUrl);
  for (const canary of configuredCanaries()) recorder.plant(canary);
  const files = {
    'log of the API': api.plan.logFile,
    'log of the worker': worker.plan.logFile,
    'log of MongoDB': `${dataDirectory}.log`,
    'log of Temporal': `${dbFile}.log`,
    "Temporal's database": dbFile,
    "Temporal's database, latest writes": `${dbFile}-wal`,
  };
  return {
    apiUrl,
    api,
    worker,
    foundation,
    partners,
    recorder,
    mongod,
    temporal,
    outside,
    traces: collector.text,
    files,
  };
}

/** Given all the time that a busy machine takes. */
function productProcess(name: 'api' | 'worker', folder: string, settings: Record<string, string>): ManagedProcess {
  const { plan } = nodeProcess({
    name,
    entry: name === 'api' ? 'bin/api.ts' : 'bin/worker.ts',
    environment: { ...process.env, ...settings },
    logFile: join(folder, `${name}.log`),
    ...(name === 'api' && { healthUrl: `${settings['PUBLIC_URL'] ?? ''}/healthz` }),
  });
  return new ManagedProcess({ ...plan, startTimeoutMs: 240_000 });
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

const configuredCanaries = (): Canary[] => [
  ...Object.entries(configured).map(([name, value]) => ({ name: `configured ${name}`, value })),
  // Planted by the registry, and read by no part of the service: no place at all may have it.
  ...Object.entries(madeUpOwner).map(([name, value]) => ({ name: `the ${name} of a vehicle's owner`, value })),
  { name: 'the bytes of the encryption key', value: Buffer.from(configured.encryptionKey, 'base64').toString('hex') },
];

async function startOutside(): Promise<Outside> {
  const { marketplaceAppKey: appKey, aiKey, registryKey, stripeKey } = configured;
  const [marketplace, ai, registry, payments] = await Promise.all([
    startMarketplaceSimulator({ processingDelayMs: 50, application: { appId: '1000', appKey } }),
    startAiSimulator({ apiKey: aiKey }),
    startVehicleRegistrySimulator({ apiKey: registryKey }),
    startPaymentsSimulator({ secretKey: `sk_test_${stripeKey}` }),
  ]);
  return { marketplace, ai, registry, payments };
}

/** mongod lets everybody in here, and checks a password all the same when one is given. */
async function createUser(uri: string): Promise<void> {
  const client = await MongoClient.connect(uri);
  const roles = [{ role: 'readWriteAnyDatabase', db: 'admin' }, 'dbAdminAnyDatabase', 'clusterMonitor'];
  await client
    .db('admin')
    .command({ createUser: 'service', pwd: configured.mongodbPassword, roles, writeConcern: { w: 'majority' } });
  await client.close();
}

function settingsFor(mongod: TestMongod, outside: Outside): Record<string, string> {
  const database = `service:${configured.mongodbPassword}@127.0.0.1:${String(mongod.port)}`;
  return {
    MONGODB_URI: `mongodb://${database}/?replicaSet=rs0&authSource=admin`,
    MARKETPLACE_URL: outside.marketplace.url,
    MARKETPLACE_APP_KEY: configured.marketplaceAppKey,
    AI_URL: `${outside.ai.url}/v1`,
    AI_API_KEY: configured.aiKey,
    AI_MODEL: 'any',
    AI_CACHE_DAYS: '0',
    VEHICLE_REGISTRY: 'biluppgifter',
    VEHICLE_REGISTRY_URL: outside.registry.url,
    VEHICLE_REGISTRY_API_KEY: configured.registryKey,
    STRIPE_URL: outside.payments.url,
    STRIPE_SECRET_KEY: `sk_test_${configured.stripeKey}`,
    STRIPE_WEBHOOK_SECRET: `whsec_${configured.stripeWebhookSecret}`,
    JWT_KEYS: `test:${configured.jwtKey}`,
    ENCRYPTION_KEYS: `test:${configured.encryptionKey}`,
    LOG_LEVEL: 'trace',
    METRICS_PORT: '0',
    OTEL_BSP_SCHEDULE_DELAY: '200',
  };
}
