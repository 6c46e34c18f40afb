import { readAuditLogQuery } from '../../schemas/partner/audit-log.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

/** What was done to the account and its items, and by whom. */
export async function getAuditLog({ dependencies, scope, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await dependencies.audit.read(scope, readAuditLogQuery(query)) };
}
