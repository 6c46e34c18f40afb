import type { AuditEntry } from '../rules/audit-entry.ts';
import type { AccountId } from '../../rules/ids.ts';
import { markSuspended } from './accounts.ts';
import { markKeys } from './api-keys.ts';
import { recordAudit } from './audit.ts';
import { findSandboxOf } from './sandboxes.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { endSessions } from './sessions.ts';
import { inTransaction, type Session } from '../../../platform/database/transaction.ts';

/**
 * Marks the account, its sandbox and the keys of both, and ends its sessions, in one transaction. No key or session that is being
 * created escapes, because its creation writes the account row as well. Returns false, and changes nothing, when the account is
 * suspended already.
 */
export function suspendAccount(
  store: StoreConnection,
  accountId: AccountId,
  { at, audit }: { readonly at: Date; readonly audit: (sessionsEnded: number) => AuditEntry },
): Promise<boolean> {
  return inTransaction(store, async (session) => {
    if (!(await markAll(store, accountId, { at, session }))) return false;
    const ended = await endSessions(store, { accountId, at, by: 'suspension' }, session);
    await recordAudit(store, audit(ended), session);
    return true;
  });
}

/** Makes the keys valid again; ended sessions stay ended. Returns false, and changes nothing, when it is not suspended. */
export function resumeAccount(store: StoreConnection, accountId: AccountId, audit: AuditEntry): Promise<boolean> {
  return inTransaction(store, async (session) => {
    if (!(await markAll(store, accountId, { at: null, session }))) return false;
    await recordAudit(store, audit, session);
    return true;
  });
}

/** Returns whether the account's mark changed. `at` null ends the suspension. */
async function markAll(
  store: StoreConnection,
  accountId: AccountId,
  { at, session }: { readonly at: Date | null; readonly session: Session },
): Promise<boolean> {
  if (!(await markSuspended(store, accountId, { at, session }))) return false;
  await markKeys(store, accountId, { isSuspended: at !== null, session });
  const sandbox = await findSandboxOf(store, accountId, session);
  if (sandbox === null) return true;
  await markSuspended(store, sandbox, { at, session });
  await markKeys(store, sandbox, { isSuspended: at !== null, session });
  return true;
}
