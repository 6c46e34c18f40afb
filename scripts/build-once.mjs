// A folder of files, made once of its sources and put in place as a whole.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { reportStep } from './report-step.mjs';

const stamp = '.sources';

/**
 * Builds unless the result is made of the very sources that are there: compared by their content, because file times say little after
 * a checkout. Several callers may do so at once, in one process or in several.
 * @param {string} root folder of the project
 * @param {{ title: string, result: string, sources: readonly string[], versions: string, quality?: number,
 *   isServed?: boolean, make: (folder: string) => Promise<void> }} what `result` and `sources` (files and folders) are relative to the root; `versions`: of
 *   what else the result depends on; `quality`: brotli's, the best when absent; `isServed`: false where no browser gets it, so that
 *   nothing is compressed; `make` fills an empty folder
 */
export async function buildOnce(root, { title, result, sources, versions, quality, isServed = true, make }) {
  const wanted = await fingerprint(root, sources, versions);
  if ((await readStamp(root, result)) === wanted) return;
  await reportStep(title, async () => {
    const fresh = `${result}.${randomUUID()}`;
    try {
      await make(join(root, fresh));
      if (isServed) await compressAll(join(root, fresh), quality);
      await writeFile(join(root, fresh, stamp), wanted);
      await putInPlace(root, fresh, result);
    } finally {
      await rm(join(root, fresh), { recursive: true, force: true });
    }
  });
}

/** Who reads meanwhile finds all of the old files, all of the new ones, or for a moment none; never some. */
async function putInPlace(root, fresh, result) {
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

const readStamp = (root, result) => readFile(join(root, result, stamp), 'utf8').catch(() => undefined);

async function fingerprint(root, sources, versions) {
  const hash = createHash('sha256').update(versions);
  const files = (await Promise.all(sources.map((source) => filesOf(root, source)))).flat();
  for (const file of files.sort())
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

/** Once here instead of at every request. */
async function compressAll(folder, quality) {
  const files = await readdir(folder, { recursive: true });
  await Promise.all(
    files.filter((name) => compressible.has(extname(name))).map((name) => compress(join(folder, name), quality)),
  );
}

async function compress(file, quality = constants.BROTLI_MAX_QUALITY) {
  const bytes = await readFile(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}
