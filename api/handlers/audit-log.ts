import { readAuditLogQuery } from '../../schemas/partner/audit-log.ts';
import { readAuditLog } from '../../usecases/audit/read-audit-log.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

/** Returns the actions on the account and its items, with their actors. */
export async function getAuditLog({ context, scope, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readAuditLog(context, scope, readAuditLogQuery(query)) };
}
