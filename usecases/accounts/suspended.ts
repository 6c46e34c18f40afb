import { Refusal } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import { isSuspended } from '../../store/accounts/accounts.ts';
import type { StoreConnection } from '../../store/database/connection.ts';

/** Another code than that of a wrong key: a partner's program would ask for a new one. */
export const accountSuspended = (): Refusal =>
  new Refusal('ACCOUNT_SUSPENDED', 'This account is suspended; ask those who run the service');

/** What a key or session that counts no longer is refused with: `otherwise`, unless its account is suspended. */
export async function refusalOf(store: StoreConnection, account: AccountId, otherwise: Refusal): Promise<Refusal> {
  return (await isSuspended(store, account)) ? accountSuspended() : otherwise;
}
