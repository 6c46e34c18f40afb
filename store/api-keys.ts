import { Schema } from 'mongoose';
import type { AccountId } from '../core/ids.ts';
import { takeTurn } from './accounts.ts';
import { defineCollection, type StoreConnection } from './connection.ts';
import { inTransaction } from './transaction.ts';

export interface ApiKeyRow {
  readonly _id: string;
  readonly accountId: AccountId;
  /** SHA-256 of the raw key; the raw key itself is stored nowhere. */
  readonly hash: string;
  readonly prefix: string;
  readonly name: string;
  /** Attempt at a call with an `Idempotency-Key` that made the raw key: an overtaken one replaces nothing. */
  readonly attempt?: number;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

export type ActiveKey = Pick<ApiKeyRow, '_id' | 'accountId' | 'lastUsedAt'>;

const schema = new Schema(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    hash: { type: String, required: true },
    prefix: { type: String, required: true },
    name: { type: String, required: true },
    attempt: Number,
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, default: null },
    revokedAt: { type: Date, default: null },
  },
  { versionKey: false, strict: 'throw' },
);
schema.index({ hash: 1 }, { unique: true });
schema.index({ accountId: 1, createdAt: -1 });

const apiKeys = defineCollection<ApiKeyRow>('api_keys', schema);

/** Answers false, and stores nothing, when the account already has `activeMax` keys. */
export function insertApiKey(store: StoreConnection, row: ApiKeyRow, activeMax: number): Promise<boolean> {
  return inTransaction(store, async (session) => {
    await takeTurn(store, row.accountId, session);
    const active = await apiKeys(store).countDocuments({ accountId: row.accountId, revokedAt: null }, { session });
    if (active >= activeMax) return false;
    await apiKeys(store).create([row], { session });
    return true;
  });
}

/**
 * Puts another raw key in place of one that an earlier attempt at the same call has made and nobody has seen. `absent` when
 * none has, `refused` when it was revoked meanwhile or a later attempt was here.
 */
export async function reissueApiKey(
  store: StoreConnection,
  row: ApiKeyRow & { readonly attempt: number },
): Promise<'reissued' | 'absent' | 'refused'> {
  const { _id, accountId, attempt, hash, prefix } = row;
  const earlier = { _id, accountId, revokedAt: null, attempt: { $lt: attempt } };
  const result = await apiKeys(store).updateOne(earlier, { $set: { hash, prefix, attempt } });
  if (result.matchedCount === 1) return 'reissued';
  return (await apiKeys(store).exists({ _id, accountId })) === null ? 'absent' : 'refused';
}

/**
 * The way in of every call with a key: one read by unique index, without mongoose's document and query machinery.
 * The caller is not known yet, so no scope comes first.
 */
export function findActiveKey(store: StoreConnection, hash: string): Promise<ActiveKey | null> {
  return apiKeys(store).collection.findOne<ActiveKey>(
    { hash, revokedAt: null },
    { projection: { accountId: 1, lastUsedAt: 1 } },
  );
}

/** Asked again right before a write takes effect, so that revoking a key also stops the calls in flight. */
export async function isKeyActive(store: StoreConnection, accountId: AccountId, keyId: string): Promise<boolean> {
  const found = await apiKeys(store).exists({ _id: keyId, accountId, revokedAt: null });
  return found !== null;
}

/** Newest first. */
export function listActiveKeys(store: StoreConnection, accountId: AccountId): Promise<ApiKeyRow[]> {
  return apiKeys(store)
    .find({ accountId, revokedAt: null }, { hash: 0 })
    .sort({ createdAt: -1, _id: -1 })
    .lean<ApiKeyRow[]>()
    .exec();
}

/** Answers false when the account has no such active key. */
export async function revokeKey(
  store: StoreConnection,
  accountId: AccountId,
  revocation: { keyId: string; at: Date },
): Promise<boolean> {
  const active = { _id: revocation.keyId, accountId, revokedAt: null };
  const result = await apiKeys(store).updateOne(active, { $set: { revokedAt: revocation.at } });
  return result.matchedCount === 1;
}

/** Changes nothing when another process noted a use since `cutoff`. Not worth waiting for the journal. */
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
