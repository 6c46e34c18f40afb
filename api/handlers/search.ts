import { readSearchQuery } from '../../schemas/partner/search.ts';
import { search } from '../../features/partner/search.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

/** `GET /partner/search`: 200 with a few results of each kind. */
export async function getSearch({ context, scope, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await search(context, scope, readSearchQuery(query)) };
}
