import type { ClientSession } from 'mongoose';
import type { AccountId } from '../../rules/ids.ts';
import { accounts } from './accounts.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';

/**
 * An account beside a partner's own, as which its test keys act. It has no sign-in. An account has at most one sandbox.
 */
export interface SandboxRow {
  readonly _id: AccountId;
  readonly sandboxOf: AccountId;
  readonly name: string;
  readonly createdAt: Date;
}

/** null before the account's first test key. */
export async function findSandboxOf(
  store: StoreConnection,
  owner: AccountId,
  session?: ClientSession,
): Promise<AccountId | null> {
  const row = await accounts(store)
    .findOne({ sandboxOf: owner }, { _id: 1 })
    .session(session ?? null)
    .lean<Pick<SandboxRow, '_id'>>()
    .exec();
  return row?._id ?? null;
}

/** Part of a transaction. Throws a duplicate key error when the account has one. */
export async function insertSandbox(store: StoreConnection, row: SandboxRow, session: ClientSession): Promise<void> {
  await accounts(store).create([row], { session });
}
