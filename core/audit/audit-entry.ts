import type { AccountId } from '../ids.ts';
import { theService, type Actor } from '../items/journal.ts';
import type { AccountFact } from '../history/facts.ts';

/** Who did it, as items name their actors, and those that only act on accounts. */
export type AuditActor = Omit<Actor, 'kind'> & { readonly kind: AuditActorKind };

/**
 * `operator`: who runs the service, by command line. `member`: in the log of a reseller, the account that joined or left it.
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

/** One thing that happened around an account. Goes to the partner as it is: never a secret, never another account's data. */
export type AuditEntry = AccountFact & {
  /** In whose log it stands. */
  readonly accountId: AccountId;
  readonly actor: AuditActor;
  readonly at: Date;
};
