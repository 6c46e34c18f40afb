import { describeLogRow, mergeStretches, type LogEntry } from '../../core/audit/log-row.ts';
import type { Scope } from '../../core/scope.ts';
import { writeLogCursor, type AuditLogQuery } from '../../schemas/partner/audit-log.ts';
import { readLogStretches } from '../../store/accounts/audit-log.ts';
import type { Context } from '../context.ts';

export interface AuditLogPage {
  readonly entries: readonly LogEntry[];
  readonly nextCursor: string | null;
}

/**
 * Who did what for whom, newest first: what happened around the account, and to its items. What is in the log when a walk
 * through its pages begins is met once. Item entries come in when the item's workflow has taken them over from the item, mostly
 * within a second.
 */
export async function readAuditLog(
  { store }: Pick<Context, 'store'>,
  { actingAccountId: account }: Scope,
  query: AuditLogQuery,
): Promise<AuditLogPage> {
  const { rows, end } = mergeStretches(await readLogStretches(store, account, query), query.limit);
  return {
    entries: rows.map((row) => describeLogRow(row, account)),
    nextCursor: end === null ? null : writeLogCursor(end, query.filter),
  };
}
