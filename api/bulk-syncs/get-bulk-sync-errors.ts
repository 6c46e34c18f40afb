import { readBulkErrors } from '../../usecases/bulk-syncs/read-bulk-sync.ts';
import { bulkSyncId } from '../../core/ids.ts';
import { ndjsonType } from '../../schemas/bulk-syncs/bulk-sync.ts';
import { readQuery } from '../../schemas/query.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function getBulkSyncErrors(call: ScopedCall): Promise<Answer> {
  readQuery(call.query, {});
  const pages = await readBulkErrors(call.context, call.scope, bulkSyncId(param(call, 'id')));
  return { status: 200, stream: { type: ndjsonType, chunks: linesOf(pages) } };
}

async function* linesOf(pages: AsyncIterable<readonly object[]>): AsyncIterable<string> {
  for await (const page of pages) yield page.map((row) => `${JSON.stringify(row)}\n`).join('');
}
