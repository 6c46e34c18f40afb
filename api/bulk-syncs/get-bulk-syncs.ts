import type { Answer, ScopedCall } from '../http/route.ts';

export async function getBulkSyncs({ dependencies, scope }: ScopedCall): Promise<Answer> {
  return { status: 200, body: { bulkSyncs: await dependencies.bulkSyncs.list(scope) } };
}
