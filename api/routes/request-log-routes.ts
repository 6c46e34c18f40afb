import { requestLogParameters, requestLogSchema } from '../../schemas/partner/request-log.ts';
import { getRequestLog } from '../handlers/request-log.ts';
import type { Route } from '../http/route.ts';

export const requestLogRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/integration/v1/request-log',
    name: 'listLoggedCalls',
    ...{ credential: 'either', keyScope: null },
    tag: 'Request log',
    summary: 'Read the last calls with the API keys of the account',
    description: [
      'Every call with a key of the account, for a session; with a key, its own calls. Refused ones are included: what was called, how it was answered, which fields were refused, with which key, how long it took; newest first, mostly within two seconds.',
      'Kept for 30 days: of each account the newest 10,000 refused calls and the newest 10,000 others, a little more at times. Bodies, queries and headers are not kept. Where more calls come than can be written, some are left out; no call waits for the log.',
      '',
      '- A call with a key that was revoked is there too. One with a key that no account has is in no log, and neither is one with a session: what those change is in the audit log.',
      "- A reseller's calls for its members are in the log of the reseller, with `memberUserId`; with `X-Partner-Account` only those for that member are listed.",
    ].join('\n'),
    query: requestLogParameters,
    answers: { 200: { description: 'One page of the log', schema: requestLogSchema } },
    refusals: ['BAD_REQUEST'],
    handle: getRequestLog,
  },
];
