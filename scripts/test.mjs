// npm test: installs what is missing, starts one MongoDB and one Temporal server for the whole run, runs ava, stops them.
//   node scripts/test.mjs [--group unit|browser|crash|embedded] [ava's flags] [test files]
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, normalize } from 'node:path';
import { bundleSources } from './bundle-sources.mjs';
import { createTapCounter } from './count-tap.mjs';
import { installWheel } from './install-wheel.mjs';
import { lastLines, prepare, runQuietly } from './prepare.mjs';
import { reportStep, runMain, SetupError } from './report-step.mjs';
import { binaryVariables, resolveBinaries } from './resolve-binaries.mjs';

/** Suites that take long or start the whole system have a command of their own. */
const slowGroups = ['browser', 'crash', 'embedded'];
/** What these groups start many times. The embedded group starts it as a user does, from the sources. */
const programs = ['api/main.ts', 'workers/main.ts', 'simulators/main.ts', 'cli/itembridge.ts'];

await runMain(async () => {
  const { group, avaArguments } = readArguments(process.argv.slice(2));
  await prepare();
  if (group === 'browser') requireChromium();
  const binaries = await resolveBinaries(['temporal', 'mongod', 'temporalTestServer']);
  const { register } = await import('tsx/esm/api');
  register();
  const folder = mkdtempSync(join(tmpdir(), 'itembridge-test-'));
  const bundles = makeBundleFolder();
  const started = [];
  try {
    const environment = { ...process.env, NODE_ENV: 'test', TEST_DIRECTORY: folder, ...binaryVariables(binaries) };
    // These suites start their own system as a user does.
    if (group !== 'embedded' && group !== 'browser') {
      Object.assign(environment, await createTestCertificates(folder));
      Object.assign(
        environment,
        await reportStep('starting MongoDB and Temporal for the tests', () =>
          startServers({ binaries, folder, started }),
        ),
      );
      Object.assign(environment, await buildWorkflowBundle(folder));
      if (group === 'unit') Object.assign(environment, await findPythonLibrary());
    }
    const { files, flags } = splitArguments(withFiles(avaArguments, group));
    const bundled = group === 'embedded' ? [] : programs;
    const bundleOf = await reportStep('bundling the tests', () => bundleSources([...files, ...bundled], bundles));
    const run = { ...environment, TEST_BUNDLES: bundles, ...(bundled.length > 0 && { PROGRAM_BUNDLES: bundles }) };
    // Each of its tests starts a whole system: beside others they wait for each other.
    const pace = group === 'embedded' ? ['--concurrency=1'] : [];
    process.exitCode = await runAva([...pace, ...flags, ...files.map((file) => bundleOf.get(file))], run);
  } finally {
    await Promise.all(started.map((server) => server.stop()));
    for (const own of [folder, bundles]) rmSync(own, { recursive: true, force: true });
  }
  process.exit();
});

/** In the project, because packages are found from there; of this run alone. What a run that was killed left a day ago goes. */
function makeBundleFolder() {
  mkdirSync('build', { recursive: true });
  for (const old of readdirSync('build').map((name) => join('build', name)))
    if (Date.now() - statSync(old).mtimeMs > 86_400_000) rmSync(old, { recursive: true, force: true });
  return mkdtempSync(join('build', 'tests-'));
}

/** Said at once, not after the system has started. */
function requireChromium() {
  if (process.env.CHROMIUM_BIN || ['chromium', 'chromium-browser', 'google-chrome'].some(isOnPath)) return;
  throw new SetupError(
    'the browser tests want Chromium (Debian: apt-get install chromium), or one named in CHROMIUM_BIN',
  );
}

function isOnPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
}

function readArguments(args) {
  const at = args.indexOf('--group');
  if (at === -1) return { group: 'unit', avaArguments: args };
  const group = args[at + 1];
  if (group !== 'unit' && !slowGroups.includes(group))
    throw new SetupError(`--group must be unit, ${slowGroups.join(' or ')}`);
  return { group, avaArguments: args.toSpliced(at, 2) };
}

/** ava gets the files of the group, unless some are named. */
function withFiles(args, group) {
  if (args.some((argument) => argument.includes('.test.') || argument.startsWith('test/'))) return args;
  const all = readdirSync('test', { recursive: true }).filter((file) => file.endsWith('.test.ts'));
  const groupOf = (file) => slowGroups.find((name) => file.startsWith(`${name}/`)) ?? 'unit';
  const files = all.filter((file) => groupOf(file.replaceAll('\\', '/')) === group).map((file) => join('test', file));
  if (files.length === 0) throw new SetupError(`there are no tests in the group ${group}`);
  return [...args, ...files.sort()];
}

/** Folders stand for all test files in them. */
function splitArguments(args) {
  const isPath = (argument) => !argument.startsWith('-') && existsSync(argument);
  const testsIn = (folder) =>
    readdirSync(folder, { recursive: true })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => join(folder, file));
  const files = args
    .filter(isPath)
    .flatMap((path) => (statSync(path).isDirectory() ? testsIn(path) : [normalize(path)]));
  return { files, flags: args.filter((argument) => !isPath(argument)) };
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

async function startServers({ binaries, folder, started }) {
  const { PortChooser } = await import('../embedded/choose-port.ts');
  const { mongodProcess, mongodUri } = await import('../embedded/mongod.ts');
  const { temporalProcess } = await import('../embedded/temporal.ts');
  const ports = new PortChooser(() => {});
  const [mongoPort, port, metricsPort, httpPort] = [
    await ports.any(),
    await ports.any(),
    await ports.any(),
    await ports.any(),
  ];
  const work = [];
  const run = (server) => {
    started.push(server);
    work.push(server.start());
  };
  if (!process.env.MONGODB_URI) {
    const files = { dataDirectory: join(folder, 'mongod'), logFile: join(folder, 'mongod.log') };
    run(mongodProcess({ binary: binaries.mongod, port: mongoPort, cacheGb: 0.25, ...files }));
  }
  if (!process.env.TEMPORAL_ADDRESS) {
    const files = { databaseFile: join(folder, 'temporal.sqlite'), logFile: join(folder, 'temporal.log') };
    run(temporalProcess({ binary: binaries.temporal, port, metricsPort, httpPort, ...files }));
  }
  await Promise.all(work);
  return {
    TEST_MONGODB_URI: process.env.MONGODB_URI || mongodUri(mongoPort),
    TEST_TEMPORAL_ADDRESS: process.env.TEMPORAL_ADDRESS || `127.0.0.1:${port}`,
  };
}

/** The off-the-shelf library with which a partner in Python would check our webhooks. Its one test says why when it is not there. */
async function findPythonLibrary() {
  const { path, problem } = await installWheel({
    name: 'standardwebhooks',
    binary: join('standardwebhooks', 'webhooks.py'),
  });
  return path === undefined ? { TEST_PYTHON_PROBLEM: problem } : { TEST_PYTHON_PATH: dirname(dirname(path)) };
}

/** Once for all tests, because it takes 3 s each time. */
async function buildWorkflowBundle(folder) {
  const builder = join('workers', 'build-workflow-bundle.ts');
  if (!existsSync(builder)) return {};
  const bundle = join(folder, 'workflow-bundle.js');
  await reportStep('bundling the workflows', async () => {
    const { code, output } = await runQuietly(process.execPath, ['--import=tsx', builder, bundle]);
    if (code !== 0 || !existsSync(bundle))
      throw new SetupError(`the workflows could not be bundled:\n${lastLines(output, 20)}`);
  });
  return { TEST_WORKFLOW_BUNDLE: bundle };
}

/** With ITEMBRIDGE_TEST_SUMMARY (a file) the tests are counted from ava's TAP for .ci/run; else ava speaks to the terminal itself. */
function runAva(args, environment) {
  const summaryFile = process.env.ITEMBRIDGE_TEST_SUMMARY;
  const reporter = summaryFile === undefined ? [] : ['--tap'];
  const stdio = summaryFile === undefined ? 'inherit' : ['inherit', 'pipe', 'inherit'];
  const child = spawn(process.execPath, [join('node_modules', 'ava', 'entrypoints', 'cli.mjs'), ...reporter, ...args], {
    env: environment,
    stdio,
    // A group of its own, so that all that it has left can be ended.
    detached: true,
  });
  const counter = createTapCounter();
  child.stdout?.on('data', (chunk) => {
    counter.write(chunk);
    process.stdout.write(chunk);
  });
  // The servers are stopped after it has ended.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  // Its TAP reporter falls over a test file that does not exit, and that file's process would hold our pipe open for ever.
  child.on('exit', () => endGroup(child.pid));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const exitCode = code ?? 1;
      if (summaryFile !== undefined) writeFileSync(summaryFile, JSON.stringify(counter.end(exitCode)));
      resolve(exitCode);
    });
  });
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left, as it should be.
  }
}
