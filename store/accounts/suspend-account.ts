import type { AuditEntry } from '../../core/audit/audit-entry.ts';
import type { AccountId } from '../../core/ids.ts';
import { markSuspended } from './accounts.ts';
import { markKeys } from './api-keys.ts';
import { recordAudit } from './audit.ts';
import type { StoreConnection } from '../database/connection.ts';
import { endSessions } from './sessions.ts';
import { inTransaction } from '../database/transaction.ts';

/**
 * Marks the account and its keys, and ends its sessions, in one transaction. Keys and sessions that are being made write to the
 * account as well, so none slips through between. Answers false, and changes nothing, when it is suspended already.
 */
export function suspendAccount(
  store: StoreConnection,
  accountId: AccountId,
  { at, audit }: { readonly at: Date; readonly audit: (sessionsEnded: number) => AuditEntry },
): Promise<boolean> {
  return inTransaction(store, async (session) => {
    if (!(await markSuspended(store, accountId, { at, session }))) return false;
    await markKeys(store, accountId, { isSuspended: true, session });
    const ended = await endSessions(store, { accountId, at, by: 'suspension' }, session);
    await recordAudit(store, audit(ended), session);
    return true;
  });
}

/** Its keys count again; sessions are opened anew. Answers false, and changes nothing, when it is not suspended. */
export function resumeAccount(store: StoreConnection, accountId: AccountId, audit: AuditEntry): Promise<boolean> {
  return inTransaction(store, async (session) => {
    if (!(await markSuspended(store, accountId, { at: null, session }))) return false;
    await markKeys(store, accountId, { isSuspended: false, session });
    await recordAudit(store, audit, session);
    return true;
  });
}
