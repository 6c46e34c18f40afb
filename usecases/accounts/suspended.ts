import { Refusal } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import type { KeyHolder } from '../../core/scope.ts';
import { isSuspended } from '../../store/accounts/accounts.ts';
import type { StoreConnection } from '../../store/database/connection.ts';

/** Has its own code: on the code of a wrong key, a partner's program would ask for a new key. */
export const accountSuspended = (holder?: KeyHolder): Refusal =>
  new Refusal('ACCOUNT_SUSPENDED', 'This account is suspended; ask those who run the service', { holder });

/**
 * Returns the refusal for a key or session that is no longer valid: `otherwise`, or ACCOUNT_SUSPENDED for a suspended account.
 */
export async function refusalOf(store: StoreConnection, account: AccountId, otherwise: Refusal): Promise<Refusal> {
  return (await isSuspended(store, account)) ? accountSuspended() : otherwise;
}
