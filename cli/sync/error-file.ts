import { once } from 'node:events';
import {
  accessSync,
  constants,
  createReadStream,
  createWriteStream,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import type { BulkSyncError } from '../../client/generated/types.gen.ts';
import { readLines, type NumberedLine } from '../../client/read-lines.ts';
import { UsageError } from '../exit-codes.ts';
import type { SyncInput } from './sync-input.ts';

/**
 * Checked before anything is sent, so that errors can be written later and never overwrite the items.
 * Throws {@link UsageError}.
 */
export function requireWritable(file: string | undefined, { origin }: Pick<SyncInput, 'origin'>): void {
  if (file === undefined) return;
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && found.dev === origin.dev && found.ino === origin.ino)
    throw new UsageError(`${file} is the file of items itself: name another for the errors.`);
  if (found?.isDirectory() === true) throw new UsageError(`${file} is a folder.`);
  try {
    accessSync(found === undefined ? dirname(file) : file, constants.W_OK);
    // The file is replaced as a whole, by a new file in the same folder.
    if (found?.isFile() === true) accessSync(dirname(realpathSync(file)), constants.W_OK);
  } catch (error) {
    throw new UsageError(`${file} can't be written.`, { cause: error });
  }
}

/**
 * Replaces `file` with the reports in one step, once all are written. Without reports the file is removed, also one of an earlier
 * run. A target that is no regular file (`/dev/stderr`) is written directly.
 */
export async function keepErrors(file: string, errors: Errors, input: Pick<SyncInput, 'path'>): Promise<void> {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) {
    await writeErrors(file, errors, input);
    return;
  }
  const target = found === undefined ? file : realpathSync(file);
  const draft = `${target}.${process.pid}.tmp`;
  try {
    const count = await writeErrors(draft, errors, input);
    if (count > 0) renameSync(draft, target);
    else rmSync(target, { force: true });
  } finally {
    rmSync(draft, { force: true });
  }
}

type Errors = AsyncIterable<BulkSyncError> | Iterable<BulkSyncError>;

/**
 * Writes the reports as newline-delimited JSON: the service's report of the line, and `input`, the line of the file (for a CSV
 * row over several lines the first one). Errors and then warnings come in the order of lines. So the file is read once for each,
 * and nothing is held in memory.
 */
async function writeErrors(file: string, errors: Errors, { path }: Pick<SyncInput, 'path'>): Promise<number> {
  let count = 0;
  const output = createWriteStream(file);
  const isWritten = finished(output);
  // Awaited at the end; a rejection before that must not count as unhandled.
  isWritten.catch(() => undefined);
  const open = () => readLines(createReadStream(path));
  let lines = open();
  let last = 0;
  try {
    for await (const error of errors) {
      count += 1;
      if (error.line < last) {
        await lines.return();
        lines = open();
      }
      last = error.line;
      const found = await lineOf(lines, error.line);
      if (!output.write(`${JSON.stringify({ ...error, input: found?.text ?? null })}\n`)) await once(output, 'drain');
    }
  } finally {
    await lines.return();
    output.end();
    await isWritten;
  }
  return count;
}

async function lineOf(lines: AsyncGenerator<NumberedLine, void>, wanted: number): Promise<NumberedLine | undefined> {
  for (;;) {
    const next = await lines.next();
    if (next.done === true) return undefined;
    if (next.value.number === wanted) return next.value;
  }
}
