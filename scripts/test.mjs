// npm test: installs what is missing, starts the servers that the tests need, runs ava, stops them.
//   node scripts/test.mjs [--group NAME] [--list] [--watch] [ava's flags] [test files or folders]
// --list: a line for each test. It is so, too, where each file is a process of its own.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join, normalize } from 'node:path';
import { buildWeb } from './build-web.mjs';
import { prepare } from './prepare.mjs';
import { reportStep, runMain, SetupError } from './report-step.mjs';
import { createTestReport } from './report-tests.mjs';
import { makeTestFolder, removeTestFolder, startTestServers } from './test-servers.mjs';

/** Tests with a command of their own; the others in `test` are those of `npm test`. */
const folders = {
  browser: 'test/browser',
  embedded: 'test/embedded',
  crash: 'verification/crash',
  upgrade: 'verification/upgrade',
  chaos: 'verification/chaos',
  fuzz: 'verification/fuzz',
  model: 'verification/model',
  isolation: 'verification/isolation',
};
/** The random ones of `test`, with other cases than those of `npm test`. */
const randomGroup = 'random';
/** These start whole systems, one file in a process. */
const systemGroups = ['browser', 'crash', 'embedded', 'upgrade'];
/** What tests start as processes of their own. The embedded group starts it as a user does, from the sources. */
const programs = [
  'bin/api.ts',
  'bin/worker.ts',
  'bin/simulators.ts',
  'bin/itembridge.ts',
  'test/platform/support/stopping-process.ts',
];
/** Two processes at a time. A test that waits for a database leaves room for other files of its process. */
const world = { name: 'world', kinds: ['world'], bundles: 1, filesAtOnce: 1 };
const plans = [world, { name: 'others', kinds: ['database', 'pure'], bundles: 2, filesAtOnce: 3 }];
/** Some of the pure ones keep their process busy for seconds, and others watch the time. */
const slowPlans = [
  { name: 'database', kinds: ['database'], bundles: 2, filesAtOnce: 2 },
  world,
  { name: 'pure', kinds: ['pure'], bundles: 2, filesAtOnce: 1 },
];

/** ava's flags that take the next word as their value. */
const flagsWithValue = new Set([
  '--match',
  '-m',
  '--timeout',
  '-T',
  '--concurrency',
  '-c',
  '--node-arguments',
  '--config',
]);

await runMain(async () => {
  const { group, args } = readGroup(process.argv.slice(2));
  const { files, flags } = splitArguments(args, group);
  await prepare();
  if (group === 'browser') requireChromium();
  const { register } = await import('tsx/esm/api');
  register();
  const { needsOf } = await import('./plan-tests.mjs');
  const folder = makeTestFolder();
  const bundles = makeBundleFolder();
  const environment = { ...process.env, NODE_ENV: 'test', TEST_DIRECTORY: folder };
  if (group === randomGroup) Object.assign(environment, drawCases());
  let servers;
  try {
    const isWatching = flags.includes('--watch');
    const needs = await needsOf(files);
    const [started, bundled] = await Promise.all([
      // These suites start their own system as a user does.
      group === 'embedded' || group === 'browser'
        ? undefined
        : startTestServers({ folder, needs: needs.servers, goProgramNames: needs.goProgramNames }),
      isWatching ? files : bundle({ files, group, needs, bundles }),
      // Here once: processes of tests that find it missing build it each for itself.
      ...(needs.web ? [buildWeb()] : []),
    ]);
    servers = started;
    Object.assign(environment, servers?.environment);
    if (!isWatching) environment.TEST_BUNDLES = bundles;
    if (group !== 'embedded' && needs.programs) environment.PROGRAM_BUNDLES = bundles;
    // Each of its tests starts a whole system: beside others they wait for each other.
    const pace = group === 'embedded' ? ['--concurrency=1'] : [];
    const args = [...pace, ...flags.filter((flag) => flag !== '--list'), ...bundled];
    const report = isWatching
      ? undefined
      : createTestReport({ files, list: flags.includes('--list') || systemGroups.includes(group), say: console.log });
    process.exitCode = await runAva(args, { environment, report });
  } finally {
    await servers?.stop();
    removeTestFolder(folder);
    rmSync(bundles, { recursive: true, force: true });
  }
  process.exit();
});

/** What ava is given, in its order. */
async function bundle({ files, group, needs, bundles }) {
  const { bundleSources, bundleTestGroups } = await import('./bundle-sources.mjs');
  const { groupsOf } = await import('./plan-tests.mjs');
  return reportStep('bundling the tests', async () => {
    if (needs.programs && group !== 'embedded') await bundleSources(programs, bundles);
    if (!systemGroups.includes(group))
      return bundleTestGroups(groupsOf(needs.kinds, group === 'slow' ? slowPlans : plans), bundles);
    return [...(await bundleSources(files, bundles)).values()];
  });
}

/** In the project, because packages are found from there; of this run alone. What a run that was killed left a day ago goes. */
function makeBundleFolder() {
  mkdirSync('build', { recursive: true });
  const folder = mkdtempSync(join('build', 'tests-'));
  const { mtimeMs: now } = statSync(folder);
  const former = readdirSync('build').filter((name) => name.startsWith('tests-'));
  for (const old of former.map((name) => join('build', name)))
    if (now - statSync(old).mtimeMs > 86_400_000) rmSync(old, { recursive: true, force: true });
  return folder;
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

function readGroup(args) {
  const at = args.indexOf('--group');
  if (at === -1) return { group: undefined, args };
  const group = args[at + 1];
  const groups = ['slow', ...Object.keys(folders), randomGroup];
  if (!groups.includes(group)) throw new SetupError(`--group must be ${groups.join(' or ')}`);
  return { group, args: args.toSpliced(at, 2) };
}

/** Folders stand for all test files in them; without any, all files of the group are meant. A path that is not there is refused. */
function splitArguments(args, group) {
  const isFlag = (argument, index) => argument.startsWith('-') || flagsWithValue.has(args[index - 1]);
  const paths = args.filter((argument, index) => !isFlag(argument, index));
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined) throw new SetupError(`there is no file or folder ${missing}: name test files or folders`);
  const isWanted = (file) => group === randomGroup || isSlow(file) === (group === 'slow');
  const inFolder = (path) => testsIn(path).filter(isWanted);
  const named = paths.flatMap((path) => (statSync(path).isDirectory() ? inFolder(path) : [normalize(path)]));
  const files = paths.length > 0 ? named : filesOf(group);
  if (files.length === 0) throw new SetupError('there are no tests here');
  return { files: files.sort(), flags: args.filter(isFlag) };
}

function filesOf(group) {
  if (group === randomGroup)
    return testsIn('test').filter((file) => readFileSync(file, 'utf8').includes('/check-property.ts'));
  if (folders[group] !== undefined) return testsIn(folders[group]).filter((file) => !isSlow(file));
  const isElsewhere = (file) => Object.values(folders).some((folder) => file.startsWith(`${folder}/`));
  return testsIn('test').filter((file) => isSlow(file) === (group === 'slow') && (isSlow(file) || !isElsewhere(file)));
}

/** Told by their name, because they stand beside the others. */
function isSlow(file) {
  return file.endsWith('.slow.test.ts');
}

/** For `test/support/check-property.ts`: another seed, and more cases than `npm test` has time for. */
function drawCases() {
  const { RANDOM_SEED = String(randomInt(2 ** 31)), RANDOM_TIMES = '4' } = process.env;
  console.log(`RANDOM_TIMES=${RANDOM_TIMES} RANDOM_SEED=${RANDOM_SEED} npm run verify -- random repeats these cases`);
  return { RANDOM_SEED, RANDOM_TIMES };
}

function testsIn(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.test.ts'));
  return names.map((file) => join(folder, file));
}

/** .ci/run reads the sum from the file that ITEMBRIDGE_TEST_SUMMARY names. Without a report ava speaks to the terminal itself. */
function runAva(args, { environment, report }) {
  const child = spawn(process.execPath, [join('node_modules', 'ava', 'entrypoints', 'cli.js'), ...args], {
    env: environment,
    stdio: report === undefined ? 'inherit' : ['inherit', 'pipe', 'pipe'],
    // A group of its own, so that all that it has left can be ended.
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) if (stream) report.output(stream);
  // The servers are stopped after it has ended.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  // A process of a test file that does not exit would hold our pipes open for ever.
  child.on('exit', () => endGroup(child.pid));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const exitCode = code ?? 1;
      const sum = report?.end(exitCode);
      const { ITEMBRIDGE_TEST_SUMMARY: summaryFile } = process.env;
      if (summaryFile !== undefined) writeFileSync(summaryFile, JSON.stringify(sum));
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
