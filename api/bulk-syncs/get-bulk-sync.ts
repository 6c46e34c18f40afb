import { bulkSyncId } from '../../core/ids.ts';
import { readQuery } from '../../schemas/query.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function getBulkSync(call: ScopedCall): Promise<Answer> {
  readQuery(call.query, {});
  return { status: 200, body: await call.dependencies.bulkSyncs.read(call.scope, bulkSyncId(param(call, 'id'))) };
}
