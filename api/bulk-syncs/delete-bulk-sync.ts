import { cancelBulkSync } from '../../usecases/bulk-syncs/cancel-bulk-sync.ts';
import { bulkSyncId } from '../../core/ids.ts';
import { readQuery } from '../../schemas/query.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function deleteBulkSync(call: ScopedCall): Promise<Answer> {
  readQuery(call.query, {});
  return { status: 202, body: await cancelBulkSync(call.context, call.scope, bulkSyncId(param(call, 'id'))) };
}
