import { Refusal } from '../rules/errors.ts';
import { accountId, type AccountId } from '../rules/ids.ts';
import type { EngineOperations } from '../../gateways/orchestrator/operations-port.ts';
import { normaliseEmail } from '../../schemas/accounts/sign-in.ts';
import { findAccountByEmail, hasAccount } from '../accounts/store/accounts.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import type { Hints } from '../context.ts';
import { findMembersCalled } from '../resellers/store/member-connections.ts';

export interface AccountWish {
  /** Id or email. */
  readonly account?: string | undefined;
  /** A reseller's reference. */
  readonly member?: string | undefined;
}

/**
 * Finds the named account; undefined when none is named. Throws Refusal NOT_FOUND, or CONFLICT when the name fits several
 * accounts.
 */
export async function findAccountMeant(
  store: StoreConnection,
  { account, member }: AccountWish,
): Promise<AccountId | undefined> {
  if (account !== undefined)
    return account.includes('@') ? findByEmail(store, account) : findById(store, accountId(account));
  if (member === undefined) return undefined;
  const [found, ...others] = await findMembersCalled(store, member);
  if (found === undefined) throw new Refusal('NOT_FOUND', `No reseller calls a member "${member}"`);
  if (others.length > 0)
    throw new Refusal(
      'CONFLICT',
      `Several resellers call a member "${member}": say which by --account, one of ${[found, ...others].join(', ')}`,
    );
  return found;
}

async function findById(store: StoreConnection, id: AccountId): Promise<AccountId> {
  if (!(await hasAccount(store, id))) throw new Refusal('NOT_FOUND', `There is no account "${id}"`);
  return id;
}

async function findByEmail(store: StoreConnection, email: string): Promise<AccountId> {
  const found = await findAccountByEmail(store, normaliseEmail(email));
  if (found === null) throw new Refusal('NOT_FOUND', 'No account has this email');
  return found._id;
}

/** Dependencies of the operators' commands: the database, and the engine if it can be reached. */
export interface OperationsContext {
  readonly store: StoreConnection;
  readonly engine: EngineOperations;
  readonly now: () => Date;
  readonly hints: Hints;
  /** Who gave the command; undefined for one that only reads. */
  readonly operator: string | undefined;
}
