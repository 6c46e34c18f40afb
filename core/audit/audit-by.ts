import type { Scope } from '../scope.ts';
import { actorOf } from '../items/journal.ts';
import type { AccountFact } from '../history/facts.ts';
import type { AuditEntry } from './audit-entry.ts';

/** An entry in the log of the account that a call acts on. Its actor is the caller. */
export const auditBy = (scope: Scope, told: AccountFact & { readonly at: Date }): AuditEntry => ({
  accountId: scope.accountId,
  actor: actorOf(scope),
  ...told,
});
