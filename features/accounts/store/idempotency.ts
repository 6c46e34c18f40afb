import { Schema } from 'mongoose';
import type { AccountId } from '../../rules/ids.ts';
import { defineCollection, isDuplicateKey, type StoreConnection } from '../../../platform/database/connection.ts';

/** One `Idempotency-Key` in use: a mark that its request runs, and later the request's answer. */
export interface IdempotencyRow {
  /** Fingerprint of account, method, path and key, because the key itself is private to its sender. */
  readonly _id: string;
  /** The account the credential belongs to. */
  readonly accountId: AccountId;
  /** Of query and body: the same key with another request is the caller's mistake. '' until a streamed body has been read. */
  readonly fingerprint: string;
  /** Id of the resource that the request creates, the same over all its attempts. */
  readonly reservedId: string;
  /** 1, plus 1 for each attempt that took over an unfinished one. Writes of an overtaken attempt have no effect. */
  readonly attempt: number;
  readonly claimedAt: Date;
  /** null while the request runs. Encrypted as a whole, because some answers hold a secret. */
  readonly answerEncrypted: string | null;
  /** When the key is free again. The database deletes the row a minute or so later, so readers must compare the date. */
  readonly purgeAt: Date;
}

const schema = new Schema(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    fingerprint: { type: String, default: '' },
    reservedId: { type: String, required: true },
    attempt: { type: Number, required: true },
    claimedAt: { type: Date, required: true },
    answerEncrypted: { type: String, default: null },
    purgeAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
// The ids are hashes, which begin with no account.
schema.set('shardKey', { _id: 'hashed' });
schema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });

const idempotencyKeys = defineCollection<IdempotencyRow>('idempotency_keys', schema);

/** Returns false when the key is in use. */
export async function insertClaim(store: StoreConnection, row: IdempotencyRow): Promise<boolean> {
  try {
    await idempotencyKeys(store).create([row]);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** A majority read, because a stored answer is given again as a promise. */
export function findClaim(store: StoreConnection, id: string): Promise<IdempotencyRow | null> {
  return idempotencyKeys(store).findById(id).lean<IdempotencyRow>().exec();
}

/** Begins the next attempt of an unfinished request. Returns false when another process was faster. */
export async function takeClaimOver(
  store: StoreConnection,
  seen: IdempotencyRow,
  times: { claimedAt: Date; purgeAt: Date },
): Promise<boolean> {
  const result = await idempotencyKeys(store).updateOne(
    { _id: seen._id, attempt: seen.attempt, claimedAt: seen.claimedAt, answerEncrypted: null },
    { $set: times, $inc: { attempt: 1 } },
  );
  return result.modifiedCount === 1;
}

export type Claim = Pick<IdempotencyRow, '_id' | 'attempt'>;

/** Returns false, and stores nothing, when the attempt was overtaken. */
export async function storeAnswer(
  store: StoreConnection,
  { _id, attempt }: Claim,
  finished: { answerEncrypted: string; purgeAt: Date; fingerprint: string },
): Promise<boolean> {
  const result = await idempotencyKeys(store).updateOne({ _id, attempt, answerEncrypted: null }, { $set: finished });
  return result.modifiedCount === 1;
}

/** Renews the mark of a running request. Returns false when the attempt was overtaken. */
export async function refreshClaim(
  store: StoreConnection,
  { _id, attempt }: Claim,
  times: { claimedAt: Date; purgeAt: Date },
): Promise<boolean> {
  const result = await idempotencyKeys(store).updateOne({ _id, attempt, answerEncrypted: null }, { $set: times });
  return result.modifiedCount === 1;
}

/** Frees the key at once. No effect when the attempt was overtaken. */
export async function removeClaim(store: StoreConnection, { _id, attempt }: Claim): Promise<void> {
  await idempotencyKeys(store).deleteOne({ _id, attempt, answerEncrypted: null });
}

/** Lets the next call take over at once, before the mark is old. No effect when the attempt was overtaken. */
export async function releaseClaim(store: StoreConnection, { _id, attempt }: Claim): Promise<void> {
  await idempotencyKeys(store).updateOne({ _id, attempt, answerEncrypted: null }, { $set: { claimedAt: new Date(0) } });
}

/** Removes the row of an expired key. No effect when the key has been used anew meanwhile. */
export async function removeExpired(store: StoreConnection, { _id, purgeAt }: IdempotencyRow): Promise<void> {
  await idempotencyKeys(store).deleteOne({ _id, purgeAt });
}
