import { Schema, type ClientSession, type mongo } from 'mongoose';
import type { KeyScope } from '../rules/api-key.ts';
import type { AuditEntry } from '../rules/audit-entry.ts';
import type { AccountId } from '../../rules/ids.ts';
import { runExclusive } from './accounts.ts';
import { recordAudit } from './audit.ts';
import { defineCollection, rowsOf, type StoreConnection } from '../../../platform/database/connection.ts';
import { batchReads, perStore } from '../../../platform/database/batch.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';

export interface ApiKeyRow {
  readonly _id: string;
  readonly accountId: AccountId;
  /** The account is the sandbox of this one. */
  readonly sandboxOf?: AccountId;
  /** SHA-256 of the raw key; the raw key itself is stored nowhere. */
  readonly hash: string;
  readonly prefix: string;
  readonly name: string;
  /** Absent: every scope. */
  readonly scopes?: readonly KeyScope[];
  /** Absent: never. */
  readonly expiresAt?: Date;
  /** Addresses and networks from which it may be used; absent: all. */
  readonly addresses?: readonly string[];
  /**
   * Only for a call with an `Idempotency-Key`: the attempt that made the raw key. An overtaken attempt replaces
   * nothing.
   */
  readonly attempt?: number;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  /** Copy of the account's suspension, so that a call needs no second read. */
  readonly suspended?: boolean;
  /** Only set on a revoked key. The account's log keeps its history for longer. */
  readonly purgeAt?: Date;
}

export type FoundKey = Pick<
  ApiKeyRow,
  '_id' | 'accountId' | 'sandboxOf' | 'scopes' | 'expiresAt' | 'addresses' | 'lastUsedAt' | 'revokedAt' | 'suspended'
>;

const schema = new Schema(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    sandboxOf: String,
    hash: { type: String, required: true },
    prefix: { type: String, required: true },
    name: { type: String, required: true },
    scopes: { type: [String], default: undefined },
    expiresAt: Date,
    addresses: { type: [String], default: undefined },
    attempt: Number,
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, default: null },
    revokedAt: { type: Date, default: null },
    suspended: Boolean,
    purgeAt: Date,
  },
  { versionKey: false, strict: 'throw' },
);
schema.index({ hash: 1 }, { unique: true });
// Partial, because revoked keys may be many. Queries must repeat the condition, or the index is not used.
schema.index({ accountId: 1, createdAt: -1, _id: -1 }, { partialFilterExpression: { revokedAt: null } });
schema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });

const apiKeys = defineCollection<ApiKeyRow>('api_keys', schema);

const keyRows = (store: StoreConnection): mongo.Collection<ApiKeyRow> => rowsOf(apiKeys(store));

/**
 * Stores the key and its audit entry. Returns false, and stores nothing, when the account already has `activeMax` keys. `confirm`
 * is called last, when the account's turn has come; its error aborts the transaction and is thrown on.
 */
export function insertApiKey(
  store: StoreConnection,
  row: ApiKeyRow,
  { activeMax, audit, confirm }: { activeMax: number; audit: AuditEntry; confirm: () => Promise<void> },
): Promise<boolean> {
  return inTransaction(store, async (session) => {
    await runExclusive(store, row.accountId, session);
    const active = await apiKeys(store).countDocuments({ accountId: row.accountId, revokedAt: null }, { session });
    if (active >= activeMax) return false;
    await confirm();
    await apiKeys(store).create([row], { session });
    await recordAudit(store, audit, session);
    return true;
  });
}

/**
 * Replaces the raw key that an earlier attempt of the same call has made and whose answer was lost. `absent` when no
 * attempt has made one. `refused` when it was revoked meanwhile, or a later attempt has replaced it. `audit` makes the
 * log entry from the prefix of the lost key.
 */
export async function reissueApiKey(
  store: StoreConnection,
  row: ApiKeyRow & { readonly attempt: number },
  { audit, confirm }: { audit: (lostPrefix: string) => AuditEntry; confirm: () => Promise<void> },
): Promise<'reissued' | 'absent' | 'refused'> {
  const { _id, accountId, attempt, hash, prefix } = row;
  const earlier = { _id, accountId, revokedAt: null, attempt: { $lt: attempt } };
  if ((await apiKeys(store).exists({ _id, accountId })) === null) return 'absent';
  await confirm();
  return inTransaction(store, async (session) => {
    const change = { $set: { hash, prefix, attempt } };
    const lost = await apiKeys(store).findOneAndUpdate(earlier, change, { session }).lean<ApiKeyRow>().exec();
    if (lost === null) return 'refused';
    await recordAudit(store, audit(lost.prefix), session);
    return 'reissued';
  });
}

/**
 * Authenticates every call with a key: one read by unique index, without mongoose's document and query machinery, shared by
 * concurrent calls. The caller is not known yet, so there is no scope parameter. A revoked key is found as well, because its
 * account's log of calls shows that it is still in use.
 */
export async function findKey(store: StoreConnection, hash: string): Promise<FoundKey | null> {
  return (await keysByHash(store)('', hash)) ?? null;
}

const keysByHash = perStore((store: StoreConnection) =>
  batchReads<'', FoundKey>(async (_group, hashes) => {
    const rows = await keyRows(store)
      .find<FoundKey & Pick<ApiKeyRow, 'hash'>>(
        { hash: { $in: hashes } },
        { projection: { prefix: 0, name: 0, attempt: 0, createdAt: 0, purgeAt: 0 } },
      )
      .toArray();
    return new Map(rows.map(({ hash, ...key }) => [hash, key]));
  }),
);

/** Checked again right before a write takes effect, so that revocation, expiry or suspension also stops calls in flight. */
export async function isKeyActive(
  store: StoreConnection,
  accountId: AccountId,
  { keyId, now }: { readonly keyId: string; readonly now: Date },
): Promise<boolean> {
  const key = await activeKeys(store)(accountId, keyId);
  return key !== undefined && !isExpired(key, now);
}

/** Whether the key has ended. @param key a row; without `expiresAt` it never ends */
export const isExpired = ({ expiresAt }: Pick<ApiKeyRow, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== undefined && expiresAt <= now;

const activeKeys = perStore((store: StoreConnection) =>
  batchReads<AccountId, Pick<ApiKeyRow, '_id' | 'expiresAt'>>(async (accountId, keyIds) => {
    const rows = await keyRows(store)
      .find<Pick<ApiKeyRow, '_id' | 'expiresAt'>>(
        { _id: { $in: keyIds }, accountId, revokedAt: null, suspended: { $ne: true } },
        { projection: { _id: 1, expiresAt: 1 } },
      )
      .toArray();
    return new Map(rows.map((row) => [row._id, row]));
  }),
);

/** Newest first. Unbounded, because an account may have only a limited number of keys. */
export function listActiveKeys(
  store: StoreConnection,
  accountId: AccountId,
  session?: ClientSession,
): Promise<ApiKeyRow[]> {
  return apiKeys(store)
    .find({ accountId, revokedAt: null }, { hash: 0 })
    .sort({ createdAt: -1, _id: -1 })
    .session(session ?? null)
    .lean<ApiKeyRow[]>()
    .exec();
}

/** Part of the transaction that suspends or resumes the account. */
export async function markKeys(
  store: StoreConnection,
  accountId: AccountId,
  { isSuspended, session }: { readonly isSuspended: boolean; readonly session: ClientSession },
): Promise<void> {
  const change = isSuspended ? { $set: { suspended: true } } : { $unset: { suspended: 1 as const } };
  await apiKeys(store).updateMany({ accountId, revokedAt: null }, change, { session });
}

/** How long a revoked key's row stays. */
const revokedKeptMs = 90 * 86_400_000;

const revokedFrom = (at: Date) => ({ revokedAt: at, purgeAt: new Date(at.getTime() + revokedKeptMs) });

/** Part of a transaction that revokes all keys of the account. */
export async function revokeKeys(
  store: StoreConnection,
  accountId: AccountId,
  { at, session }: { readonly at: Date; readonly session: ClientSession },
): Promise<void> {
  await apiKeys(store).updateMany({ accountId, revokedAt: null }, { $set: revokedFrom(at) }, { session });
}

/**
 * Returns false when the account has no such active key. Returns true again for a revocation that is stored already: the driver
 * repeats a transaction that took effect when the primary failed before it could answer.
 */
export function revokeKey(
  store: StoreConnection,
  accountId: AccountId,
  { keyId, at, audit }: { keyId: string; at: Date; audit: (revoked: ApiKeyRow) => AuditEntry },
): Promise<boolean> {
  const revoked = revokedFrom(at);
  return inTransaction(store, async (session) => {
    const row = await apiKeys(store)
      .findOneAndUpdate({ _id: keyId, accountId, revokedAt: null }, { $set: revoked }, { session })
      .lean<ApiKeyRow>()
      .exec();
    if (row === null)
      return (
        (await apiKeys(store)
          .exists({ _id: keyId, accountId, ...revoked })
          .session(session)) !== null
      );
    await recordAudit(store, audit(row), session);
    return true;
  });
}

/** Changes nothing when another process noted a use since `cutoff`. The time is not important enough to wait for the journal. */
export async function noteKeyUse(
  store: StoreConnection,
  keyId: string,
  use: { at: Date; cutoff: Date },
): Promise<void> {
  await apiKeys(store).updateOne(
    { _id: keyId, $or: [{ lastUsedAt: null }, { lastUsedAt: { $lt: use.cutoff } }] },
    { $set: { lastUsedAt: use.at } },
    { writeConcern: { w: 1, journal: false } },
  );
}
