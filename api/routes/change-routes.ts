import { changesSchema, changeStreamParameters, eventStreamType, lastEventId } from '../../schemas/partner/changes.ts';
import { getChanges, getMembersChanges } from '../handlers/changes.ts';
import type { Route } from '../http/route.ts';

const listening = {
  method: 'get',
  credential: 'jwt',
  query: changeStreamParameters,
  headers: { 'Last-Event-ID': lastEventId },
  answers: {
    200: {
      description: 'The events as they come. Each has an `id` but `end`',
      contentType: eventStreamType,
      schema: changesSchema,
    },
  },
} as const;

export const changeRoutes: readonly Route[] = [
  {
    ...listening,
    path: '/partner/changes',
    name: 'streamChanges',
    forMembers: true,
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
      'A comment comes every 25 s when nothing else does. A reseller that names a member by `member` hears of the member’s items, of its orders while it shares them, and of its own. 429: the account has 60 streams already; 503: the process can hold no more. Read again every half minute then.',
    ].join('\n'),
    refusals: ['BAD_REQUEST', 'NOT_FOUND', 'UNAVAILABLE'],
    handle: getChanges,
  },
  {
    ...listening,
    path: '/business/members/changes',
    name: 'streamMembersChanges',
    tag: 'Resellers',
    summary: 'Listen to what changes at all members',
    description: [
      'As `GET /partner/changes`, for the account itself and all its members: of each their items, and their orders while the member shares them. At most one event a second.',
      '`members` are those of the account: one has joined or left, shares its orders or no longer, or has another reference. Who joins is heard of at once; of who has left nothing more is told.',
    ].join('\n\n'),
    refusals: ['BAD_REQUEST', 'UNAVAILABLE'],
    handle: getMembersChanges,
  },
];
