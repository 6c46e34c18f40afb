// What the tests of a run share: server processes, certificates, the workflows' bundle.
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildWorkflows } from './build-workflows.mjs';
import { goPrograms, installGoProgram } from './install-go-program.mjs';
import { installWheel } from './install-wheel.mjs';
import { reportStep } from './report-step.mjs';
import { binaryVariables, resolveBinaries } from './resolve-binaries.mjs';

const memoryFolder = '/dev/shm';
const memoryBytesMin = 4_000_000_000;

/** In memory where there is room: a majority write waits for the journal, which is most of a database test's time on a disk. */
export function makeTestFolder() {
  const { bavail, bsize } = existsSync(memoryFolder) ? statfsSync(memoryFolder) : { bavail: 0, bsize: 0 };
  return mkdtempSync(join(bavail * bsize > memoryBytesMin ? memoryFolder : tmpdir(), 'itembridge-test-'));
}

export const removeTestFolder = (folder) => rmSync(folder, { recursive: true, force: true });

/**
 * Starts what the kinds of tests need, and no more.
 * @param {{ folder: string, needs: ReadonlySet<'pure' | 'database' | 'world'>, goProgramNames?: readonly string[] }} options
 * @returns {Promise<{ environment: Record<string, string>, stop(): Promise<void> }>}
 */
export async function startTestServers({ folder, needs, goProgramNames = [] }) {
  const started = [];
  const stop = async () => {
    await Promise.all(started.map((server) => server.stop()));
  };
  const needsServers = needs.has('database') || needs.has('world');
  const binaries = needsServers ? await resolveBinaries(['temporal', 'mongod', 'temporalTestServer']) : {};
  try {
    const parts = await Promise.all([
      createTestCertificates(folder),
      findPythonLibrary(),
      findGoPrograms(goProgramNames),
      ...(needsServers ? [startMongod({ binaries, folder, started })] : []),
      ...(needs.has('world') ? [startTemporal({ binaries, folder, started }), bundleWorkflows()] : []),
    ]);
    return { environment: Object.assign({ ...binaryVariables(binaries) }, ...parts), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** One that no other run of this moment has chosen. */
async function choosePort() {
  const { PortChooser } = await import('../embedded/choose-port.ts');
  return new PortChooser(() => undefined).any();
}

async function createTestCertificates(folder) {
  const { ensureCertificates } = await import('../embedded/certificates.ts');
  const { caFile, bundleFile, keyFile, certificateFile } = await ensureCertificates(
    join(folder, 'tls'),
    process.env.NODE_EXTRA_CA_CERTS,
  );
  return {
    TEST_CA_FILE: caFile,
    TEST_TLS_KEY_FILE: keyFile,
    TEST_TLS_CERT_FILE: certificateFile,
    NODE_EXTRA_CA_CERTS: bundleFile,
  };
}

async function startMongod({ binaries, folder, started }) {
  if (process.env.MONGODB_URI) return { TEST_MONGODB_URI: process.env.MONGODB_URI };
  const { mongodProcess, mongodSocketUri } = await import('../embedded/mongod.ts');
  const port = await choosePort();
  const files = { dataDirectory: join(folder, 'mongod'), logFile: join(folder, 'mongod.log') };
  const server = mongodProcess({
    binary: binaries.mongod,
    port,
    cacheGb: 0.25,
    socketFolder: folder,
    ...files,
    // Rows of tests have the age of a fixed moment: it would delete them, once a minute, from their day on.
    parameters: ['ttlMonitorEnabled=false'],
  });
  started.push(server);
  await reportStep('starting MongoDB', () => server.start());
  return { TEST_MONGODB_URI: mongodSocketUri(folder, port) };
}

async function startTemporal({ binaries, folder, started }) {
  if (process.env.TEMPORAL_ADDRESS) return { TEST_TEMPORAL_ADDRESS: process.env.TEMPORAL_ADDRESS };
  const { temporalProcess } = await import('../embedded/temporal.ts');
  const [port, metricsPort, httpPort] = [await choosePort(), await choosePort(), await choosePort()];
  const files = { databaseFile: join(folder, 'temporal.sqlite'), logFile: join(folder, 'temporal.log') };
  const server = temporalProcess({ binary: binaries.temporal, port, metricsPort, httpPort, ...files });
  started.push(server);
  await reportStep('starting Temporal', () => server.start());
  return { TEST_TEMPORAL_ADDRESS: `127.0.0.1:${port}` };
}

/** The off-the-shelf library with which a partner in Python would check our webhooks. Its one test says why when it is not there. */
async function findPythonLibrary() {
  const { path, problem } = await installWheel({
    name: 'standardwebhooks',
    binary: join('standardwebhooks', 'webhooks.py'),
  });
  return path === undefined ? { TEST_PYTHON_PROBLEM: problem } : { TEST_PYTHON_PATH: dirname(dirname(path)) };
}

/** Their tests start them themselves, or say why there is none. One build after the other: each takes all processors. */
async function findGoPrograms(names) {
  const found = {};
  for (const name of names) {
    const { setting } = goPrograms[name];
    const { path, problem } = await installGoProgram(name);
    found[path === undefined ? `${setting}_PROBLEM` : `${setting}_BIN`] = path ?? problem;
  }
  return found;
}

const bundleWorkflows = async () => ({ TEST_WORKFLOW_BUNDLE: await buildWorkflows() });
