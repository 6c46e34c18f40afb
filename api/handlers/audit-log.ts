import { readAuditLogQuery } from '../../schemas/partner/audit-log.ts';
import { readAuditLog } from '../../usecases/audit/read-audit-log.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

/** What was done to the account and its items, and by whom. */
export async function getAuditLog({ context, scope, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readAuditLog(context, scope, readAuditLogQuery(query)) };
}
