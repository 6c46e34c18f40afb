import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, fstatSync, mkdtempSync, rmSync, statSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { LineSource } from '../../client/bulk-syncs.ts';
import { planColumns, type Column } from '../../client/files/columns.ts';
import { englishFindings, englishRemarks, tellFinding, tellRemark } from '../../client/files/english.ts';
import { FileProblem, type FileRemark } from '../../client/files/file-findings.ts';
import {
  itemLines,
  openItemFile,
  type FileFormat,
  type ItemFile,
  type LinesWish,
} from '../../client/files/item-file.ts';
import { UsageError } from '../exit-codes.ts';

/** The file was written to while it was read; it may be complete later. */
export class FileChanged extends UsageError {}

/** A CSV may have columns for a part of an item only; a line of JSON replaces its item, as a PUT does. */
export const leftOutOf = ({ file }: Pick<SyncInput, 'file'>, replaces: boolean): 'empty' | 'keep' =>
  file.format === 'csv' && !replaces ? 'keep' : 'empty';

export interface ReadingWish extends LinesWish {
  readonly format?: FileFormat | undefined;
  readonly encoding?: string | undefined;
  readonly headerLine?: number | undefined;
  readonly skipLast?: number | undefined;
}

/** A file of items that can be read repeatedly. */
export interface SyncInput {
  /** The name shown to the user. */
  readonly name: string;
  /** Identifies the source file, also for standard input. */
  readonly origin: { readonly dev: number; readonly ino: number };
  readonly bytes: number;
  /** SHA-256 of its content and of the named reading options. */
  readonly digest: string;
  readonly warnings: readonly string[];
  /** What the rows have shown, once `lines` was read to its end. */
  readonly noted: () => readonly string[];
  readonly file: ItemFile;
  /** Empty for JSON. */
  readonly columns: readonly Column[];
  readonly lines: LineSource;
  /** Removes temporary files of the command. */
  cleanUp(): void;
}

/**
 * Opens a file; `-` is standard input, which is stored in a temporary file. Throws {@link UsageError} for a file that
 * can't be read, or not as items. Its lines throw it too, also when the file has changed since.
 */
export async function openSyncInput(name: string, wish: ReadingWish, signal: AbortSignal): Promise<SyncInput> {
  const isPiped = name === '-';
  const { path, cleanUp } = isPiped ? await keepStandardInput(signal) : { path: name, cleanUp: () => undefined };
  try {
    const stat = statOf(path);
    const content = (): AsyncIterable<Uint8Array> => createReadStream(path, { highWaterMark: 65_536 });
    const digest = await digestOf(content(), wish, signal);
    const emptyFormat = /\.(ndjson|jsonl)$/i.test(name) ? 'ndjson' : undefined;
    const file = await openItemFile(content, { ...wish, emptyFormat });
    requireForCsv(file, wish);
    const { remarks, noted, lines } = itemLines(file, wish);
    return {
      name: isPiped ? 'standard input' : name,
      bytes: stat.size,
      digest,
      file,
      cleanUp,
      origin: isPiped ? fstatSync(process.stdin.fd) : stat,
      warnings: remarks.map(told),
      noted: () => noted().map(told),
      columns: file.format === 'csv' ? planColumns(file.header, wish).columns : [],
      lines: () => unchanged(asUsageErrors(lines()), path, stat),
    };
  } catch (error) {
    cleanUp();
    throw toUsageError(error);
  }
}

const told = (remark: FileRemark): string => tellRemark(englishRemarks, remark);

function requireForCsv({ format }: ItemFile, { map, set, headerLine, skipLast }: ReadingWish): void {
  if (format === 'csv') return;
  if (Object.keys({ ...map, ...set }).length > 0)
    throw new UsageError('--map, --map-file and --set are for CSV: this file is JSON.');
  if (headerLine !== undefined || skipLast !== undefined)
    throw new UsageError('--header-line and --skip-last are for CSV: this file is JSON.');
}

const toUsageError = (error: unknown): unknown =>
  error instanceof FileProblem ? new UsageError(tellFinding(englishFindings, error.finding), { cause: error }) : error;

async function* asUsageErrors(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* chunks;
  } catch (error) {
    throw toUsageError(error);
  }
}

/** A file that changes while it is read is refused, because what was sent of it would be unknown. */
async function* unchanged(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  { size, mtimeMs }: Stats,
): AsyncGenerator<Uint8Array, void> {
  yield* chunks;
  const now = statOf(path);
  if (now.size !== size || now.mtimeMs !== mtimeMs)
    throw new UsageError(
      `${path} was changed while it was read: nothing was taken. Send it again when it is complete.`,
    );
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

function statOf(path: string): Stats {
  try {
    const stat = statSync(path);
    if (stat.isFile()) return stat;
  } catch (error) {
    throw new UsageError(`${path} can't be read.`, { cause: error });
  }
  throw new UsageError(`${path} is no file.`);
}

const isEmptyList = (part: unknown): boolean => Array.isArray(part) && part.length === 0;

async function digestOf(content: AsyncIterable<Uint8Array>, wish: ReadingWish, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) {
    signal.throwIfAborted();
    hash.update(chunk);
  }
  const { format, encoding, headerLine, skipLast, map = {}, set = {} } = wish;
  const reading = [format, encoding, Object.entries(map), Object.entries(set), headerLine, skipLast];
  if (reading.some((part) => part !== undefined && part !== '' && !isEmptyList(part)))
    hash.update(JSON.stringify(reading));
  return hash.digest('hex');
}
