import { usageSchema } from '../../schemas/partner/analytics.ts';
import type { Route } from '../http/route.ts';
import { getUsage } from '../handlers/usage.ts';

export const usageRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/partner/usage',
    name: 'getUsage',
    credential: 'jwt',
    tag: 'Analytics',
    summary: 'Read what the account stores, and what it may',
    description:
      'A new item beyond `items.limit` is refused with 403 `QUOTA_EXCEEDED` (in a batch its row, in a bulk sync its line); an image beyond `images.limit` or `imageBytes.limit` fails with a reason that begins with `QUOTA_EXCEEDED`. Items that are there can always be changed.',
    answers: { 200: { description: 'As of now', schema: usageSchema } },
    handle: getUsage,
  },
];
