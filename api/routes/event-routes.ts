import { eventFeedParameters, eventFeedSchema } from '../../schemas/events/event-feed.ts';
import { getEvents } from '../handlers/events.ts';
import type { Route } from '../http/route.ts';

export const eventRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/integration/events',
    name: 'listEvents',
    ...{ credential: 'either', keyScope: 'webhooks:read' },
    tag: 'Events',
    summary: 'Read what happened, for whoever was away or asks instead of being told',
    description: [
      'The events of the account of the last 30 days, the six specified types unless `types` names others, in the order in which they were stored, whatever endpoints there are and whether or not their deliveries got through; tests are not among them.',
      'Go on with `nextCursor` until `events` is empty, and later from there. A reseller reads each member with `X-Partner-Account`, also what happened before the member connected; that header goes with the API key only (with a session: 400).',
      '',
      '- 400 `BAD_REQUEST`: the cursor was not given out for this account. Keep one cursor for each member.',
      '- 410 `GONE`: events behind the cursor are older than 30 days and were removed. Begin again without `after`.',
    ].join('\n'),
    query: eventFeedParameters,
    answers: { 200: { description: 'The events behind the cursor, none left out', schema: eventFeedSchema } },
    refusals: ['BAD_REQUEST', 'GONE'],
    handle: getEvents,
  },
];
