import type { AuditEntry } from '../../core/audit/audit-entry.ts';
import type { AccountId } from '../../core/ids.ts';
import { markSuspended } from './accounts.ts';
import { markKeys } from './api-keys.ts';
import { recordAudit } from './audit.ts';
import type { StoreConnection } from '../database/connection.ts';
import { endSessions } from './sessions.ts';
import { inTransaction } from '../database/transaction.ts';

/**
 * Marks the account and its keys, and ends its sessions, in one transaction. No key or session that is being created escapes,
 * because its creation writes the account row as well. Returns false, and changes nothing, when the account is suspended already.
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

/** Makes the keys valid again; ended sessions stay ended. Returns false, and changes nothing, when it is not suspended. */
export function resumeAccount(store: StoreConnection, accountId: AccountId, audit: AuditEntry): Promise<boolean> {
  return inTransaction(store, async (session) => {
    if (!(await markSuspended(store, accountId, { at: null, session }))) return false;
    await markKeys(store, accountId, { isSuspended: false, session });
    await recordAudit(store, audit, session);
    return true;
  });
}
