import type { mongo, Schema } from 'mongoose';
import type { AccountId } from '../../core/ids.ts';
import { retryPauseMs, type Due, type DueBy } from '../../core/due.ts';
import type { StoreConnection } from '../database/connection.ts';

/**
 * The rows that may owe work. `key` is what takes turns: rows of one key are one queue. `owner` is the account whose worker takes
 * the queue.
 */
export const dueKinds = {
  // A relay finds them (store/items/owed-items.ts).
  items: { collection: 'items', key: 'accountId', owner: 'accountId', bys: [] },
  deliveries: { collection: 'deliveries', key: 'target', owner: 'accountId', bys: ['worker', 'workflow'] },
  recoveries: { collection: 'webhook_recoveries', key: 'accountId', owner: 'accountId', bys: ['workflow'] },
  bulkSyncs: { collection: 'bulk_syncs', key: 'actingAccountId', owner: 'actingAccountId', bys: ['workflow'] },
  mails: { collection: 'mails', key: 'queue', owner: 'queue', bys: ['worker'] },
  receivers: { collection: 'receivers_in_trouble', key: 'accountId', owner: 'accountId', bys: ['workflow'] },
} as const satisfies Record<string, DueKindOptions>;
export type DueKind = keyof typeof dueKinds;

interface DueKindOptions {
  readonly collection: string;
  readonly key: string;
  readonly owner: string;
  readonly bys: readonly DueBy[];
}

/** A row of any of the kinds, as far as the dispatcher knows it. */
export interface DueRow {
  readonly _id: string;
  readonly due: Due | null;
}

/** One queue of due rows: all rows of a kind that the same part does for the same key. */
export interface DueQueue {
  readonly kind: DueKind;
  readonly by: DueBy;
  readonly key: string;
  readonly accountId: AccountId;
}

/** The queue of an account; of mails to an address that may have none, its fingerprint. */
export const dueQueue = (kind: Exclude<DueKind, 'deliveries'>, by: DueBy, accountId: AccountId): DueQueue => ({
  ...{ kind, by, key: accountId, accountId },
});

/** The queue of a webhook target. */
export const targetQueue = (by: DueBy, { accountId, target }: { accountId: AccountId; target: string }): DueQueue => ({
  ...{ kind: 'deliveries', by, key: target, accountId },
});

/** Partial, so that rows without work cost nothing. A query uses it when it names `due.by`. */
export function indexDueRows(schema: Schema, kind: DueKind): void {
  const { key, owner }: DueKindOptions = dueKinds[kind];
  schema.index(
    { 'due.by': 1, [key]: 1, 'due.at': 1, ...(owner !== key && { [owner]: 1 }) },
    { name: 'due', partialFilterExpression: { 'due.by': { $exists: true } } },
  );
}

/** The queues with a row that is due by `now`, of all kinds and accounts: one query, which reads one index key for each queue. */
export async function listDueQueues(store: StoreConnection, now: Date): Promise<DueQueue[]> {
  const parts = Object.entries(dueKinds).flatMap(([kind, { collection, bys, ...fields }]) =>
    bys.map((by) => ({ collection, pipeline: linesOf({ kind, by, ...fields }, now) })),
  );
  const [first, ...others] = parts;
  if (first === undefined) return [];
  const unions = others.map(({ collection: coll, pipeline }) => ({ $unionWith: { coll, pipeline } }));
  return store.connection
    .collection(first.collection)
    .aggregate<DueQueue>([...first.pipeline, ...unions])
    .toArray();
}

/** Since when the longest due row of all queues has been due; null when there is none. Reads one index key for each queue. */
export async function findOldestDue(store: StoreConnection, kind: DueKind, by: DueBy): Promise<Date | null> {
  const { key } = dueKinds[kind];
  const [oldest] = await rowsOf(store, kind)
    .aggregate<{ readonly at: Date }>([
      { $match: { 'due.by': by } },
      { $sort: { [key]: 1, 'due.at': 1 } },
      { $group: { _id: `$${key}`, at: { $first: '$due.at' } } },
      { $group: { _id: null, at: { $min: '$at' } } },
    ])
    .toArray();
  return oldest?.at ?? null;
}

const linesOf = (
  { kind, by, key, owner }: { kind: string; by: DueBy; key: string; owner: string },
  now: Date,
): Record<string, unknown>[] => [
  { $match: { 'due.by': by } },
  { $sort: { [key]: 1, 'due.at': 1 } },
  { $group: { _id: `$${key}`, at: { $first: '$due.at' }, accountId: { $first: `$${owner}` } } },
  { $match: { at: { $lte: now } } },
  { $project: { _id: 0, kind: { $literal: kind }, by: { $literal: by }, key: '$_id', accountId: 1 } },
];

export interface DueQuery {
  readonly kind: DueKind;
  readonly by: DueBy;
  /** Queues, whose rows come in the order of these keys, each queue's longest due first. */
  readonly keys: readonly string[];
  readonly now: Date;
  readonly limit: number;
}

/** Due rows of one kind, the longest due first within each key. */
export function findDue<Row extends DueRow>(
  store: StoreConnection,
  { kind, by, keys, now, limit }: DueQuery,
): Promise<Row[]> {
  const { key } = dueKinds[kind];
  const due = { 'due.by': by, [key]: { $in: [...keys] }, 'due.at': { $lte: now } };
  return rowsOf(store, kind)
    .find<Row>(due, { sort: { [key]: 1, 'due.at': 1 }, limit })
    .toArray();
}

/** No majority is needed: a lost claim only means that the work is started twice. */
const quickly = { writeConcern: { w: 1 } } as const;

/**
 * Claims due rows: each is due again after its pause, in case what is begun now gets lost. Returns them with their new dates. A
 * row that was written since it was read keeps its own date.
 */
export async function claimDue<Row extends DueRow>(
  store: StoreConnection,
  kind: DueKind,
  { rows, now }: { readonly rows: readonly Row[]; readonly now: Date },
): Promise<Row[]> {
  const claimed = rows.flatMap((row) => {
    if (row.due === null) return [];
    const { tries } = row.due;
    const due = { ...row.due, at: new Date(now.getTime() + retryPauseMs(tries)), tries: tries + 1 };
    return [{ row: { ...row, due }, claim: { updateOne: { filter: asRead(row), update: { $set: { due } } } } }];
  });
  const claims = claimed.map(({ claim }) => claim);
  if (claims.length > 0) await rowsOf(store, kind).bulkWrite(claims, { ...quickly, ordered: false });
  return claimed.map(({ row }) => row);
}

/** Gives due rows another date or another part. No effect on a row that was written since it was read. */
export async function changeDue(
  store: StoreConnection,
  kind: DueKind,
  { rows, due }: { readonly rows: readonly DueRow[]; readonly due: Due },
): Promise<void> {
  const changes = rows.map((row) => {
    const trace = row.due?.trace;
    const changed = { ...due, ...(trace !== undefined && { trace }) };
    return { updateOne: { filter: asRead(row), update: { $set: { due: changed } } } };
  });
  if (changes.length > 0) await rowsOf(store, kind).bulkWrite(changes, { ...quickly, ordered: false });
}

const asRead = ({ _id, due }: DueRow) => ({ _id, 'due.by': due?.by, 'due.at': due?.at });

const rowsOf = (store: StoreConnection, kind: DueKind): mongo.Collection<DueRow> =>
  store.connection.collection<DueRow>(dueKinds[kind].collection);
