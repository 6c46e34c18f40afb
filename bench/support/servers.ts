import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { MongoClient } from 'mongodb';
import { ensureCertificates, type Certificates } from '../../embedded/certificates.ts';
import { PortChooser } from '../../embedded/choose-port.ts';
import { mongodProcess, mongodUri } from '../../embedded/mongod.ts';
import type { ManagedProcess } from '../../embedded/managed-process.ts';
import { simulatorNames, simulatorsProcess, type SimulatorAddresses } from '../../embedded/simulators-process.ts';
import { temporalProcess } from '../../embedded/temporal.ts';
import { generousRateLimits } from '../../test/support/generous-rate-limits.ts';
import { defaultRegistryKey } from '../../simulators/vehicle-registry/vehicles.ts';

const run = promisify(execFile);

/** What product and floors share: one MongoDB, one Temporal server, in processes of their own. */
export interface BenchServers {
  readonly folder: string;
  readonly mongod: ManagedProcess;
  readonly temporal: ManagedProcess;
  readonly mongodbUri: string;
  readonly temporalAddress: string;
  readonly certificates: Certificates;
  readonly simulators: SimulatorAddresses;
  /** Settings of API and worker that are the same for every start. */
  readonly productSettings: Readonly<Record<string, string>>;
  readonly mongo: MongoClient;
  readonly isProfiling: boolean;
  /** What the run has left out, and what else its figures don't say; cases add to it. */
  readonly notes: string[];
  /** The client of this process, of the same kind as the worker's. */
  readonly temporalClient: Client;
  stop(): Promise<void>;
}

/**
 * @param folder for data and logs; the caller removes it.
 * @param profileFolder where API and worker write a CPU profile when they end, for a look into them; it slows them down.
 */
export async function startServers(folder: string, profileFolder: string | undefined): Promise<BenchServers> {
  const ports = new PortChooser(() => undefined);
  const certificates = await ensureCertificates(join(folder, 'tls'), undefined);
  const [mongoPort, port] = [await ports.any(), await ports.any()];
  const mongod = mongodProcess({
    binary: binary('ITEMBRIDGE_MONGOD_BIN'),
    port: mongoPort,
    cacheGb: 1,
    dataDirectory: join(folder, 'mongod'),
    logFile: join(folder, 'mongod.log'),
  });
  const temporal = temporalProcess({
    binary: binary('ITEMBRIDGE_TEMPORAL_BIN'),
    port,
    metricsPort: await ports.any(),
    httpPort: await ports.any(),
    databaseFile: join(folder, 'temporal.sqlite'),
    logFile: join(folder, 'temporal.log'),
  });
  const { simulators, application } = await simulatorsOn(ports, folder, certificates);
  const started = [mongod, temporal, simulators.process];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((process) => process.stop()));
  };
  try {
    const [workflowBundle] = await Promise.all([bundleWorkflows(folder), ...started.map((process) => process.start())]);
    const [mongodbUri, temporalAddress] = [mongodUri(mongoPort), `127.0.0.1:${port}`];
    Runtime.install({ logger: new DefaultLogger('WARN') });
    const mongo = await MongoClient.connect(mongodbUri);
    const connection = await NativeConnection.connect({ address: temporalAddress });
    return {
      folder,
      mongod,
      temporal,
      mongodbUri,
      temporalAddress,
      certificates,
      simulators: simulators.addresses(),
      mongo,
      temporalClient: new Client({ connection }),
      productSettings: {
        NODE_ENV: 'production',
        MONGODB_URI: mongodbUri,
        TEMPORAL_ADDRESS: temporalAddress,
        WORKFLOW_BUNDLE: workflowBundle,
        IMAGE_STORE_DIR: join(folder, 'images'),
        MARKETPLACE_URL: simulators.addresses().marketplace.url,
        VEHICLE_REGISTRY: 'biluppgifter',
        VEHICLE_REGISTRY_URL: simulators.addresses().vehicleRegistry.url,
        VEHICLE_REGISTRY_API_KEY: defaultRegistryKey,
        MARKETPLACE_APP_ID: application.appId,
        MARKETPLACE_APP_KEY: application.appKey,
        JWT_KEYS: `bench:${randomBytes(32).toString('base64url')}`,
        ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
        ...generousRateLimits,
        ALLOW_PRIVATE_NETWORKS: 'true',
        LOG_LEVEL: 'info',
        NODE_EXTRA_CA_CERTS: certificates.bundleFile,
        ...(profileFolder !== undefined && profiling(profileFolder)),
      },
      isProfiling: profileFolder !== undefined,
      notes: [],
      stop: async () => {
        await mongo.close();
        await connection.close();
        await stop();
      },
    };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

export function pidOf(process: ManagedProcess): number {
  if (process.pid === undefined) throw new Error(`${process.name} does not run`);
  return process.pid;
}

export const serverPids = ({ mongod, temporal }: BenchServers): { mongod: number; temporal: number } => ({
  mongod: pidOf(mongod),
  temporal: pidOf(temporal),
});

async function simulatorsOn(ports: PortChooser, folder: string, certificates: Certificates) {
  const chosen = [];
  for (const name of simulatorNames) chosen.push([name, await ports.any()] as const);
  const application = { appId: '5001', appKey: randomBytes(24).toString('base64url'), publicKey: 'bench' };
  const simulators = simulatorsProcess({
    root: '.',
    dataDirectory: join(folder, 'simulators'),
    logFile: join(folder, 'simulators.log'),
    ports: Object.fromEntries(chosen) as Record<(typeof simulatorNames)[number], number>,
    smtpPort: await ports.any(),
    application,
    certificates,
    environment: process.env,
  });
  return { simulators, application };
}

const profiling = (folder: string): Record<string, string> => ({
  NODE_OPTIONS: `--import=${new URL('../processes/write-profile.mjs', import.meta.url).href}`,
  BENCH_PROFILE_FOLDER: folder,
});

/** Once for all starts of the worker, as in production. */
async function bundleWorkflows(folder: string): Promise<string> {
  const bundle = join(folder, 'workflow-bundle.js');
  await run(process.execPath, ['--import=tsx', 'workers/build-workflow-bundle.ts', bundle]);
  return bundle;
}

function binary(variable: string): string {
  const path = process.env[variable];
  if (path === undefined) throw new Error(`${variable} is not set: run "npm run bench"`);
  return path;
}
