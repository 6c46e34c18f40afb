import { theOperator } from '../../core/items/journal.ts';
import { Refusal } from '../../core/errors.ts';
import { normaliseEmail } from '../../schemas/accounts/sign-in.ts';
import { findAccountByEmail, markOperator } from '../../store/accounts/accounts.ts';
import type { Context } from '../context.ts';

export interface OperatorChange {
  readonly email: string;
  readonly isOperator: boolean;
}

/**
 * An administrator lets an account see where the work of items is in the workflow engine, or no longer. It gives no right to
 * anybody's data. Repeating it changes nothing. Throws {@link Refusal} NOT_FOUND for an unknown email.
 */
export async function setOperator(
  { store, now }: Pick<Context, 'store' | 'now'>,
  { email, isOperator }: OperatorChange,
): Promise<{ accountId: string; hasChanged: boolean }> {
  const account = await findAccountByEmail(store, normaliseEmail(email));
  if (account === null) throw new Refusal('NOT_FOUND', `No account with the email address ${email}`);
  const hasChanged = await markOperator(store, account._id, {
    isOperator,
    audit: {
      ...{ accountId: account._id, actor: theOperator, at: now(), details: {} },
      kind: isOperator ? 'operator_granted' : 'operator_revoked',
      message: isOperator
        ? 'The account is an operator: it is shown where the work of its items is in the workflow engine'
        : 'The account is no operator any more',
    },
  });
  return { accountId: account._id, hasChanged };
}
