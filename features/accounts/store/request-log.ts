import { mongo, Schema } from 'mongoose';
import type { AccountId } from '../../rules/ids.ts';
import { defineRows, type StoreConnection } from '../../../platform/database/connection.ts';

/**
 * A call with an API key, as its account reads it. The row has neither body nor query, so it contains none of their secrets.
 */
export interface LoggedCall {
  /** The account of the key. */
  readonly accountId: AccountId;
  readonly keyId: string;
  /** The member that the call was for; null for the account's own. */
  readonly memberId: AccountId | null;
  readonly at: Date;
  readonly method: string;
  readonly path: string;
  /** null: the client disconnected before the answer. */
  readonly status: number | null;
  /** Code of the refusal; null for an accepted call. */
  readonly code: string | null;
  /** Dotted paths of the refused fields. */
  readonly fields: readonly string[];
  readonly requestId: string;
  readonly durationMs: number;
}

export type StoredCall = LoggedCall & { readonly _id: mongo.ObjectId };

/** `isRefused` gives refused calls a limit of their own, so that a busy hour does not push out those of the night before. */
type CallRow = StoredCall & { readonly isRefused: boolean };

const keptDays = 30;
/** For each account: this many refused calls, and this many others. */
export const keptCallsMax = 10_000;

const schema = new Schema();
schema.set('shardKey', { accountId: 1 });
schema.index({ accountId: 1, isRefused: 1, at: -1, _id: -1 });
schema.index({ at: 1 }, { expireAfterSeconds: keptDays * 86_400 });

const rows = defineRows<CallRow>('request_log', schema);

const isRefused = ({ status }: LoggedCall): boolean => status === null || status >= 400;

/** A failover may lose these calls: only the primary acknowledges them, because the log explains and decides nothing. */
export async function insertCalls(store: StoreConnection, calls: readonly LoggedCall[]): Promise<void> {
  const made = calls.map((call) => ({ ...call, _id: new mongo.ObjectId(), isRefused: isRefused(call) }));
  await rows(store).insertMany(made, { ordered: false, writeConcern: { w: 1, journal: false } });
}

/**
 * Keeps the newest `callsMax` refused calls of an account, and as many others. The search reads index keys alone, and
 * includes calls that no majority has confirmed.
 */
export async function trimCalls(store: StoreConnection, accountId: AccountId, callsMax: number): Promise<void> {
  for (const refused of [true, false]) {
    const of = { accountId, isRefused: refused };
    const [oldest] = await rows(store)
      .find(of, { projection: { _id: 1, at: 1 }, readConcern: { level: 'local' } })
      .sort({ at: -1, _id: -1 })
      .skip(callsMax)
      .limit(1)
      .toArray();
    if (oldest !== undefined) await rows(store).deleteMany({ ...of, at: { $lte: oldest.at } });
  }
}

export interface CallFilter {
  readonly status?: { readonly from: number; readonly to: number } | 'refused';
  /** A part of the path. */
  readonly path?: string;
  readonly keyId?: string;
  readonly requestId?: string;
  readonly memberId?: AccountId;
  /** Oldest time, inclusive. */
  readonly since?: Date;
  /** Newest time, exclusive. */
  readonly until?: Date;
}

export interface CallPosition {
  readonly at: Date;
  /** Hexadecimal. */
  readonly id: string;
}

export interface CallQuery {
  readonly filter: CallFilter;
  /** The page holds only older calls. null for the newest page. */
  readonly before: CallPosition | null;
  readonly limit: number;
}

/** The account's calls, newest first. A filter besides the time reads at most the kept calls of one account. */
export function readCalls(store: StoreConnection, accountId: AccountId, query: CallQuery): Promise<StoredCall[]> {
  const { filter, before, limit } = query;
  return rows(store)
    .find({ accountId, ...conditionsOf(filter), $and: [timesOf(filter), olderThan(before)] })
    .sort({ at: -1, _id: -1 })
    .limit(limit)
    .toArray();
}

/** Always names `isRefused`, so that the database merges the two sorted parts of the index. */
function conditionsOf({ status, path, keyId, requestId, memberId }: CallFilter): mongo.Filter<CallRow> {
  return {
    isRefused: { $in: isOnlyRefused(status) ? [true] : [true, false] },
    ...(typeof status === 'object' && { status: { $gte: status.from, $lte: status.to } }),
    ...(path !== undefined && { path: { $regex: path.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`) } }),
    ...(keyId !== undefined && { keyId }),
    ...(requestId !== undefined && { requestId }),
    ...(memberId !== undefined && { memberId }),
  };
}

const isOnlyRefused = (status: CallFilter['status']): boolean =>
  status === 'refused' || (status !== undefined && status.from >= 400);

const timesOf = ({ since, until }: CallFilter): mongo.Filter<CallRow> => ({
  at: { $gte: since ?? new Date(0), ...(until && { $lt: until }) },
});

function olderThan(before: CallPosition | null): mongo.Filter<CallRow> {
  if (before === null) return {};
  const { at, id } = before;
  return { at: { $lte: at }, $or: [{ at: { $lt: at } }, { _id: { $lt: mongo.ObjectId.createFromHexString(id) } }] };
}
