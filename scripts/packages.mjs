// node scripts/packages.mjs [--check]: what partners install, in build/packages: the tarball of @itembridge/client and the wheel of the Python
// package. With --check, publint and arethetypeswrong say whether every resolver and compiler finds its way in the tarball.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastLines, prepare, projectRoot, runQuietly } from './prepare.mjs';
import { findPython } from './python-packages.mjs';
import { reportStep, runMain, SetupError } from './report-step.mjs';

const sources = join(projectRoot, 'packages');
const bin = (name, file) => join(projectRoot, 'node_modules', name, file);

/**
 * Packs @itembridge/client: plain tsc, once for each module system. Returns the path of the tarball.
 * @param {string} folder where it and what it is made of are put
 */
export async function packClient(folder) {
  const staging = await stage('client', folder);
  for (const [config, output] of [
    ['tsconfig.esm.json', 'esm'],
    ['tsconfig.cjs.json', 'cjs'],
  ]) {
    const outDir = join(staging, 'dist', output);
    const tsc = [bin('typescript-native', 'bin/tsc'), '-p', join(sources, 'client', config), '--outDir', outDir];
    await run(process.execPath, tsc, projectRoot);
    await nameJavaScript(outDir);
  }
  await writeFile(join(staging, 'dist', 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
  const output = await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], staging);
  return join(folder, lastLines(output, 1));
}

/** tsc rewrites `./pages.ts` in what runs, and leaves it in declarations, where not every compiler finds its way. */
async function nameJavaScript(folder) {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const text = await readFile(join(folder, name), 'utf8');
    await writeFile(join(folder, name), text.replace(/((?:from |import\()['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'));
  }
}

/** Builds the wheel of the Python package. Returns its path, or `{ missing }` where there is no Python. @param {string} folder */
export async function buildWheel(folder) {
  const python = await findPython(11);
  if (python === undefined) return { missing: 'needs Python 3.11 or later with pip' };
  const staging = await stage('python', folder);
  const flags = ['--quiet', '--disable-pip-version-check', '--no-input', '--no-deps', '--wheel-dir', folder];
  await run(python, ['-m', 'pip', 'wheel', ...flags, staging], folder);
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
  return { python, wheel: join(folder, wheel) };
}

/** A copy of the package's folder with the licence, because the sources stay free of what a build writes. */
async function stage(name, folder) {
  const staging = join(folder, name);
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  await cp(join(sources, name), staging, { recursive: true, filter: (path) => !/tsconfig|__pycache__/.test(path) });
  await cp(join(projectRoot, 'LICENSE'), join(staging, 'LICENSE'));
  return staging;
}

/** Both fail on a warning, too. */
async function checkClient(tarball) {
  await run(process.execPath, [bin('publint', 'src/cli.js'), 'run', '--strict', tarball], projectRoot);
  const attw = bin('@arethetypeswrong/cli', 'dist/index.js');
  await run(process.execPath, [attw, '--no-emoji', '--no-color', tarball], projectRoot);
}

async function run(command, args, cwd) {
  const { code, output } = await runQuietly(command, args, { cwd });
  if (code !== 0) throw new SetupError(`${command} ${args.join(' ')} ended with ${code}:\n${lastLines(output, 30)}`);
  return output;
}

if (process.argv[1] === import.meta.filename)
  await runMain(async () => {
    await prepare();
    const folder = join(projectRoot, 'build', 'packages');
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const tarball = await reportStep('packing @itembridge/client', () => packClient(folder));
    console.log(tarball);
    if (process.argv.includes('--check'))
      return reportStep('checking it with publint and arethetypeswrong', () => checkClient(tarball));
    const { wheel, missing } = await reportStep('building the Python wheel', () => buildWheel(folder));
    console.log(wheel ?? `no wheel: ${missing}`);
  });
