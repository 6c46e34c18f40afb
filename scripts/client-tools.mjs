// What npm run checks -- clients works with: generators and what their clients need, in pinned versions, below .itembridge/generators.
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastLines, projectRoot, runQuietly, versions } from './prepare.mjs';
import { findPython, installPythonPackages } from './python-packages.mjs';
import { reportStep, SetupError } from './report-step.mjs';

const home = join(projectRoot, '.itembridge', 'generators');
export const storiesFolder = join(projectRoot, 'test', 'generators');

/** On Maven Central. */
const generatorVersion = versions.tools['openapi-generator'].version;
/** Where Debian's php-guzzlehttp-guzzle is. */
const guzzleAutoload = '/usr/share/php/GuzzleHttp/autoload.php';

/** Each returns how to call the tool, or `{ missing }` with what this machine lacks. Installs once. */
export const tools = {
  python: once(async () => {
    const python = await findPython(11);
    if (python === undefined) return { missing: 'needs Python 3.11 or later with pip' };
    const folder = join(home, 'python');
    const packages = [
      'openapi-python-client',
      'datamodel-code-generator',
      'lazy-imports',
      'python-dateutil',
      'urllib3',
    ];
    await installPythonPackages(python, { home: folder, pinsFile: join(storiesFolder, 'python.txt'), packages });
    return { python, folder };
  }),
  npm: once(async () => {
    const folder = join(home, 'npm');
    const names = ['package.json', 'package-lock.json'];
    const isSame = names.every(
      (name) => existsSync(join(folder, name)) && read(folder, name) === read(join(storiesFolder, 'npm'), name),
    );
    if (!isSame || !existsSync(join(folder, 'node_modules', '.package-lock.json'))) {
      mkdirSync(folder, { recursive: true });
      for (const name of names) copyFileSync(join(storiesFolder, 'npm', name), join(folder, name));
      await install('generators from npm', ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
    }
    return { modules: join(folder, 'node_modules') };
  }),
  go: once(() => needed('go', ['version'], 'needs Go 1.25 or later')),
  java: once(() => needed('java', ['-version'], 'needs Java 11 or later')),
  maven: once(() => needed('mvn', ['-version'], 'needs Maven')),
  dotnet: once(() => needed('dotnet', ['--version'], 'needs the .NET SDK, which Debian does not have')),
  php: once(async () => {
    const packages = 'needs PHP with Guzzle (Debian: apt-get install php-cli php-mbstring php-guzzlehttp-guzzle)';
    return existsSync(guzzleAutoload)
      ? { ...(await needed('php', ['-v'], packages)), guzzleAutoload }
      : { missing: packages };
  }),
  openapiGenerator: once(async () => {
    for (const found of [await tools.java(), await tools.maven()]) if (found.missing !== undefined) return found;
    const artifact = `org.openapitools:openapi-generator-cli:${generatorVersion}`;
    const jar = join(home, 'jar', `openapi-generator-cli-${generatorVersion}.jar`);
    const copy = [
      'mvn',
      '-q',
      '-B',
      'dependency:copy',
      `-Dartifact=${artifact}`,
      `-DoutputDirectory=${join(home, 'jar')}`,
    ];
    if (!existsSync(jar)) await install(artifact, copy, projectRoot);
    return { jar };
  }),
};

const read = (folder, name) => readFileSync(join(folder, name), 'utf8');

function once(find) {
  let found;
  return () => (found ??= find());
}

async function needed(command, args, missing) {
  return (await runQuietly(command, args)).code === 0 ? {} : { missing };
}

async function install(what, [command, ...args], cwd) {
  await reportStep(`getting ${what}`, async () => {
    const { code, output } = await runQuietly(command, args, { cwd });
    if (code !== 0) throw new SetupError(`${what} could not be installed:\n${lastLines(output, 5)}`);
  });
}
