import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Refusal } from '../../core/errors.ts';
import { pageFile, type PageFile } from './send-file.ts';

/** Files by their paths in a built folder, such as `index.html` or `assets/index-Czi5wQiU.css`. */
export type Pages = ReadonlyMap<string, PageFile>;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * Loads all files into memory: they are few and small, and no other file can be requested. Throws {@link Refusal} UNAVAILABLE
 * when the folder is not built, or is being replaced at this moment.
 */
export async function readPages(folder: string): Promise<Pages> {
  const paths = await readdir(folder, { recursive: true }).catch(() => []);
  const files = paths.map((path) => path.replaceAll('\\', '/')).filter((path) => extname(path) in types);
  if (files.length === 0) throw notBuilt();
  const reads = files.map(async (path) => [path, await readOne(join(folder, path))] as const);
  return new Map(await Promise.all(reads).catch(rejectWithoutFiles));
}

const notBuilt = (): Refusal => new Refusal('UNAVAILABLE', 'The pages have not been built: npm run web:build');

/** A listed file is gone, because another build replaces it. */
function rejectWithoutFiles(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw notBuilt();
  throw error;
}

async function readOne(path: string): Promise<PageFile> {
  const optional = async (file: string): Promise<Buffer | undefined> => readFile(file).catch(() => undefined);
  const [bytes, br, gzip] = await Promise.all([readFile(path), optional(`${path}.br`), optional(`${path}.gz`)]);
  const type = types[extname(path)] ?? 'application/octet-stream';
  return pageFile({ type, bytes, compressed: { ...(br && { br }), ...(gzip && { gzip }) } });
}
