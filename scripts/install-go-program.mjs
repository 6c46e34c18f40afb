import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lastLines, projectRoot, runQuietly, versions } from './prepare.mjs';
import { reportStep } from './report-step.mjs';

const versionOf = (maker) => versions.runtimes.find(({ part }) => part.startsWith(maker)).part.split(':')[1];
const temporalServer = `v${versionOf('temporalio/server')}`;

/**
 * Servers of other makers that tests run against, from Go modules. `variable` names one that is there already, `setting` is how a
 * test is told: `<setting>_BIN`, or `<setting>_PROBLEM`. `binary`: the name that Go gives it, where that is another.
 */
export const goPrograms = {
  // An S3 server over a folder: the one of docker-compose.yml.
  versitygw: {
    module: `github.com/versity/versitygw/cmd/versitygw@${versionOf('versity/')}`,
    variable: 'ITEMBRIDGE_VERSITYGW_BIN',
    setting: 'TEST_VERSITYGW',
  },
  // The Temporal server of docker-compose.yml, and the tool for its tables, whose files lie in the module (deploy/native).
  'temporal-server': {
    module: `go.temporal.io/server/cmd/server@${temporalServer}`,
    binary: 'server',
    variable: 'ITEMBRIDGE_TEMPORAL_SERVER_BIN',
    setting: 'TEST_TEMPORAL_SERVER',
  },
  'temporal-sql-tool': {
    module: `go.temporal.io/server/cmd/tools/sql@${temporalServer}`,
    binary: 'sql',
    variable: 'ITEMBRIDGE_TEMPORAL_SQL_TOOL_BIN',
    setting: 'TEST_TEMPORAL_SQL_TOOL',
  },
  // Checks calls against the payment processor's own OpenAPI document; keeps no state. Its version goes with the SDK's.
  'stripe-mock': {
    module: `github.com/stripe/stripe-mock@v${versions.tools['stripe-mock'].version}`,
    variable: 'STRIPE_MOCK_BINARY',
    setting: 'TEST_STRIPE_MOCK',
  },
};

/**
 * Makes one of them available. Built once for each version; Go compares what it downloads with its checksum database.
 * @param {keyof typeof goPrograms} name
 * @returns {Promise<{ path: string } | { problem: string }>}
 */
export async function installGoProgram(name) {
  const { module, variable, binary = name } = goPrograms[name];
  if (process.env[variable]) return { path: process.env[variable] };
  const target = join(projectRoot, '.itembridge', 'go', `${name}-${module.slice(module.indexOf('@') + 1)}`);
  const path = join(target, binary);
  if (existsSync(path)) return { path };
  if ((await runQuietly('go', ['version'])).code !== 0) return { problem: 'Go is not installed' };
  const problem = await reportStep(`building ${name} (once; minutes where Go has built nothing yet)`, () =>
    build(module, target),
  );
  return problem === undefined ? { path } : { problem };
}

/** Builds beside the target and moves it there when complete, so that an interrupted build leaves nothing half done. */
async function build(module, target) {
  const staging = `${target}.${process.pid}`;
  mkdirSync(staging, { recursive: true });
  const env = { ...process.env, GOBIN: staging, GOFLAGS: '-mod=mod' };
  const { code, output } = await runQuietly('go', ['install', module], { env });
  if (code === 0 && !existsSync(target)) renameSync(staging, target);
  rmSync(staging, { recursive: true, force: true });
  return code === 0 ? undefined : `Go could not build ${module}: ${lastLines(output, 3)}`;
}
