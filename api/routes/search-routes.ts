import { searchAnswerSchema, searchParameters, readSearchQuery } from '../../schemas/partner/search.ts';
import { type Route, ok, type ScopedCall } from '../http/route.ts';
import { search } from '../../features/partner/search.ts';

export const searchRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/partner/search',
    name: 'search',
    credential: 'jwt',
    forMembers: true,
    tag: 'Search',
    summary: 'Find items, orders, deliveries and members',
    description:
      'A few of each kind, for a field in which somebody types. The lists have all of them: `q` of the items searches in the same way. A reseller that names a member by `member` finds the items of that one alone.',
    query: searchParameters,
    answers: { 200: { description: 'What was found; a kind without anything is empty', schema: searchAnswerSchema } },
    refusals: ['BAD_REQUEST', 'NOT_FOUND'],
    handle: async ({ context, scope, query }: ScopedCall) => ok(search(context, scope, readSearchQuery(query))),
  },
];
