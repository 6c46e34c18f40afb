import { changesSchema, changeStreamParameters, eventStreamType, lastEventId } from '../../schemas/partner/changes.ts';
import { getChanges } from '../handlers/changes.ts';
import type { Route } from '../http/route.ts';

export const changeRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/partner/changes',
    name: 'streamChanges',
    ...{ credential: 'jwt', forMembers: true },
    tag: 'Changes',
    summary: 'Listen to what changes',
    description: [
      'Server-sent events: they name what has changed and say nothing of it, so a page that shows it reads it again. They are hints for pages, at most some five a second; what must not be missed is in the events and webhooks. Read it with `fetch`: an `EventSource` can’t send the token.',
      '',
      '- `ready`: it listens from here on, and tells what has changed in the ten seconds before.',
      '- `changed`: see the schema, which is that of its `data`.',
      '- `reset`: it is not known what has changed; anything may have. Also after a `Last-Event-ID` that is too old.',
      '- `end`: the last word, with `reason`: `token_expired` (renew it, and go on with `Last-Event-ID`), `time_over` (`seconds` have passed), `signed_out` (the session has ended, or the member has left), `replaced` (the session has opened six others), `stopping` (the process ends: try again), `unavailable`.',
      '',
      'A comment comes every 25 s when nothing else does. A reseller that names a member by `member` hears of the member’s and of its own. 429: the account has 60 streams already; 503: the process can hold no more. Read again every half minute then.',
    ].join('\n'),
    query: changeStreamParameters,
    headers: { 'Last-Event-ID': lastEventId },
    answers: {
      200: {
        description: 'The events as they come. Each has an `id` but `end`',
        contentType: eventStreamType,
        schema: changesSchema,
      },
    },
    refusals: ['BAD_REQUEST', 'NOT_FOUND', 'UNAVAILABLE'],
    handle: getChanges,
  },
];
