import { bulkSyncId } from '../../core/ids.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function getBulkSync(call: ScopedCall): Promise<Answer> {
  return { status: 200, body: await call.dependencies.bulkSyncs.read(call.scope, bulkSyncId(param(call, 'id'))) };
}
