import { eventFeedParameters, eventFeedSchema } from '../../schemas/events/event-feed.ts';
import { getEvents } from '../events/get-events.ts';
import type { Route } from '../http/route.ts';

export const eventRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/integration/events',
    credential: 'either',
    tag: 'Events',
    summary: 'Read what happened, for whoever was away or asks instead of being told',
    query: eventFeedParameters,
    answers: { 200: { description: 'The events behind the cursor, none left out', schema: eventFeedSchema } },
    refusals: ['BAD_REQUEST', 'GONE'],
    handle: getEvents,
  },
];
