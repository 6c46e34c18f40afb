import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { openFoundation, type WorkerFoundation } from '../../../compose/foundation.ts';
import { migrateDatabase } from '../../../compose/migrate.ts';
import { PortChooser } from '../../../embedded/choose-port.ts';
import type { ManagedProcess } from '../../../embedded/managed-process.ts';
import { nodeProcess } from '../../../embedded/node-process.ts';
import { temporalProcess } from '../../../embedded/temporal.ts';
import { loadConfig } from '../../../compose/config.ts';
import { createLogger } from '../../../platform/logger.ts';
import { startImageServer } from '../../../simulators/images/start-image-server.ts';
import { defaultApplication } from '../../../simulators/marketplace/default-application.ts';
import { generousRateLimits } from '../../../test/support/generous-rate-limits.ts';
import type { Random } from '../random.ts';
import { openAccount, type Account } from './account.ts';
import { marketplaceProcess } from './marketplace.ts';
import { openLink, type Link } from './proxy.ts';
import { startReceivers, type Receivers, type Temper } from './receivers.ts';
import { startReplicaSet, type ReplicaSet } from './replica-set.ts';
import { startPatiently } from './start-patiently.ts';

export type LinkName = 'api-1' | 'api-2' | 'temporal' | 'marketplace' | 'receivers' | 'images';

/** The product as processes of their own in a world of their own, every way between them through a proxy. */
export interface World {
  readonly folder: string;
  readonly mongo: ReplicaSet;
  readonly temporal: ManagedProcess;
  readonly marketplace: ManagedProcess;
  readonly apis: readonly [ManagedProcess, ManagedProcess];
  readonly workers: readonly [ManagedProcess, ManagedProcess];
  readonly links: Readonly<Record<LinkName, Link>>;
  readonly receivers: Receivers;
  /** Of the load: through their proxies. */
  readonly apiUrls: readonly [string, string];
  readonly imagesUrl: string;
  /** Not through a proxy: the buyers' and the checker's. */
  readonly marketplaceAdminUrl: string;
  /** The product's database and workflows as the checker sees them. */
  readonly foundation: WorkerFoundation;
  openAccount(name: string, options: { sells: boolean }): Promise<Account>;
  stop(): Promise<void>;
}

export interface WorldOptions {
  /** For data and logs; removed by whoever gave it. */
  readonly folder: string;
  /** Of the compiled product. */
  readonly productFolder: string;
  readonly random: Random;
}

const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run it by "npm run chaos"`);
  return value;
};

export async function startWorld({ folder, productFolder, random }: WorldOptions): Promise<World> {
  const ports = new PortChooser(() => undefined);
  const anyPort = (): Promise<number> => ports.any();
  const tls = { keyFile: setting('TEST_TLS_KEY_FILE'), certFile: setting('TEST_TLS_CERT_FILE') };
  const [temporalPort, metricsPort, httpPort] = [await anyPort(), await anyPort(), await anyPort()];
  const temporal = temporalProcess({
    binary: setting('ITEMBRIDGE_TEMPORAL_BIN'),
    port: temporalPort,
    metricsPort,
    httpPort,
    databaseFile: join(folder, 'temporal.sqlite'),
    logFile: join(folder, 'temporal.log'),
  });
  const marketplacePort = await anyPort();
  const marketplace = marketplaceProcess({ port: marketplacePort, folder });
  const [mongo, receivers, images] = await Promise.all([
    startReplicaSet({ binary: setting('ITEMBRIDGE_MONGOD_BIN'), folder, anyPort }),
    startReceivers(random.fork('receivers'), tls),
    startImageServer({ tls, folder: 'examples/catalogue/images' }),
    temporal.start(),
    marketplace.start(),
  ]);
  const apiPorts = [await anyPort(), await anyPort()] as const;
  const links: World['links'] = {
    'api-1': await openLink(apiPorts[0]),
    'api-2': await openLink(apiPorts[1]),
    temporal: await openLink(temporalPort),
    marketplace: await openLink(marketplacePort),
    receivers: await openLink(receivers.port),
    images: await openLink(Number(new URL(images.url).port)),
  };
  const address = (name: LinkName): string => `127.0.0.1:${links[name].port}`;
  const apiUrls = [`http://${address('api-1')}`, `http://${address('api-2')}`] as const;
  const settings: Record<string, string> = {
    MONGODB_URI: mongo.uri,
    MONGODB_DATABASE: 'chaos',
    TEMPORAL_ADDRESS: address('temporal'),
    TEMPORAL_TASK_QUEUE: 'chaos',
    IMAGE_STORE_DIR: join(folder, 'images'),
    WORKFLOW_BUNDLE: setting('TEST_WORKFLOW_BUNDLE'),
    MARKETPLACE_URL: `http://${address('marketplace')}`,
    MARKETPLACE_APP_ID: defaultApplication.appId,
    MARKETPLACE_APP_KEY: defaultApplication.appKey,
    MARKETPLACE_LOOK_INTERVAL_MS: '500',
    MARKETPLACE_CALLS_PER_DAY: '100000000',
    MARKETPLACE_REQUEST_TIMEOUT_MS: '2000',
    JWT_KEYS: 'chaos:a-signing-key-of-the-tests-that-is-long-enough',
    ENCRYPTION_KEYS: `chaos:${Buffer.alloc(32, 7).toString('base64')}`,
    ...generousRateLimits,
    ALLOW_PRIVATE_NETWORKS: 'true',
    PUBLIC_URL: apiUrls[0],
    LOG_LEVEL: 'info',
  };
  const environment = { ...process.env, ...settings };
  const apiOf = (number: 1 | 2): ManagedProcess => {
    const port = apiPorts[number - 1];
    return nodeProcess({
      name: 'api',
      entry: join(productFolder, 'bin/api.js'),
      logFile: join(folder, `api-${number}.log`),
      environment: { ...environment, API_PORT: String(port) },
      healthUrl: `http://127.0.0.1:${port}/healthz`,
    });
  };
  const workerOf = (number: 1 | 2): ManagedProcess =>
    nodeProcess({
      name: 'worker',
      entry: join(productFolder, 'bin/worker.js'),
      environment,
      logFile: join(folder, `worker-${number}.log`),
    });
  const apis = [apiOf(1), apiOf(2)] as const;
  const workers = [workerOf(1), workerOf(2)] as const;
  const config = loadConfig(settings);
  const connection = Connection.lazy({ address: `127.0.0.1:${temporalPort}` });
  const client = new Client({ connection });
  await migrateDatabase(config.mongo);
  const foundation = { ...(await openFoundation({ config, logger: createLogger('chaos', 'fatal') })), client };
  await Promise.all([...apis, ...workers].map((one) => startPatiently(one)));
  const marketplaceAdminUrl = `http://127.0.0.1:${marketplacePort}/admin`;
  return {
    folder,
    mongo,
    temporal,
    marketplace,
    apis,
    workers,
    links,
    receivers,
    apiUrls,
    foundation,
    imagesUrl: `https://${address('images')}`,
    marketplaceAdminUrl,
    openAccount: (name, { sells }) =>
      openAccount({
        name,
        apiUrl: apiUrls[0],
        receiversUrl: `https://${address('receivers')}`,
        marketplaceAdminUrl: sells ? marketplaceAdminUrl : null,
        addReceiver: (receiver: string, temper: Temper) => {
          receivers.add(receiver, temper);
        },
      }),
    stop: async () => {
      await Promise.all([...apis, ...workers].map((one) => one.kill9()));
      await foundation.store.close();
      await connection.close();
      await Promise.all([temporal.kill9(), marketplace.kill9(), mongo.stop(), receivers.close(), images.close()]);
      await Promise.all(Object.values(links).map((link) => link.close()));
    },
  };
}
