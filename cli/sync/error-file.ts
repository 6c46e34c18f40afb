import { once } from 'node:events';
import { accessSync, constants, createWriteStream, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import { errorFile } from '../../client/files/error-file.ts';
import type { BulkSyncError } from '../../client/generated/types.gen.ts';
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
 * Replaces `file` with the reported lines, to be corrected and sent again, in one step once all are written. Without
 * reports the file is removed, even one of an earlier run. A target that is no regular file (`/dev/stderr`) is written
 * directly.
 */
export async function keepErrors(file: string, errors: Errors, input: Content): Promise<void> {
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
type Content = Pick<SyncInput, 'file' | 'columns'>;

/** Returns the number of characters written. */
async function writeErrors(target: string, errors: Errors, { file, columns }: Content): Promise<number> {
  let count = 0;
  const output = createWriteStream(target);
  const isWritten = finished(output);
  // Awaited at the end; a rejection before that must not count as unhandled.
  isWritten.catch(() => undefined);
  try {
    for await (const text of errorFile(file, columns, errors)) {
      count += text.length;
      if (!output.write(text)) await once(output, 'drain');
    }
  } finally {
    output.end();
    await isWritten;
  }
  return count;
}
