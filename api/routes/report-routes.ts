import { eventFeedParameters, eventFeedSchema, readEventFeedQuery } from '../../schemas/events/event-feed.ts';
import {
  analyticsParameters,
  analyticsSchema,
  usageSchema,
  readAnalyticsQuery,
} from '../../schemas/partner/analytics.ts';
import { auditLogParameters, auditLogSchema, readAuditLogQuery } from '../../schemas/partner/audit-log.ts';
import { requestLogParameters, requestLogSchema, readRequestLogQuery } from '../../schemas/partner/request-log.ts';
import { type Route, ok, type ScopedCall } from '../http/route.ts';
import { readQuery } from '../../schemas/query.ts';
import { readAnalytics } from '../../features/partner/analytics.ts';
import { readAuditLog } from '../../features/accounts/read-audit-log.ts';
import { readEvents } from '../../features/webhooks/read-events.ts';
import { readUsage } from '../../features/accounts/read-usage.ts';
import { readRequestLog } from '../../features/accounts/request-log.ts';

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
    query: analyticsParameters,
    answers: { 200: { description: 'As of now, to the öre', schema: analyticsSchema } },
    refusals: ['BAD_REQUEST'],
    handle: async ({ scope, query, context }: ScopedCall) =>
      ok(readAnalytics(context, scope, readAnalyticsQuery(query))),
  },
];

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
    handle: async ({ scope, query, context }: ScopedCall) => {
      readQuery(query, {});
      return ok(readUsage(context, scope));
    },
  },
];

export const auditRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/partner/audit-log',
    name: 'listAuditLogEntries',
    credential: 'jwt',
    tag: 'Audit log',
    summary: 'Read who did what for whom',
    description: [
      'What was done to the account (sessions, API keys, webhooks, members, the connection to the marketplace, orders, subscription) and to its items, newest first, for 400 days. What a reseller does for a member stands in the log of the member, with the reseller as its actor; the reseller reads what it did with `view=acting`.',
      'An entry about the account is there as soon as the change is. One about an item is there when its work has begun, mostly within a second; `GET /integration/v1/items/{external_id}/timeline` has it at once.',
    ].join('\n'),
    query: auditLogParameters,
    answers: { 200: { description: 'One page of the log', schema: auditLogSchema } },
    refusals: ['BAD_REQUEST'],
    handle: async ({ context, scope, query }: ScopedCall) => ok(readAuditLog(context, scope, readAuditLogQuery(query))),
  },
];

export const requestLogRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/integration/v1/request-log',
    name: 'listLoggedCalls',
    credential: 'either',
    keyScope: null,
    tag: 'Request log',
    summary: 'Read the last calls with the API keys of the account',
    description: [
      'Every call with a key of the account, for a session; with a key, its own calls. Refused ones are included, but for those over a limit (429): what was called, how it was answered, which fields were refused, with which key, how long it took; newest first, mostly within two seconds.',
      'Kept for 30 days: of each account the newest 10,000 refused calls and the newest 10,000 others, a little more at times. Bodies, queries and headers are not kept. Where more calls come than can be written, some are left out; no call waits for the log.',
      '',
      '- A call with a key that was revoked is there too. One with a key that no account has is in no log, and neither is one with a session: what those change is in the audit log.',
      "- A reseller's calls for its members are in the log of the reseller, with `memberUserId`; with `X-Partner-Account` only those for that member are listed.",
    ].join('\n'),
    query: requestLogParameters,
    answers: { 200: { description: 'One page of the log', schema: requestLogSchema } },
    refusals: ['BAD_REQUEST'],
    handle: async ({ context, scope, query }: ScopedCall) =>
      ok(readRequestLog(context, scope, readRequestLogQuery(query))),
  },
];

export const eventRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/integration/events',
    name: 'listEvents',
    credential: 'either',
    keyScope: 'webhooks:read',
    tag: 'Events',
    summary: 'Read what happened, for whoever was away or asks instead of being told',
    description: [
      'The events of the account of the last 30 days, the six specified types unless `types` names others, in the order in which they were stored, whatever endpoints there are and whether or not their deliveries got through; tests are not among them.',
      'Go on with `nextCursor` until `events` is empty, and later from there. A reseller reads each member with `X-Partner-Account`, also what happened before the member connected; that header goes with the API key only (with a session: 400).',
      '',
      '- 400 `BAD_REQUEST`: the cursor was not given out for this account. Keep one cursor for each member.',
      '- 410 `GONE`: events behind the cursor are older than 30 days and were removed, or the service was restored from a backup. Begin again without `after`; after a restore compare your items, too (`GET /integration/v1/items`), because what happened between backup and restore is in no event.',
    ].join('\n'),
    query: eventFeedParameters,
    answers: { 200: { description: 'The events behind the cursor, none left out', schema: eventFeedSchema } },
    refusals: ['BAD_REQUEST', 'GONE'],
    handle: async ({ context, scope, query }: ScopedCall) => ok(readEvents(context, scope, readEventFeedQuery(query))),
  },
];
