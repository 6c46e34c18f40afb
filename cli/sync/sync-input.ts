import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, fstatSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { LineSource } from '../../client/bulk-syncs.ts';
import { UsageError } from '../exit-codes.ts';

export type Format = 'ndjson' | 'csv';

/** A file of items that can be read repeatedly. */
export interface SyncInput {
  /** The name shown to the user. */
  readonly name: string;
  /** Path of its bytes. */
  readonly path: string;
  /** The source file, also for standard input. */
  readonly origin: { readonly dev: number; readonly ino: number };
  readonly format: Format;
  readonly bytes: number;
  /** SHA-256 of its content. */
  readonly digest: string;
  readonly warnings: readonly string[];
  readonly lines: LineSource;
  /** Removes temporary files of the command. */
  cleanUp(): void;
}

/** `-` is standard input, stored in a temporary file. Throws {@link UsageError} for an unreadable file. */
export async function openSyncInput(file: string, wished: Format | undefined, signal: AbortSignal): Promise<SyncInput> {
  const { path, cleanUp } = file === '-' ? await keepStandardInput(signal) : { path: file, cleanUp: () => undefined };
  try {
    const bytes = sizeOf(path);
    const format = wished ?? (await formatOf(file, path));
    const digest = await digestOf(path, signal);
    const name = file === '-' ? 'standard input' : file;
    const origin = file === '-' ? fstatSync(process.stdin.fd) : statSync(path);
    const common = { name, path, origin, format, bytes, digest, cleanUp };
    if (format === 'ndjson') return { ...common, warnings: [], lines: () => createReadStream(path) };
    // Loaded for CSV only, because the parser and the item schemas take time to load.
    const { csvAsNdjson, readCsvColumns } = await import('./csv-lines.ts');
    const { columns, warnings } = await readCsvColumns(path);
    return { ...common, warnings, lines: () => csvAsNdjson(path, columns) };
  } catch (error) {
    cleanUp();
    throw error;
  }
}

async function keepStandardInput(signal: AbortSignal): Promise<{ path: string; cleanUp: () => void }> {
  if (process.stdin.isTTY) throw new UsageError('Standard input is a terminal: pipe the items in, or name a file.');
  const folder = mkdtempSync(join(tmpdir(), 'itembridge-sync-'));
  const cleanUp = (): void => rmSync(folder, { recursive: true, force: true });
  const path = join(folder, 'items');
  try {
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }), { signal });
    return { path, cleanUp };
  } catch (error) {
    cleanUp();
    signal.throwIfAborted();
    throw error;
  }
}

function sizeOf(path: string): number {
  try {
    const stat = statSync(path);
    if (stat.isFile()) return stat.size;
  } catch (error) {
    throw new UsageError(`${path} can't be read.`, { cause: error });
  }
  throw new UsageError(`${path} is no file.`);
}

async function formatOf(name: string, path: string): Promise<Format> {
  if (/\.csv$/i.test(name)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(name)) return 'ndjson';
  for await (const start of createReadStream(path, { end: 1_023, encoding: 'utf8' }))
    return /^[\s\uFEFF]*\{/.test(String(start)) ? 'ndjson' : 'csv';
  return 'ndjson';
}

async function digestOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const content: AsyncIterable<Uint8Array> = createReadStream(path, { highWaterMark: 1_048_576 });
  for await (const chunk of content) {
    signal.throwIfAborted();
    hash.update(chunk);
  }
  return hash.digest('hex');
}
