import { analyticsSchema } from '../../schemas/partner/analytics.ts';
import { getAnalytics } from '../handlers/analytics.ts';
import type { Route } from '../http/route.ts';

export const analyticsRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/partner/analytics',
    name: 'getAnalytics',
    credential: 'jwt',
    tag: 'Analytics',
    summary: 'Read inventory and revenue',
    answers: { 200: { description: 'As of now, to the öre', schema: analyticsSchema } },
    handle: getAnalytics,
  },
];
