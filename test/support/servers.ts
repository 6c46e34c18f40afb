import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../embedded/choose-port.ts';
import type { ManagedProcess } from '../../embedded/managed-process.ts';
import { mongodProcess, mongodUri } from '../../embedded/mongod.ts';
import { temporalProcess } from '../../embedded/temporal.ts';

/** A server of a test's own, to be killed and started again on the same port and data. Ends with the test's process. */
export interface TestServer {
  readonly port: number;
  readonly pid: () => number | undefined;
  /** SIGKILL, as a power cut. */
  readonly kill9: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Resolves when it takes work again. */
  readonly restart: () => Promise<void>;
}

export interface TestMongod extends TestServer {
  readonly uri: string;
}

export interface TestTemporal extends TestServer {
  readonly address: string;
}

/** @param options a port and data folder that survive; by default new ones */
export async function startMongod(options: { port?: number; dataDirectory?: string } = {}): Promise<TestMongod> {
  const port = options.port ?? (await freePort());
  const dataDirectory = options.dataDirectory ?? newFolder('mongod');
  const server = mongodProcess({
    binary: binary('ITEMBRIDGE_MONGOD_BIN'),
    port,
    dataDirectory,
    logFile: `${dataDirectory}.log`,
    cacheGb: 0.25,
  });
  await server.start();
  return { ...asTestServer(server, port), uri: mongodUri(port) };
}

/** @param options the database's file and a port that survive; by default new ones */
export async function startTemporal(options: { dbFile?: string; port?: number } = {}): Promise<TestTemporal> {
  const port = options.port ?? (await freePort());
  const databaseFile = options.dbFile ?? join(newFolder('temporal'), 'temporal.sqlite');
  const [metricsPort, httpPort] = [await freePort(), await freePort()];
  const files = { databaseFile, logFile: `${databaseFile}.log` };
  const server = temporalProcess({ binary: binary('ITEMBRIDGE_TEMPORAL_BIN'), port, metricsPort, httpPort, ...files });
  await server.start();
  return { ...asTestServer(server, port), address: `127.0.0.1:${String(port)}` };
}

function asTestServer(server: ManagedProcess, port: number): TestServer {
  return {
    port,
    pid: () => server.pid,
    kill9: () => server.kill9(),
    stop: () => server.stop(),
    restart: () => server.restart(),
  };
}

/** scripts/test.mjs removes its folder, and with it all of these, at the end of the run. */
const newFolder = (name: string): string => mkdtempSync(join(process.env['TEST_DIRECTORY'] ?? tmpdir(), `${name}-`));

function binary(variable: string): string {
  const path = process.env[variable];
  if (path === undefined) throw new Error(`${variable} is not set: run the test with "npm test -- FILE"`);
  return path;
}
