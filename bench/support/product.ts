import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openFoundation, type Foundation } from '../../compose/foundation.ts';
import { migrateDatabase } from '../../compose/migrate.ts';
import { freePort } from '../../embedded/choose-port.ts';
import { ManagedProcess } from '../../embedded/managed-process.ts';
import { nodeProcess } from '../../embedded/node-process.ts';
import { loadConfig } from '../../compose/config.ts';
import { createLogger } from '../../platform/logger.ts';
import type { Pids } from './cpu.ts';
import { pidOf, serverPids, type BenchServers } from './servers.ts';

/**
 * The product's own processes on a database and task queues of their own, so that what an earlier round left behind lies still.
 * Disposed of, they end at once, as nothing needs what they still have to do, and the database is dropped.
 */
export interface Product extends AsyncDisposable {
  readonly api: ManagedProcess;
  readonly worker: ManagedProcess;
  /** Starts so many workers beside the first. */
  addWorkers(count: number): Promise<void>;
  /** Of the servers, the API and the workers that run, by name. */
  pids(): Pids;
  readonly apiUrl: string;
  readonly taskQueue: string;
  /** Of its processes, for another one on the same database and queues. */
  readonly settings: Readonly<Record<string, string>>;
  /** The product's database as this process sees it, for set-up and for watching. */
  readonly foundation: Foundation;
}

/** On a machine that has other work a start takes minutes; that is not what is measured. */
const patient = ({ plan }: ManagedProcess): ManagedProcess =>
  new ManagedProcess({ ...plan, startTimeoutMs: 5 * 60_000 });

export interface ProductOptions {
  readonly withWorker: boolean;
  readonly settings?: Readonly<Record<string, string>>;
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
  const environment = { ...process.env, ...settings };
  const newProcess = (entry: 'api' | 'worker', log: string): ManagedProcess =>
    patient(
      nodeProcess({
        name: entry,
        entry: `bin/${entry}.ts`,
        environment,
        logFile: join(servers.folder, `${log}.log`),
        ...(entry === 'api' && { healthUrl: `${apiUrl}/healthz` }),
      }),
    );
  const [api, worker] = [newProcess('api', 'api'), newProcess('worker', 'worker')];
  const workers = [worker];
  const addWorkers = async (count: number): Promise<void> => {
    const more = Array.from({ length: count }, (_, n) => newProcess('worker', `worker-${workers.length + n + 1}`));
    workers.push(...more);
    await Promise.all(more.map((one) => one.start()));
  };
  const pids = (): Pids => ({
    ...serverPids(servers),
    api: pidOf(api),
    ...Object.fromEntries(
      workers.flatMap(({ pid }, n) => (pid === undefined ? [] : [[n === 0 ? 'worker' : `worker ${n + 1}`, pid]])),
    ),
  });
  const config = loadConfig(settings);
  await migrateDatabase(config.mongo);
  const foundation = await openFoundation({ config, logger: createLogger('bench', 'warn') });
  const discard = async (): Promise<void> => {
    // A profile is written only at a clean end.
    await Promise.all([api, ...workers].map((one) => (servers.isProfiling ? one.stop() : one.kill9())));
    await foundation.store.connection.dropDatabase();
    await foundation.store.close();
  };
  try {
    await Promise.all([api.start(), ...(options.withWorker ? [worker.start()] : [])]);
  } catch (cause) {
    await discard();
    throw cause;
  }
  return {
    api,
    worker,
    addWorkers,
    pids,
    apiUrl,
    taskQueue: name,
    settings,
    foundation,
    [Symbol.asyncDispose]: discard,
  };
}
