import { Refusal } from '../rules/errors.ts';
import type { AccountId } from '../rules/ids.ts';
import type { AuditEntry } from './rules/audit-entry.ts';
import { operatorCalled } from '../items/rules/journal.ts';
import { normaliseEmail } from '../../schemas/accounts/sign-in.ts';
import { findAccountByEmail, markOperator } from './store/accounts.ts';
import { resumeAccount, suspendAccount } from './store/suspend-account.ts';
import type { Context } from '../context.ts';

/** `operator`: the name of who gave the command. */
type Needs = Pick<Context, 'store' | 'now'> & { readonly operator?: string | undefined };

export interface OperatorChange {
  readonly email: string;
  readonly isOperator: boolean;
}

/**
 * Grants or withdraws the operator right: an operator sees where the work of items is in the workflow engine. The right gives no
 * access to the data of other accounts. A repeated call changes nothing. Throws {@link Refusal} NOT_FOUND for an unknown email.
 */
export async function setOperator(
  { store, now, operator }: Needs,
  { email, isOperator }: OperatorChange,
): Promise<{ accountId: string; hasChanged: boolean }> {
  const account = await findAccountByEmail(store, normaliseEmail(email));
  if (account === null) throw new Refusal('NOT_FOUND', `No account with the email address ${email}`);
  const hasChanged = await markOperator(store, account._id, {
    isOperator,
    audit: {
      accountId: account._id,
      actor: operatorCalled(operator),
      at: now(),
      details: {},
      kind: isOperator ? 'operator_granted' : 'operator_revoked',
    },
  });
  return { accountId: account._id, hasChanged };
}

export interface SuspensionChange {
  readonly email: string;
  readonly isSuspended: boolean;
  /** The account reads it in its log. */
  readonly reason?: string | undefined;
}

/**
 * Stops all use of an account's keys and sessions, calls in flight included, or allows it again. Work accepted before is
 * finished: auctions end and their events are sent, because buyers and the account's own books depend on them. A reseller goes on
 * acting for a suspended member, because it is another party with its own key. A repeated call changes nothing.
 * Throws {@link Refusal} NOT_FOUND for an unknown email.
 */
export async function setSuspension(
  context: Needs,
  { email, isSuspended, reason }: SuspensionChange,
): Promise<{ accountId: string; hasChanged: boolean }> {
  const account = await findAccountByEmail(context.store, normaliseEmail(email));
  if (account === null) throw new Refusal('NOT_FOUND', `No account with the email address ${email}`);
  const { _id: accountId } = account;
  if (isSuspended) return { accountId, hasChanged: await suspend(context, accountId, reason) };
  const actor = operatorCalled(context.operator);
  const audit = { accountId, actor, at: context.now(), kind: 'account_resumed', details: {} } as const;
  return { accountId, hasChanged: await resumeAccount(context.store, accountId, audit) };
}

/** {@link setSuspension} by id. Returns false when the account is suspended already. */
export function suspend(
  { store, now, operator }: Needs,
  accountId: AccountId,
  reason: string | null = null,
): Promise<boolean> {
  const at = now();
  const about = { accountId, actor: operatorCalled(operator), at, kind: 'account_suspended' } as const;
  const audit = (sessionsEnded: number): AuditEntry => ({ ...about, details: { reason, sessionsEnded } });
  return suspendAccount(store, accountId, { at, audit });
}
