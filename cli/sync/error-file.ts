import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { BulkSyncError } from '../../client/generated/types.gen.ts';
import { readLines, type NumberedLine } from '../../client/read-lines.ts';
import type { SyncInput } from './sync-input.ts';

/**
 * Writes what failed as newline-delimited JSON: what the service said of the line, and `input`, the line as it stands in the file
 * (of a CSV row over several lines the first). Both come in the order of lines, so neither is held in memory.
 */
export async function writeErrorFile(
  file: string,
  errors: AsyncIterable<BulkSyncError> | Iterable<BulkSyncError>,
  { path }: Pick<SyncInput, 'path'>,
): Promise<void> {
  const output = createWriteStream(file);
  const isWritten = finished(output);
  // Awaited at the end; a rejection before that must not count as unhandled.
  isWritten.catch(() => undefined);
  const lines = readLines(createReadStream(path));
  try {
    for await (const error of errors) {
      const found = await lineOf(lines, error.line);
      if (!output.write(`${JSON.stringify({ ...error, input: found?.text ?? null })}\n`)) await once(output, 'drain');
    }
  } finally {
    await lines.return();
    output.end();
    await isWritten;
  }
}

async function lineOf(lines: AsyncGenerator<NumberedLine, void>, wanted: number): Promise<NumberedLine | undefined> {
  for (;;) {
    const next = await lines.next();
    if (next.done === true) return undefined;
    if (next.value.number === wanted) return next.value;
  }
}
