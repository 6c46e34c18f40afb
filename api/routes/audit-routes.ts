import { auditLogParameters, auditLogSchema } from '../../schemas/partner/audit-log.ts';
import { getAuditLog } from '../handlers/audit-log.ts';
import type { Route } from '../http/route.ts';

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
    handle: getAuditLog,
  },
];
