import { findAccountByEmail, type AccountRow } from '../accounts/store/accounts.ts';
import { findSandboxOf } from '../accounts/store/sandboxes.ts';
import { queueOfAddress } from '../mail/account-mail.ts';
import { Refusal } from '../rules/errors.ts';
import { normaliseEmail } from '../../schemas/accounts/sign-in.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import type { Holder } from './rules/held-rows.ts';
import { findHolder } from './store/held-rows.ts';

export type AccountMeant = Pick<AccountRow, '_id' | 'email'>;

/** Throws {@link Refusal} NOT_FOUND, also for an account that is erased already. */
export async function findMeant(store: StoreConnection, address: string): Promise<AccountMeant> {
  const account = await findAccountByEmail(store, normaliseEmail(address));
  if (account === null) throw new Refusal('NOT_FOUND', 'No account has this email');
  return account;
}

/** An account, last, and before it its sandbox, if it has one. */
export async function holdersOf(store: StoreConnection, { _id: id, email }: AccountMeant): Promise<readonly Holder[]> {
  const sandbox = await findSandboxOf(store, id);
  const found = [...(sandbox === null ? [] : [{ id: sandbox, email: null, mailQueue: null }])];
  return Promise.all([...found, { id, email, mailQueue: queueOfAddress(email) }].map((one) => findHolder(store, one)));
}
