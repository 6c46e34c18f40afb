import type { BulkSyncError } from '../../../../../client/generated/types.gen.ts';
import { readLines } from '../../../../../client/read-lines.ts';
import { chunksOf } from '../../api/chunks-of.ts';

/**
 * The first lines of a stream of newline-delimited JSON; the rest is not loaded. Lines that are no reports are skipped.
 */
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

function parseError(text: string): BulkSyncError | undefined {
  if (text.trim() === '') return undefined;
  const value: unknown = JSON.parse(text);
  return isError(value) ? value : undefined;
}

const isError = (value: unknown): value is BulkSyncError =>
  typeof value === 'object' && value !== null && 'line' in value && 'error' in value && 'severity' in value;
