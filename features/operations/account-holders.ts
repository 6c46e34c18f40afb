import { findAccountByEmail } from '../accounts/store/accounts.ts';
import { findSandboxOf } from '../accounts/store/sandboxes.ts';
import { queueOfAddress } from '../mail/account-mail.ts';
import { normaliseEmail } from '../../schemas/accounts/sign-in.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import type { Holder } from './rules/held-rows.ts';
import { findHolder } from './store/held-rows.ts';

/** An account, last, and before it its sandbox, if it has one; empty when no account has this address. */
export async function holdersOf(store: StoreConnection, address: string): Promise<readonly Holder[]> {
  const account = await findAccountByEmail(store, normaliseEmail(address));
  if (account === null) return [];
  const { _id: id, email } = account;
  const sandbox = await findSandboxOf(store, id);
  const found = [...(sandbox === null ? [] : [{ id: sandbox, email: null, mailQueue: null }])];
  return Promise.all([...found, { id, email, mailQueue: queueOfAddress(email) }].map((one) => findHolder(store, one)));
}
