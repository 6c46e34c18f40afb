import { searchAnswerSchema, searchParameters } from '../../schemas/partner/search.ts';
import { getSearch } from '../handlers/search.ts';
import type { Route } from '../http/route.ts';

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
    handle: getSearch,
  },
];
