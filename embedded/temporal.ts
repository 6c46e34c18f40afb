import { Connection } from '@temporalio/client';
import type { loadTemporalConfig } from '../compose/config.ts';
import { withTemporal } from '../compose/reach-temporal.ts';
import { ManagedProcess } from './managed-process.ts';
import { pollUntil } from './poll.ts';

export interface TemporalOptions {
  readonly binary: string;
  readonly port: number;
  readonly databaseFile: string;
  readonly logFile: string;
  /** undefined: without the web interface. */
  readonly uiPort?: number;
  /** Port of the server's metrics. The caller chooses it, because the server's own choice may be taken. */
  readonly metricsPort: number;
  /** Port of its HTTP API, which refuses every call; chosen by the caller for the same reason. */
  readonly httpPort: number;
  /** `key=value`, in addition to the service's own settings. */
  readonly dynamicConfig?: readonly string[];
}

/** All are Keyword, as in workflows/contracts/search-attributes.ts. */
const searchAttributes = ['AccountId', 'ExternalId', 'Stage', 'BlockedReason', 'Endpoint'];

const dynamicConfig = [
  // Without fairness on (off by default), one tenant's backlog starves the others; one partition makes it near exact.
  'matching.enableFairness=true',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
  // Its HTTP API has no log-in and can't be switched off, and web pages could call it. So it serves only a host name
  // that no resolver knows.
  'frontend.httpAllowedHosts=["off.invalid"]',
];

/** Temporal's development server with its data in a SQLite file. Without the pragmas it is five times slower. */
export function temporalProcess(options: TemporalOptions): ManagedProcess {
  const { port, uiPort } = options;
  return new ManagedProcess({
    name: 'temporal',
    command: options.binary,
    args: [
      ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--log-level', 'warn'],
      ...['--metrics-port', String(options.metricsPort), '--http-port', String(options.httpPort)],
      ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort), '--ui-disable-news-fetch']),
      ...[
        '--db-filename',
        options.databaseFile,
        '--sqlite-pragma',
        'journal_mode=WAL',
        '--sqlite-pragma',
        'synchronous=NORMAL',
      ],
      ...[...dynamicConfig, ...(options.dynamicConfig ?? [])].flatMap((value) => ['--dynamic-config-value', value]),
      ...searchAttributes.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
    ],
    environment: process.env,
    logFile: options.logFile,
    readySource: 'none',
    startTimeoutMs: 60_000,
    stopTimeoutMs: 15_000,
    waitReady: async (_announced, signal) => {
      await pollUntil(() => isPrepared(`127.0.0.1:${String(port)}`), signal);
    },
  });
}

/** The server answers before its namespace and attributes exist; a workflow that is started then would hang. */
async function isPrepared(address: string): Promise<true | undefined> {
  const known = await withConnection(address, (connection) => listSearchAttributes(connection, ownNamespace));
  return searchAttributes.every((name) => known.has(name)) ? true : undefined;
}

/** For an external server (TEMPORAL_ADDRESS): adds what is missing. Waits for a server that is being started. */
export async function ensureSearchAttributes(temporal: ReturnType<typeof loadTemporalConfig>): Promise<void> {
  await withTemporal(temporal, patienceMs, async (connection, namespace) => {
    const known = await listSearchAttributes(connection, namespace);
    const missing = searchAttributes.filter((name) => !known.has(name));
    if (missing.length === 0) return;
    const added = Object.fromEntries(missing.map((name) => [name, keywordType]));
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: added });
  });
}

/** The one that the development server makes by itself. */
export const ownNamespace = 'default';
const patienceMs = 60_000;
/** INDEXED_VALUE_TYPE_KEYWORD in Temporal's protocol. */
const keywordType = 2;

async function listSearchAttributes(connection: Connection, namespace: string): Promise<ReadonlySet<string>> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return new Set(Object.keys(customAttributes));
}

async function withConnection<T>(address: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address, connectTimeout: 1000 });
  try {
    return await connection.withDeadline(Date.now() + 5000, () => work(connection));
  } finally {
    await connection.close();
  }
}
