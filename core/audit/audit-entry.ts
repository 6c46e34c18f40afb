import type { AccountId } from '../ids.ts';
import { theService, type Actor } from '../items/journal.ts';
import type { AccountFact } from '../history/facts.ts';

/** Actor of an audit entry: an actor of the item journal, or one that acts on accounts only. */
export type AuditActor = Omit<Actor, 'kind'> & { readonly kind: AuditActorKind };

/**
 * `operator`: the operator of the service, by command line. `member`: in a reseller's log, the account that joined or left it.
 * `payments`: the payment processor.
 */
export const auditActorKinds = [
  'api_key',
  'reseller',
  'dashboard',
  'service',
  'marketplace',
  'operator',
  'member',
  'payments',
] as const satisfies readonly (Actor['kind'] | 'member' | 'payments')[];
export type AuditActorKind = (typeof auditActorKinds)[number];

export const thePaymentProcessor: AuditActor = { ...theService, kind: 'payments' };

/** One event of an account's history. The partner gets it unchanged, so it never holds a secret or another account's data. */
export type AuditEntry = AccountFact & {
  /** The account whose log holds the entry. */
  readonly accountId: AccountId;
  readonly actor: AuditActor;
  readonly at: Date;
};
