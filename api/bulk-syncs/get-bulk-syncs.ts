import { listOwnBulkSyncs } from '../../usecases/bulk-syncs/read-bulk-sync.ts';
import { readQuery } from '../../schemas/query.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getBulkSyncs({ context, scope, query }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: { bulkSyncs: await listOwnBulkSyncs(context, scope) } };
}
