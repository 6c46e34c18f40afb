import { Schema, type ClientSession } from 'mongoose';
import type { MailLanguage, NoticeChoice } from '../../mail/rules/mail.ts';
import type { AuditEntry } from '../rules/audit-entry.ts';
import type { AccountId } from '../../rules/ids.ts';
import { recordAudit } from './audit.ts';
import { defineCollection, rowsOf, type StoreConnection } from '../../../platform/database/connection.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';

/**
 * One partner with its one owner user. The collection also holds the partners' sandboxes (sandboxes.ts), which have
 * neither email nor password. The functions here that return rows never return a sandbox.
 */
export interface AccountRow {
  readonly _id: AccountId;
  /** In lower case, unique. */
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly createdAt: Date;
  /**
   * Operators of the service: the account sees where its items' work is in the workflow engine. The right is set and
   * removed by command line.
   */
  readonly operator?: boolean;
  /** Set only while the account is suspended; its keys are marked as well. */
  readonly suspendedAt?: Date;
  /** Raised by each change of the password, so that a login in progress with the old password is detected. */
  readonly passwordNumber?: number;
  /** When a link that was sent to `email` was opened. Without it no notice is sent there. */
  readonly emailVerifiedAt?: Date;
  /** The language of the account's mails. */
  readonly language?: MailLanguage;
  /** The chosen notices; absent: `usualChoice`. */
  readonly notices?: NoticeChoice;
}

const schema = new Schema(
  {
    _id: { type: String, required: true },
    email: String,
    name: { type: String, required: true },
    passwordHash: String,
    createdAt: { type: Date, required: true },
    operator: Boolean,
    suspendedAt: Date,
    passwordNumber: Number,
    emailVerifiedAt: Date,
    language: String,
    notices: { type: {} },
    /** Raised to serialise the transactions of one account; has no other meaning. */
    turn: Number,
    /** Only in a sandbox's row: the account that it belongs to. */
    sandboxOf: String,
  },
  { versionKey: false, strict: 'throw' },
);
// Sparse, because a sandbox has no email, and only a sandbox has an owning account.
schema.index({ email: 1 }, { unique: true, sparse: true });
schema.index({ sandboxOf: 1 }, { unique: true, sparse: true });

interface StoredAccount extends AccountRow {
  readonly turn?: number;
  readonly sandboxOf?: AccountId;
}

export const accounts = defineCollection<StoredAccount>('accounts', schema);

/** Part of a transaction. Throws a duplicate key error ({@link isDuplicateKey}) when the email is taken. */
export async function insertAccount(store: StoreConnection, row: AccountRow, session: ClientSession): Promise<void> {
  await accounts(store).create([row], { session });
}

/** No effect when the password has changed since `passwordHash` was read. */
export async function replacePasswordHash(
  store: StoreConnection,
  { _id, passwordHash }: Pick<AccountRow, '_id' | 'passwordHash'>,
  newHash: string,
): Promise<void> {
  await accounts(store).updateOne({ _id, passwordHash }, { $set: { passwordHash: newHash } });
}

/**
 * Part of a transaction. `was_changed`: the row has `newHash` already. The driver repeats a transaction that took effect when the
 * primary failed before it could answer.
 */
export async function changePasswordHash(
  store: StoreConnection,
  { _id, passwordHash }: Pick<AccountRow, '_id' | 'passwordHash'>,
  { newHash, session }: { readonly newHash: string; readonly session: ClientSession },
): Promise<'changed' | 'was_changed' | 'refused'> {
  const change = { $set: { passwordHash: newHash }, $inc: { passwordNumber: 1 } };
  const { modifiedCount } = await accounts(store).updateOne({ _id, passwordHash }, change, { session });
  if (modifiedCount > 0) return 'changed';
  const isDone = await accounts(store).exists({ _id, passwordHash: newHash }).session(session);
  return isDone === null ? 'refused' : 'was_changed';
}

/** Part of a transaction. Keeps the time of the first proof. */
export async function markEmailVerified(
  store: StoreConnection,
  { _id, email }: Pick<AccountRow, '_id' | 'email'>,
  { at, session }: { readonly at: Date; readonly session: ClientSession },
): Promise<void> {
  const unproven = { _id, email, emailVerifiedAt: { $exists: false } };
  await accounts(store).updateOne(unproven, { $set: { emailVerifiedAt: at } }, { session });
}

/**
 * Part of a transaction: gives the account this address, marked as proven. Returns false when the row has changed since
 * it was read, or the account is suspended. Throws a duplicate key error ({@link isDuplicateKey}) when another account has the address.
 */
export async function changeEmail(
  store: StoreConnection,
  read: AccountRow,
  { email, at, session }: { readonly email: string; readonly at: Date; readonly session: ClientSession },
): Promise<boolean> {
  const { _id, passwordNumber } = read;
  const unchanged = {
    _id,
    email: { $in: [read.email, email] },
    passwordNumber: passwordNumber ?? { $exists: false },
    suspendedAt: { $exists: false },
  };
  const change = { $set: { email, emailVerifiedAt: at } };
  return (await accounts(store).updateOne(unchanged, change, { session })).matchedCount === 1;
}

/** The account; null for a sandbox and for an unknown id. */
export function findAccount(store: StoreConnection, accountId: AccountId): Promise<AccountRow | null> {
  return accounts(store)
    .findOne({ _id: accountId, sandboxOf: { $exists: false } })
    .lean<AccountRow>()
    .exec();
}

/** Login and the command line know only the email, so no scope comes first here. */
export function findAccountByEmail(store: StoreConnection, email: string): Promise<AccountRow | null> {
  return accounts(store).findOne({ email }).lean<AccountRow>().exec();
}

/** Whether an account or sandbox with this id exists. */
export async function hasAccount(store: StoreConnection, accountId: AccountId): Promise<boolean> {
  return (await accounts(store).exists({ _id: accountId })) !== null;
}

export async function isOperator(store: StoreConnection, accountId: AccountId): Promise<boolean> {
  return (await accounts(store).exists({ _id: accountId, operator: true })) !== null;
}

/** Returns whether the mark changed; `audit` is the log entry of a change. */
export async function markOperator(
  store: StoreConnection,
  accountId: AccountId,
  { isOperator, audit }: { isOperator: boolean; audit: AuditEntry },
): Promise<boolean> {
  return inTransaction(store, async (session) => {
    const filter = { _id: accountId, operator: isOperator ? { $ne: true } : true };
    const change = isOperator ? { $set: { operator: true } } : { $unset: { operator: 1 as const } };
    const { modifiedCount } = await accounts(store).updateOne(filter, change, { session });
    if (modifiedCount > 0) await recordAudit(store, audit, session);
    return modifiedCount > 0;
  });
}

export async function isSuspended(store: StoreConnection, accountId: AccountId): Promise<boolean> {
  return (await accounts(store).exists({ _id: accountId, suspendedAt: { $exists: true } })) !== null;
}

/** Part of a transaction. Returns whether the mark changed. `at` null ends the suspension. */
export async function markSuspended(
  store: StoreConnection,
  accountId: AccountId,
  { at, session }: { readonly at: Date | null; readonly session: ClientSession },
): Promise<boolean> {
  const filter = { _id: accountId, suspendedAt: { $exists: at === null } };
  const change = at === null ? { $unset: { suspendedAt: 1 as const } } : { $set: { suspendedAt: at } };
  return (await accounts(store).updateOne(filter, change, { session })).modifiedCount > 0;
}

/** All account ids, sandboxes included, for administrative work on every account. */
export async function* listAccountIds(store: StoreConnection): AsyncGenerator<AccountId> {
  const rows = accounts(store).find({}, { _id: 1 }).lean<Pick<AccountRow, '_id'>>();
  for await (const { _id } of rows.cursor()) yield _id;
}

/** The names of accounts by their id; unknown ids are left out. */
export async function findAccountNames(
  store: StoreConnection,
  accountIds: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, string>> {
  const rows = await accounts(store)
    .find({ _id: { $in: [...accountIds] } }, { name: 1 })
    .lean<Pick<AccountRow, '_id' | 'name'>[]>()
    .exec();
  return new Map(rows.map((row) => [row._id, row.name]));
}

export async function storeNoticeChoice(
  store: StoreConnection,
  accountId: AccountId,
  { notices, language, session }: Required<Pick<AccountRow, 'notices' | 'language'>> & { session: ClientSession },
): Promise<void> {
  await accounts(store).updateOne({ _id: accountId }, { $set: { notices, language } }, { session });
}

/** Which of the accounts want a mail for each sale. */
export async function wantSaleNotices(
  store: StoreConnection,
  accountIds: readonly AccountId[],
  session: ClientSession,
): Promise<ReadonlySet<AccountId>> {
  const rows = await rowsOf(accounts(store))
    .find({ _id: { $in: [...accountIds] }, 'notices.sale': true }, { session, projection: { _id: 1 } })
    .toArray();
  return new Set(rows.map(({ _id }) => _id));
}

/** Serialises the rest of this transaction with others of the same account, so that a count in it stays true. */
export async function runExclusive(
  store: StoreConnection,
  accountId: AccountId,
  session: ClientSession,
): Promise<void> {
  await accounts(store).updateOne({ _id: accountId }, { $inc: { turn: 1 } }, { session });
}

/**
 * Like {@link runExclusive}. Returns whether the password is unchanged, so that a correct login may still open a
 * session.
 */
export async function takeTurnUnchanged(
  store: StoreConnection,
  { _id, passwordNumber }: Pick<AccountRow, '_id' | 'passwordNumber'>,
  session: ClientSession,
): Promise<boolean> {
  const unchanged = { _id, passwordNumber: passwordNumber ?? { $exists: false }, suspendedAt: { $exists: false } };
  return (await accounts(store).updateOne(unchanged, { $inc: { turn: 1 } }, { session })).matchedCount === 1;
}
