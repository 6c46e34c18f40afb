import { readBulkSync } from '../../usecases/bulk-syncs/read-bulk-sync.ts';
import { bulkSyncId } from '../../core/ids.ts';
import { readQuery } from '../../schemas/query.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function getBulkSync(call: ScopedCall): Promise<Answer> {
  readQuery(call.query, {});
  return { status: 200, body: await readBulkSync(call.context, call.scope, bulkSyncId(param(call, 'id'))) };
}
