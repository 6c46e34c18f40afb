// npm run web:build: the dashboard as files for browsers in web/dashboard/dist, also compressed. Does nothing when that is up to date.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { lastLines, projectRoot, runQuietly } from './prepare.mjs';
import { reportStep, runMain, SetupError } from './report-step.mjs';

const dashboard = join('web', 'dashboard');
const result = join(dashboard, 'dist');
/** Everything that the result is made of. */
const sources = [
  'client',
  ...['src', 'index.html', 'vite.config.ts', 'tsconfig.json'].map((name) => join(dashboard, name)),
];
const stamp = '.sources';

/**
 * Builds the dashboard unless web/dashboard/dist is made of the very sources that are there: compared by their content, because file
 * times say little after a checkout. Several processes may do so at once.
 */
export async function buildWeb(root = projectRoot) {
  const wanted = await fingerprint(root);
  if ((await readStamp(root)) === wanted) return;
  await reportStep('building the dashboard', () => build(root, wanted));
}

async function build(root, wanted) {
  const fresh = `${result}.${process.pid}`;
  const vite = join('node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', dashboard, '--outDir', basename(fresh), '--emptyOutDir', '--logLevel', 'warn'];
  try {
    const { code, output } = await runQuietly(process.execPath, args, { cwd: root });
    if (code !== 0) throw new SetupError(`the dashboard could not be built:\n${lastLines(output, 20)}`);
    await compressAll(join(root, fresh));
    await writeFile(join(root, fresh, stamp), wanted);
    await putInPlace(root, fresh);
  } finally {
    await rm(join(root, fresh), { recursive: true, force: true });
  }
}

/** Who reads meanwhile finds all of the old files, all of the new ones, or for a moment none; never some. */
async function putInPlace(root, fresh) {
  const old = `${fresh}.old`;
  await rename(join(root, result), join(root, old)).catch((error) => {
    // There is none yet, or another process has just moved it.
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(join(root, fresh), join(root, result)).catch((error) => {
    // Another process was faster; its result is made of the same sources.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  await rm(join(root, old), { recursive: true, force: true });
}

const readStamp = (root) => readFile(join(root, result, stamp), 'utf8').catch(() => undefined);

async function fingerprint(root) {
  const hash = createHash('sha256');
  const files = (await Promise.all(sources.map((source) => filesOf(root, source)))).flat();
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')).packages;
  const packages = ['vite', 'esbuild', 'rollup', 'preact', 'uplot'].map(
    (name) => lock[`node_modules/${name}`]?.version,
  );
  hash.update(packages.join(' '));
  for (const file of [...files, join('scripts', 'build-web.mjs')].sort())
    hash.update(`\n${file.replaceAll('\\', '/')}\n`).update(await readFile(join(root, file)));
  return hash.digest('hex');
}

async function filesOf(root, source) {
  if (extname(source) !== '') return existsSync(join(root, source)) ? [source] : [];
  const entries = await readdir(join(root, source), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(join(root, '/').length));
}

const compressible = new Set(['.html', '.js', '.css', '.svg']);

/** Once here instead of at every request: as small as it gets. */
async function compressAll(folder) {
  const files = await readdir(folder, { recursive: true });
  await Promise.all(
    files.filter((name) => compressible.has(extname(name))).map((name) => compress(join(folder, name))),
  );
}

async function compress(file) {
  const bytes = await readFile(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}

if (process.argv[1] === import.meta.filename) await runMain(() => buildWeb());
