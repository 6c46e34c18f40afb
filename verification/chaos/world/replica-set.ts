import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient, type Document } from 'mongodb';
import { canConnect } from '../../../embedded/choose-port.ts';
import { ManagedProcess } from '../../../embedded/managed-process.ts';
import { pollUntil } from '../../../embedded/poll.ts';
import { openLink, type Link } from './proxy.ts';
import { startPatiently } from './start-patiently.ts';

const setName = 'chaos';
/** MongoDB's own default is 10 s. */
const shortElectionTimeoutMs = 2_000;

export interface Member {
  readonly name: string;
  /** Its own: a client that knows it reaches the member whatever becomes of the link. */
  readonly port: number;
  readonly process: ManagedProcess;
  /** Everybody, the other members too, reaches it only through this. */
  readonly link: Link;
}

/** Three MongoDB servers that elect their primary. */
export interface ReplicaSet {
  readonly uri: string;
  readonly members: readonly Member[];
  /** undefined while none is known. */
  primary(): Promise<Member | undefined>;
  /** No other member hears of it or is heard by it, until the result is called. */
  cutOff(member: Member): () => void;
  stop(): Promise<void>;
}

interface SetOptions {
  readonly binary: string;
  readonly folder: string;
  /** A free port each time. */
  readonly anyPort: () => Promise<number>;
  /** After so long without the others a primary steps down. Short by default, so that a run sees many fail-overs. */
  readonly electionTimeoutMs?: number;
}

/**
 * The set's configuration names the proxies, not the servers: what the driver discovers is then the proxies too, and cutting one
 * cuts its member off from everybody who calls it.
 */
export async function startReplicaSet(options: SetOptions): Promise<ReplicaSet> {
  const members = await Promise.all([1, 2, 3].map((number) => startMember(`mongo-${number}`, options)));
  const hosts = members.map(({ link }) => `127.0.0.1:${link.port}`);
  await initiate(hosts, options.electionTimeoutMs ?? shortElectionTimeoutMs);
  const uri = `mongodb://${hosts.join(',')}/?replicaSet=${setName}`;
  const set: ReplicaSet = {
    uri,
    members,
    primary: async () => {
      const states = await Promise.all(members.map(({ link }) => isPrimary(link.port)));
      return members.find((_member, index) => states[index]);
    },
    cutOff: (member) => cutOff(members, member),
    stop: async () => {
      await Promise.all(members.map(({ process: server }) => server.kill9()));
      await Promise.all(members.map(({ link }) => link.close()));
    },
  };
  await pollUntil(async () => ((await set.primary()) === undefined ? undefined : true), AbortSignal.timeout(60_000));
  return set;
}

async function startMember(name: string, { binary, folder, anyPort }: SetOptions): Promise<Member> {
  const port = await anyPort();
  const dataDirectory = join(folder, name);
  mkdirSync(dataDirectory, { recursive: true });
  const server = new ManagedProcess({
    name,
    command: binary,
    args: [
      ...['--replSet', setName, '--bind_ip', '127.0.0.1', '--port', String(port), '--dbpath', dataDirectory],
      ...['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '256', '--quiet', '--nounixsocket'],
      ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
      // A test may hold replication back.
      ...['--setParameter', 'enableTestCommands=1'],
      // The transaction of a process that was killed holds its locks until this is over; by default that is up to 90 s.
      ...['--setParameter', 'transactionLifetimeLimitSeconds=5'],
    ],
    environment: process.env,
    logFile: join(folder, `${name}.log`),
    readySource: 'none',
    startTimeoutMs: 60_000,
    stopTimeoutMs: 10_000,
    waitReady: async (_announced, signal) => {
      await pollUntil(() => canConnect(port), signal, 50);
    },
  });
  await server.start();
  return { name, port, process: server, link: await openLink(port) };
}

/** With test commands, a member that connects to another tells its port first. */
function cutOff(members: readonly Member[], member: Member): () => void {
  const others = members.filter((one) => one !== member);
  for (const { link } of others) link.shun(`:${member.port}`);
  member.link.set({ kind: 'reset' });
  return () => {
    for (const { link } of others) link.shun(null);
    member.link.set({ kind: 'pass' });
  };
}

async function initiate(hosts: readonly string[], electionTimeoutMs: number): Promise<void> {
  const config = {
    _id: setName,
    settings: { electionTimeoutMillis: electionTimeoutMs, heartbeatIntervalMillis: 500 },
    members: hosts.map((host, index) => ({ _id: index, host })),
  };
  await withMember(hosts[0] ?? '', (admin) => admin({ replSetInitiate: config }));
}

/**
 * From now on the followers hear nothing of what the primary writes. The function that it gives kills the primary, has another
 * member elected and starts the killed one again, which then rolls back what only it had.
 */
export async function holdReplication(set: ReplicaSet): Promise<() => Promise<void>> {
  const primary = await set.primary();
  if (primary === undefined) throw new Error('there is no primary');
  const [first, second] = set.members.filter((member) => member !== primary);
  if (first === undefined || second === undefined) throw new Error('the set has no followers');
  const hold = (mode: 'alwaysOn' | 'off'): Promise<unknown> =>
    Promise.all([first, second].map((member) => askMember(member, { configureFailPoint: 'stopReplProducer', mode })));
  await hold('alwaysOn');
  return async () => {
    await primary.process.kill9();
    await hold('off');
    const elected = async (): Promise<true | undefined> => {
      await askMember(first, { replSetStepUp: 1 }).catch(() => undefined);
      return (await set.primary()) === undefined ? undefined : true;
    };
    await pollUntil(elected, AbortSignal.timeout(60_000));
    await startPatiently(primary.process);
  };
}

/** Asks one member itself, primary or not. */
export const askMember = ({ link }: Member, command: Document): Promise<Document> =>
  withMember(`127.0.0.1:${link.port}`, (admin) => admin(command));

async function isPrimary(port: number): Promise<boolean> {
  try {
    return (await withMember(`127.0.0.1:${port}`, (admin) => admin({ hello: 1 })))['isWritablePrimary'] === true;
  } catch {
    return false;
  }
}

export async function withMember<Answer>(
  host: string,
  work: (admin: (command: Document) => Promise<Document>) => Promise<Answer>,
): Promise<Answer> {
  const client = new MongoClient(`mongodb://${host}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_500,
    connectTimeoutMS: 1_500,
    socketTimeoutMS: 20_000,
  });
  try {
    return await work((command) => client.db('admin').command(command));
  } finally {
    await client.close();
  }
}
