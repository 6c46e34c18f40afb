import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openFoundation, type Foundation } from '../../compose/foundation.ts';
import { freePort } from '../../embedded/choose-port.ts';
import { ManagedProcess } from '../../embedded/managed-process.ts';
import { nodeProcess } from '../../embedded/node-process.ts';
import { loadConfig } from '../../compose/config.ts';
import { createLogger } from '../../platform/logger.ts';
import type { BenchServers } from './servers.ts';

/** The product's own processes on a database and task queues of their own, so that what an earlier round left behind lies still. */
export interface Product {
  readonly api: ManagedProcess;
  readonly worker: ManagedProcess;
  readonly apiUrl: string;
  readonly taskQueue: string;
  /** Of its processes, for another one on the same database and queues. */
  readonly settings: Readonly<Record<string, string>>;
  /** The product's database as this process sees it, for set-up and for watching. */
  readonly foundation: Foundation;
  /** Ends both at once, as nobody needs what they still have to do, and drops the database. */
  discard(): Promise<void>;
}

/** On a machine that has other work a start takes minutes; that is not what is measured. */
const patient = ({ plan }: ManagedProcess): ManagedProcess =>
  new ManagedProcess({ ...plan, startTimeoutMs: 5 * 60_000 });

export interface ProductOptions {
  readonly withWorker: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  /** Where the processes show their numbers; nowhere unless given. */
  readonly metricsPorts?: Readonly<Record<'api' | 'worker', number>>;
  /** Runs before the processes start, which build the indexes that are missing. */
  readonly prepare?: (foundation: Foundation) => Promise<void>;
}

export async function startProduct(servers: BenchServers, options: ProductOptions): Promise<Product> {
  const name = `bench${randomBytes(5).toString('hex')}`;
  const port = await freePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const settings = {
    ...servers.productSettings,
    MONGODB_DATABASE: name,
    TEMPORAL_TASK_QUEUE: name,
    API_PORT: String(port),
    PUBLIC_URL: apiUrl,
    ...options.settings,
  };
  const { metricsPorts } = options;
  const environmentOf = (name: 'api' | 'worker') => ({
    ...{ ...process.env, ...settings },
    ...(metricsPorts && { METRICS_PORT: String(metricsPorts[name]) }),
  });
  const logFile = (process: string): string => join(servers.folder, `${process}.log`);
  const api = patient(
    nodeProcess({
      name: 'api',
      entry: 'bin/api.ts',
      environment: environmentOf('api'),
      logFile: logFile('api'),
      healthUrl: `${apiUrl}/healthz`,
    }),
  );
  const worker = patient(
    nodeProcess({
      name: 'worker',
      entry: 'bin/worker.ts',
      environment: environmentOf('worker'),
      logFile: logFile('worker'),
    }),
  );
  const foundation = await openFoundation({ config: loadConfig(settings), logger: createLogger('bench', 'warn') });
  const discard = async (): Promise<void> => {
    // A profile is written only at a clean end.
    await Promise.all([api, worker].map((one) => (servers.isProfiling ? one.stop() : one.kill9())));
    await foundation.store.connection.dropDatabase();
    await foundation.store.close();
  };
  try {
    await options.prepare?.(foundation);
    await Promise.all([api.start(), ...(options.withWorker ? [worker.start()] : [])]);
  } catch (cause) {
    await discard();
    throw cause;
  }
  return { api, worker, apiUrl, taskQueue: name, settings, foundation, discard };
}
