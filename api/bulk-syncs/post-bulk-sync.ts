import { checkBulkSync } from '../../usecases/bulk-syncs/check-bulk-sync.ts';
import { acceptBulkSync } from '../../usecases/bulk-syncs/accept-bulk-sync.ts';
import { readBulkSyncQuery } from '../../schemas/bulk-syncs/bulk-sync-query.ts';
import { streamOf, type Answer, type ScopedCall } from '../http/route.ts';

export async function postBulkSync(call: ScopedCall): Promise<Answer> {
  const { validateOnly, ...wish } = readBulkSyncQuery(call.query);
  const body = streamOf(call);
  const { context, scope } = call;
  // Only once the body is really coming: a place is not for callers that wait.
  await body.begin();
  if (validateOnly) {
    const check = () => checkBulkSync(context, scope, { ...wish, body });
    return { status: 200, body: await context.holdUploadPlace(scope, check) };
  }
  const { id } = await context.holdUploadPlace(scope, () => acceptBulkSync(context, scope, { ...wish, body }));
  return { status: 202, body: { id }, headers: { Location: `/integration/v1/bulk-syncs/${id}` } };
}
