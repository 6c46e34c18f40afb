import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applicationOf, childEnvironment, loadOrCreateSecrets } from '../../../embedded/child-environment.ts';
import { freePort } from '../../../embedded/choose-port.ts';
import { createFolders, locateHome, type Home } from '../../../embedded/home.ts';
import { ManagedProcess } from '../../../embedded/managed-process.ts';
import { nodeProcess } from '../../../embedded/node-process.ts';
import { openStore, type StoreConnection } from '../../../platform/database/connection.ts';
import { parseSimulatorsConfig } from '../../../simulators/parse-simulators-config.ts';
import { startSimulators, type RunningSimulators } from '../../../simulators/start-simulators.ts';
import type { Release } from './releases.ts';

const setting = (name: string): string => process.env[name] ?? '';

/** One database, one task queue and one outside, on which processes of two releases run in turn and together. */
export interface UpgradeWorld {
  readonly apiUrl: string;
  readonly simulators: RunningSimulators['addresses'];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly store: StoreConnection;
  readonly taskQueue: string;
  /** A folder of its own for the accounts of one round. */
  homeOf(round: string, release: Release): Home;
  /** Stops what runs, and starts these. */
  switchTo(api: Release, ...workers: (Release | VersionedWorker)[]): Promise<void>;
  /** Lines of level error or fatal that any process has written. */
  errors(): readonly string[];
  stop(): Promise<void>;
}

export interface VersionedWorker extends Release {
  readonly version: { readonly deploymentName: string; readonly buildId: string };
}

export async function startUpgradeWorld(): Promise<UpgradeWorld> {
  const name = `t${randomBytes(6).toString('hex')}`;
  const folder = join(setting('TEST_DIRECTORY'), name);
  const home = locateHome('.', folder);
  createFolders(home);
  const secrets = loadOrCreateSecrets(home.secretsFile);
  const tls = { keyFile: setting('TEST_TLS_KEY_FILE'), certFile: setting('TEST_TLS_CERT_FILE') };
  const outside = await startSimulators(
    parseSimulatorsConfig(JSON.stringify({ tls, application: applicationOf(secrets) })),
  );
  const simulators = outside.addresses;
  const apiPort = await freePort();
  const environment = childEnvironment({
    base: { ...process.env, MONGODB_DATABASE: name, TEMPORAL_TASK_QUEUE: name },
    home,
    secrets,
    addresses: {
      apiPort,
      mongodbUri: setting('TEST_MONGODB_URI'),
      temporalAddress: setting('TEST_TEMPORAL_ADDRESS'),
      temporalUiUrl: '',
      marketplaceUrl: simulators.marketplace.url,
      aiUrl: simulators.ai.url,
      vehicleRegistryUrl: simulators.vehicleRegistry.url,
      paymentsUrl: simulators.payments.url,
      smtpUrl: simulators.mail.smtpUrl,
    },
  });
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  const logs = join(folder, 'logs');
  let running: ManagedProcess[] = [];
  const begin = (kind: 'api' | 'worker', release: Release | VersionedWorker): ManagedProcess => {
    const version = 'version' in release ? release.version : undefined;
    const { plan } = nodeProcess({
      name: kind,
      entry: release.entry(kind),
      environment: {
        ...environment,
        WORKFLOW_BUNDLE: release.workflowBundle,
        ...(version && { WORKER_DEPLOYMENT_NAME: version.deploymentName, WORKER_BUILD_ID: version.buildId }),
      },
      logFile: join(logs, `${kind}-${randomBytes(3).toString('hex')}.log`),
      ...(kind === 'api' && { healthUrl: `${apiUrl}/readyz` }),
    });
    // On a busy machine a start takes minutes.
    return new ManagedProcess({ ...plan, startTimeoutMs: 240_000 });
  };
  const stopAll = (): Promise<unknown> => Promise.all(running.map((one) => one.stop()));
  const store = await openStore({ uri: setting('TEST_MONGODB_URI'), database: name });
  return {
    apiUrl,
    simulators,
    environment,
    store,
    taskQueue: name,
    homeOf: (round, { root }) => {
      const own = locateHome(root, join(folder, round));
      mkdirSync(own.data, { recursive: true });
      return own;
    },
    switchTo: async (api, ...workers) => {
      await stopAll();
      running = [begin('api', api), ...workers.map((worker) => begin('worker', worker))];
      await Promise.all(running.map((one) => one.start()));
    },
    errors: () =>
      readdirSync(logs).flatMap((file) =>
        readFileSync(join(logs, file), 'utf8')
          .split('\n')
          .filter((line) => /"level":"?(error|fatal|50|60)\b/.test(line))
          .map((line) => `${file}: ${line.slice(0, 500)}`),
      ),
    stop: async () => {
      await stopAll();
      await outside.close();
      await store.connection.dropDatabase();
      await store.close();
    },
  };
}
