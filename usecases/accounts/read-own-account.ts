import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { findAccount } from '../../store/accounts.ts';
import type { AccountSideContext } from '../account-side-context.ts';
import { describeAccount, type AccountView } from './describe-session.ts';

/** Throws {@link Refusal} UNAUTHORIZED when the account behind a still valid token is gone. */
export async function readOwnAccount(context: Pick<AccountSideContext, 'store'>, scope: Scope): Promise<AccountView> {
  const row = await findAccount(context.store, scope.actingAccountId);
  if (row === null) throw new Refusal('UNAUTHORIZED', 'The account of this session does not exist');
  return describeAccount(row);
}
