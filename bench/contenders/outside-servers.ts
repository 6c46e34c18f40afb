// What the alternatives need besides MongoDB, from Debian's packages: started in folders and on ports of their own.
import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { canConnect, freePort } from '../../embedded/choose-port.ts';
import { ManagedProcess } from '../../embedded/managed-process.ts';
import { pollUntil } from '../../embedded/poll.ts';

const run = promisify(execFile);

/** Where each program is, undefined where it is not installed. `OUTPOST_BIN` names Outpost's command line. */
export const programs = {
  redis: findProgram('redis-server'),
  rabbitmq: findProgram('rabbitmq-server', ['/usr/lib/rabbitmq/bin']),
  epmd: findProgram('epmd'),
  postgres: findProgram('postgres', postgresFolders()),
  initdb: findProgram('initdb', postgresFolders()),
  outpost: process.env['OUTPOST_BIN'] ?? findProgram('outpost'),
} as const;
type Program = keyof typeof programs;

/** Names of those that are missing, for the sentence that says why rows are left out. */
export const missing = (needed: readonly Program[]): readonly string[] =>
  needed.filter((name) => programs[name] === undefined);

export function programOf(name: Program): string {
  const path = programs[name];
  if (path === undefined) throw new Error(`there is no ${name} here`);
  return path;
}

/** What each program that is there says of its version. */
export async function outsideVersions(): Promise<Record<string, string>> {
  const said = async (name: Program, command: string, ...args: string[]): Promise<[string, string]> => [
    name,
    /\d+(?:\.\d+)+/.exec((await run(command, args)).stdout)?.[0] ?? 'built from source',
  ];
  const { redis, postgres, rabbitmq, outpost } = programs;
  const found = await Promise.all([
    ...(redis === undefined ? [] : [said('redis', redis, '--version')]),
    ...(postgres === undefined ? [] : [said('postgres', postgres, '--version')]),
    ...(rabbitmq === undefined ? [] : [said('rabbitmq', 'ls', join(dirname(rabbitmq), '../lib'))]),
    ...(outpost === undefined ? [] : [said('outpost', outpost, '--version')]),
  ]);
  return Object.fromEntries(found);
}

/** A server that was started. */
export interface OutsideServer extends AsyncDisposable {
  readonly port: number;
  readonly process: ManagedProcess;
}

interface Plan {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly port: number;
}

/** Ready when its port takes connections. */
export async function startServer({ name, command, args, environment, folder, port }: Plan): Promise<OutsideServer> {
  const process_ = new ManagedProcess({
    name,
    command,
    args,
    environment: { ...process.env, ...environment },
    logFile: join(folder, `${name}.log`),
    readySource: 'none',
    startTimeoutMs: 120_000,
    stopTimeoutMs: 30_000,
    waitReady: async (_announced, signal) => {
      await pollUntil(() => canConnect(port), signal, 50);
    },
  });
  await process_.start();
  return { port, process: process_, [Symbol.asyncDispose]: () => process_.stop() };
}

/** Appends every write to its file and flushes it once a second, as BullMQ's and Outpost's manuals want it for production. */
export async function startRedis(folder: string): Promise<OutsideServer> {
  const port = await freePort();
  const directory = join(folder, `redis-${port}`);
  mkdirSync(directory);
  const args = [
    '--bind',
    '127.0.0.1',
    '--port',
    String(port),
    '--dir',
    directory,
    '--save',
    '',
    '--appendonly',
    'yes',
    '--appendfsync',
    'everysec',
    '--maxmemory-policy',
    'noeviction',
  ];
  return startServer({ name: 'redis', command: programOf('redis'), args, folder, port });
}

/** It refuses to run as root, so that its user gets it, and a folder that this user may enter. */
export async function startPostgres(folder: string): Promise<OutsideServer> {
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), 'itembridge-bench-postgres-'));
  const isRoot = process.getuid?.() === 0;
  const userId = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  if (isRoot) chownSync(directory, userId('-u'), userId('-g'));
  const asUser = (command: string, args: readonly string[]): [string, string[]] =>
    isRoot
      ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', command, ...args]]
      : [command, [...args]];
  const data = join(directory, 'data');
  await run(...asUser(programOf('initdb'), ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8']));
  const [command, args] = asUser(programOf('postgres'), [
    '-D',
    data,
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    `unix_socket_directories=${directory}`,
  ]);
  const server = await startServer({ name: 'postgres', command, args, folder, port });
  const dispose = async (): Promise<void> => {
    await server.process.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  return { ...server, [Symbol.asyncDispose]: dispose };
}

/** With a port mapper of its own: Erlang would start one that outlives it. */
export async function startRabbit(folder: string): Promise<OutsideServer> {
  const [port, distributionPort, mapperPort] = [await freePort(), await freePort(), await freePort()];
  const directory = join(folder, `rabbitmq-${port}`);
  mkdirSync(directory);
  const erlang = { ERL_EPMD_PORT: String(mapperPort), ERL_EPMD_ADDRESS: '127.0.0.1' };
  const mapper = await startServer({
    name: 'epmd',
    command: programOf('epmd'),
    args: [],
    environment: erlang,
    folder,
    port: mapperPort,
  });
  const environment = {
    ...erlang,
    HOME: directory,
    RABBITMQ_NODENAME: `bench${port}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(distributionPort),
    RABBITMQ_MNESIA_BASE: directory,
    RABBITMQ_LOG_BASE: directory,
    RABBITMQ_PID_FILE: join(directory, 'pid'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(directory, 'plugins'),
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
  };
  const broker = { name: 'rabbitmq', command: programOf('rabbitmq'), args: [], environment, folder, port };
  const server = await startServer(broker);
  const dispose = async (): Promise<void> => {
    await server.process.stop();
    await mapper.process.stop();
  };
  return { ...server, [Symbol.asyncDispose]: dispose };
}

function findProgram(name: string, besides: readonly string[] = []): string | undefined {
  // What is asked for by folder comes first: Debian's own start script of RabbitMQ on the path wants to be a service.
  const folders = [...besides, ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function postgresFolders(): string[] {
  const root = '/usr/lib/postgresql';
  return existsSync(root) ? readdirSync(root).map((version) => join(root, version, 'bin')) : [];
}
