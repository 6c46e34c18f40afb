import { readQuery } from '../../schemas/query.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getBulkSyncs({ dependencies, scope, query }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: { bulkSyncs: await dependencies.bulkSyncs.list(scope) } };
}
