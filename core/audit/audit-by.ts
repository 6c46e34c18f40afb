import type { Scope } from '../scope.ts';
import { actorOf } from '../items/journal.ts';
import type { AuditEntry } from './audit-entry.ts';

/** The entry in the log of the account that a call is about, by whoever makes the call. */
export const auditBy = (scope: Scope, told: Pick<AuditEntry, 'kind' | 'message' | 'at' | 'details'>): AuditEntry => ({
  accountId: scope.accountId,
  actor: actorOf(scope),
  ...told,
});
