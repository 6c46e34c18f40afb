import type { BulkSyncError } from '../../../../../client/generated/types.gen.ts';
import { readLines } from '../../../../../client/read-lines.ts';

/** The first lines of a stream of newline-delimited JSON; the rest of it is not fetched. What is no error of a line is skipped. */
export async function readFirstErrors(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<readonly BulkSyncError[]> {
  const errors: BulkSyncError[] = [];
  if (body === null) return errors;
  for await (const { text } of readLines(chunksOf(body))) {
    const error = parseError(text);
    if (error !== undefined) errors.push(error);
    if (errors.length >= limit) break;
  }
  return errors;
}

/** Not every browser walks through a stream by itself. Left early, it is cancelled. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

function parseError(text: string): BulkSyncError | undefined {
  if (text.trim() === '') return undefined;
  const value: unknown = JSON.parse(text);
  return isError(value) ? value : undefined;
}

const isError = (value: unknown): value is BulkSyncError =>
  typeof value === 'object' && value !== null && 'line' in value && 'error' in value && 'severity' in value;
