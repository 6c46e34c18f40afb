import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { MongoClient, type Document } from 'mongodb';
import { canConnect } from './choose-port.ts';
import { ManagedProcess } from './managed-process.ts';
import { pollUntil } from './poll.ts';

export interface MongodOptions {
  readonly binary: string;
  readonly port: number;
  readonly dataDirectory: string;
  readonly logFile: string;
  /** Size of the storage engine's cache in GB; MongoDB takes no less than 0.25. */
  readonly cacheGb?: number;
  /** Of its `--setParameter`, beside those that every server of this project has. */
  readonly parameters?: readonly string[];
  /** Where it also listens, on the Unix socket of {@link mongodSocketUri}; left out: only on its port. */
  readonly socketFolder?: string;
}

const replicaSet = 'rs0';

/** The connection string of the server on this port. */
export const mongodUri = (port: number): string => `mongodb://127.0.0.1:${String(port)}/?replicaSet=${replicaSet}`;

/** The connection string of its socket in this folder. It costs both sides less than the port, and is for clients that outlive no primary. */
export const mongodSocketUri = (folder: string, port: number): string =>
  `mongodb://${encodeURIComponent(join(folder, `mongodb-${String(port)}.sock`))}/?directConnection=true`;

/** A MongoDB server as a replica set of one, because transactions need a set. Ready means: it is primary and takes writes. */
export function mongodProcess(options: MongodOptions): ManagedProcess {
  mkdirSync(options.dataDirectory, { recursive: true });
  const { port, socketFolder } = options;
  return new ManagedProcess({
    name: 'mongod',
    command: options.binary,
    args: [
      ...['--replSet', replicaSet, '--bind_ip', '127.0.0.1', '--port', String(port)],
      ...[
        '--dbpath',
        options.dataDirectory,
        '--wiredTigerCacheSizeGB',
        String(options.cacheGb ?? 0.5),
        '--oplogSize',
        '256',
      ],
      ...['--quiet', ...(socketFolder === undefined ? ['--nounixsocket'] : ['--unixSocketPrefix', socketFolder])],
      ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
      ...(options.parameters ?? []).flatMap((parameter) => ['--setParameter', parameter]),
      // A set of one has no successor, so waiting for a new primary at the stop is time lost.
      ...['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=0'],
      // A killed process's transaction holds its locks this long; the default is up to 90 s.
      ...['--setParameter', 'transactionLifetimeLimitSeconds=5'],
    ],
    environment: process.env,
    logFile: options.logFile,
    readySource: 'none',
    startTimeoutMs: 60_000,
    stopTimeoutMs: 15_000,
    waitReady: (_announced, signal) => becomePrimary(options, signal),
  });
}

async function becomePrimary({ port, dataDirectory }: MongodOptions, signal: AbortSignal): Promise<void> {
  // A client whose first connection was refused retries only seldom, so it is created once the port is open.
  await pollUntil(() => canConnect(port), signal, 50);
  const client = new MongoClient(`mongodb://127.0.0.1:${String(port)}/?directConnection=true`, {
    serverSelectionTimeoutMS: 5000,
  });
  const admin = (command: Document): Promise<Document> => client.db('admin').command(command);
  try {
    // The answering server may be another program's that took the port first. It is left alone, and our own server then
    // ends by itself.
    await pollUntil(async () => ((await hasData(admin, dataDirectory)) ? true : undefined), signal);
    await configureSet(admin, `127.0.0.1:${String(port)}`);
    await pollUntil(
      async () => ((await admin({ hello: 1 }))['isWritablePrimary'] === true ? true : undefined),
      signal,
      50,
    );
  } finally {
    await client.close();
  }
}

async function hasData(admin: (command: Document) => Promise<Document>, directory: string): Promise<boolean> {
  const { parsed } = (await admin({ getCmdLineOpts: 1 })) as { parsed: { storage?: { dbPath?: string } } };
  return resolve(parsed.storage?.dbPath ?? '') === resolve(directory);
}

/** Creates the set at the first start. Renames its only member when the data moved to another port. */
async function configureSet(admin: (command: Document) => Promise<Document>, host: string): Promise<void> {
  const members = [{ _id: 0, host }];
  const current = await admin({ replSetGetConfig: 1 }).catch(() => undefined);
  if (current === undefined) {
    await admin({ replSetInitiate: { _id: replicaSet, members } });
    return;
  }
  const config = current['config'] as { version: number; members: { host: string }[] };
  if (config.members[0]?.host === host) return;
  await admin({ replSetReconfig: { ...config, version: config.version + 1, members }, force: true });
}
