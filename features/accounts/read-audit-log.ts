import { describeLogRow, mergeStretches } from './rules/log-row.ts';
import type { Scope } from '../rules/scope.ts';
import { writeLogCursor, type AuditLogQuery } from '../../schemas/partner/audit-log.ts';
import { readLogStretches } from './store/audit.ts';
import type { Context } from '../context.ts';

/**
 * Lists the audit entries of the account and of its items, newest first. An entry present when a walk through the pages begins is
 * met exactly once. The item's workflow copies item entries from the item to the log, mostly within a second.
 */
export async function readAuditLog(
  { store }: Pick<Context, 'store'>,
  { actingAccountId: account }: Scope,
  query: AuditLogQuery,
) {
  const { rows, end } = mergeStretches(await readLogStretches(store, account, query), query.limit);
  return {
    entries: rows.map((row) => describeLogRow(row, account)),
    nextCursor: end === null ? null : writeLogCursor(end, query.filter),
  };
}
