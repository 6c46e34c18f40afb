import { readBulkSyncQuery } from '../../schemas/bulk-syncs/bulk-sync-query.ts';
import { streamOf, type Answer, type ScopedCall } from '../http/route.ts';

export async function postBulkSync(call: ScopedCall): Promise<Answer> {
  const { bulkSyncs } = call.dependencies;
  const { validateOnly, ...wish } = readBulkSyncQuery(call.query);
  const body = streamOf(call);
  if (validateOnly) return { status: 200, body: await bulkSyncs.check(call.scope, { ...wish, body }) };
  const { id } = await bulkSyncs.accept(call.scope, { ...wish, body });
  return { status: 202, body: { id }, headers: { Location: `/integration/v1/bulk-syncs/${id}` } };
}
