import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { firstThatRuns, runProgram } from '../examples/support/run-program.ts';
import { repositoryRoot } from '../rules/source-files.ts';
import { StartedSystem } from './support/started-system.ts';

// docs/reference/first-hour.md: the commands of the page and the programs of examples/first-hour are run against a fresh system.

const file = new URL('../../scripts/packages.mjs', import.meta.url).href;
const { packClient, buildWheel } = (await import(file)) as {
  packClient: (folder: string) => Promise<string>;
  buildWheel: (folder: string) => Promise<{ missing?: string }>;
};

const page = readFileSync(join(repositoryRoot, 'docs/reference/first-hour.md'), 'utf8');
/** The blocks of a language, in order; under one heading, or of the whole page. */
const blocks = (language: string, heading?: string): string[] => {
  const sections = page.split(/^(?=## )/m);
  const section = heading === undefined ? page : sections.find((one) => one.startsWith(`## ${heading}\n`));
  return [...(section ?? '').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, text = '']) =>
    name === language ? [text] : [],
  );
};

// Below the project, where the page has it, so that the project's tsx is found.
mkdirSync(join(repositoryRoot, 'build'), { recursive: true });
const build = mkdtempSync(join(repositoryRoot, 'build/first-hour-'));
const cwd = join(build, 'first-hour');
let system: StartedSystem | undefined;
let noPython: string | undefined;

/** Runs commands of the page. They stop at the first that fails. */
async function type(t: ExecutionContext, commands: string): Promise<string[]> {
  const environment = {
    PROJECT: repositoryRoot,
    ITEMBRIDGE_HOME: system?.home ?? '',
    PIP_CONSTRAINT: join(repositoryRoot, 'test/generators/python.txt'),
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
  };
  const { code, output } = await runProgram(['bash', '-euo', 'pipefail', '-c', commands], {
    stdin: Buffer.alloc(0),
    environment,
    cwd,
    timeout: 240_000,
  });
  t.is(code, 0, output);
  return output.split('\n');
}

test.before(async (t) => {
  t.timeout(600_000);
  mkdirSync(cwd);
  const packages = join(build, 'packages');
  mkdirSync(packages);
  system = await StartedSystem.launch();
  await packClient(packages);
  noPython = (await buildWheel(packages)).missing;
  await system.ready();
});
test.after.always(async () => {
  await system?.discard();
  rmSync(build, { recursive: true, force: true });
});

test.serial('curl: every step of the page works, from an account to a sale that is paid', async (t) => {
  t.timeout(300_000);
  const [others = ''] = blocks('sh', 'C#, PHP, Go and Java');
  const verifications = others.trim().split('\n');
  t.is(verifications.length, 5);
  const tried = verifications.map(
    (line) => `if command -v ${line.split(' ', 1)[0]}; then ${line}\nelse echo "skipped: ${line}"; fi`,
  );
  const commands = blocks('bash');
  t.is(commands.length, 8);

  const said = await type(t, [...commands, ...tried].join('\n'));

  t.true(said.includes('verified listing.created'), said.join('\n'));
  t.deepEqual(said.filter((line) => ['"connected"', '"sold"', 'true'].includes(line)).slice(0, 3), [
    '"connected"',
    '"sold"',
    'true',
  ]);
  const skipped = said.filter((line) => line.startsWith('skipped: '));
  for (const line of skipped) console.log(`${line}, because it is not installed`);
  t.is(said.filter((line) => line === 'verified').length, verifications.length - skipped.length);
});

test.serial('Python: the program of the page verifies the webhooks of an item that goes live', async (t) => {
  t.timeout(300_000);
  if (noPython !== undefined) {
    console.log(`skipped: the Python program of the first hour, because it ${noPython}`);
    t.pass();
    return;
  }
  await verifies(t, 'Python');
});

test.serial('Python: a day of a shop, with every event and every row of the log as expected', async (t) => {
  t.timeout(300_000);
  if (noPython !== undefined) {
    console.log(`skipped: the day of a shop in Python, because it ${noPython}`);
    t.pass();
    return;
  }
  // In the environment that the program before has made of the wheel.
  const said = await type(t, 'python/bin/python "$PROJECT/examples/shop_day.py"');
  t.true(said.includes('everything as expected'), said.join('\n'));
});

test.serial('TypeScript: the program of the page verifies the webhooks of an item that goes live', async (t) => {
  t.timeout(300_000);
  const [program = ''] = blocks('ts', 'TypeScript');
  writeFileSync(join(cwd, 'first-hour.mts'), program);
  await verifies(t, 'TypeScript');

  const strict = '--ignoreConfig --noEmit --strict --module nodenext --target es2023 --types node';
  await type(t, `node ${repositoryRoot}/node_modules/typescript-native/bin/tsc ${strict} first-hour.mts`);
});

test.serial('Go: the program of the page verifies the webhooks of an item that goes live', async (t) => {
  t.timeout(300_000);
  if (isMissing(t, 'Go', ['go', 'version'])) return;
  await verifies(t, 'Go');
});

test.serial('C#: the program of the page compiles, and verifies what is forwarded to it', async (t) => {
  t.timeout(300_000);
  if (isMissing(t, 'C#', ['mcs', '--version'], ['mono', '--version'])) return;
  await verifies(t, 'C#', ['item.created', 'listing.created']);
});

function isMissing(t: ExecutionContext, language: string, ...probes: readonly (readonly [string, ...string[]])[]) {
  const missing = probes.find((probe) => firstThatRuns([probe]) === undefined);
  if (missing === undefined) return false;
  console.log(`skipped: the ${language} program of the first hour, because there is no ${missing[0]} on this machine`);
  t.pass();
  return true;
}

const ofAPicture = ['item.created', 'item.images_ready', 'listing.created'];

async function verifies(t: ExecutionContext, heading: string, events: readonly string[] = ofAPicture) {
  const said = await type(t, blocks('sh', heading).join('\n'));
  t.deepEqual(
    said.filter((line) => line.startsWith('verified ')).sort(),
    events.map((type) => `verified ${type}`),
  );
}
