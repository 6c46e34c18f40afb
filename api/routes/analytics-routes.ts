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
    description:
      'Items by where they stand, revenue of the last 12 months and of all time, and the categories that brought most. Months are those of Europe/Stockholm.',
    answers: { 200: { description: 'As of now, to the öre', schema: analyticsSchema } },
    handle: getAnalytics,
  },
];
