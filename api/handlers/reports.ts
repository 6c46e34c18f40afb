import { readEventFeedQuery } from '../../schemas/events/event-feed.ts';
import { readAnalyticsQuery } from '../../schemas/partner/analytics.ts';
import { readAuditLogQuery } from '../../schemas/partner/audit-log.ts';
import { readRequestLogQuery } from '../../schemas/partner/request-log.ts';
import { readQuery } from '../../schemas/query.ts';
import { readAnalytics, readMembersAnalytics } from '../../features/partner/analytics.ts';
import { readAuditLog } from '../../features/accounts/read-audit-log.ts';
import { readEvents } from '../../features/webhooks/read-events.ts';
import { readUsage } from '../../features/accounts/read-usage.ts';
import { readRequestLog } from '../../features/accounts/request-log.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

/** `GET /partner/analytics`: 200 with counts and sums of the account. */
export async function getAnalytics({ scope, query, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readAnalytics(context, scope, readAnalyticsQuery(query)) };
}

/** `GET /business/members/analytics`: 200 with counts and sums of all members together. */
export async function getMembersAnalytics({ scope, query, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readMembersAnalytics(context, scope, readAnalyticsQuery(query)) };
}

/** `GET /partner/usage`: 200 with what the account stores, and its limits. */
export async function getUsage({ scope, query, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: await readUsage(context, scope) };
}

/** Returns the actions on the account and its items, with their actors. */
export async function getAuditLog({ context, scope, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readAuditLog(context, scope, readAuditLogQuery(query)) };
}

/** Returns the last calls with the account's keys, refused ones included. */
export async function getRequestLog({ context, scope, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readRequestLog(context, scope, readRequestLogQuery(query)) };
}

/** Returns the account's events after a cursor, oldest first. */
export async function getEvents({ context, scope, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readEvents(context, scope, readEventFeedQuery(query)) };
}
