import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Request, Response } from 'express';
import { Refusal } from '../../features/rules/errors.ts';
import { fingerprintOf } from '../../platform/security/fingerprint.ts';

export type Compression = 'br' | 'gzip';

export interface PageFile {
  /** Media type. */
  readonly type: string;
  readonly etag: string;
  readonly bytes: Buffer;
  /** Its compressed forms, as far as they exist. */
  readonly compressed: Readonly<Partial<Record<Compression, Buffer>>>;
}

/** The ETag is that of the content, so it is the same in every process. */
export const pageFile = (file: Omit<PageFile, 'etag'>): PageFile => ({
  ...file,
  etag: `"${fingerprintOf(file.bytes).slice(0, 32)}"`,
});

interface Sending {
  readonly request: Request;
  readonly response: Response;
  readonly cacheControl: string;
}

/** Sends the smallest form that the client accepts; 304 when it has that form, only the headers for HEAD. */
export function sendFile(
  { type, etag, bytes, compressed }: PageFile,
  { request, response, cacheControl }: Sending,
): void {
  response.setHeader('Cache-Control', cacheControl);
  response.setHeader('Vary', 'Accept-Encoding');
  const encoding = encodingFor(request, compressed);
  // Each encoding has its own ETag, because its bytes differ.
  const tag = encoding === undefined ? etag : etag.replace(/"$/, `-${encoding}"`);
  response.setHeader('ETag', tag);
  response.setHeader('Content-Type', type);
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
  const body = (encoding && compressed[encoding]) ?? bytes;
  response.setHeader('Content-Length', body.length);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Returns the smallest encoding that the client accepts; undefined: no encoding. */
function encodingFor(request: Request, compressed: PageFile['compressed']): Compression | undefined {
  const made = (['br', 'gzip'] as const).filter((encoding) => compressed[encoding] !== undefined);
  // Most browsers name gzip first, so their own order of preference would select it.
  return made.find((encoding) => request.acceptsEncodings(encoding) === encoding);
}

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

/** Finds a folder beside api/, also when this file runs from a build folder inside the project. */
export function locateFolder(name: string): string {
  const candidates = ['../../', '../../../'].map((up) => join(fileURLToPath(new URL(up, import.meta.url)), name));
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found === undefined) throw new Error(`the folder ${name} is missing: looked in ${candidates.join(' and ')}`);
  return found;
}
