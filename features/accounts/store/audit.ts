import { randomUUID } from 'node:crypto';
import { mongo, Schema, type ClientSession } from 'mongoose';
import type { AuditActor, AuditActorKind, AuditEntry } from '../rules/audit-entry.ts';
import type { LogPosition, LogRow, LogStretch } from '../rules/log-row.ts';
import type { Fact } from '../../items/rules/history-facts.ts';
import type { AccountId } from '../../rules/ids.ts';
import { defineCollection, type StoreConnection } from '../../../platform/database/connection.ts';
import { journalRows } from '../../items/store/journal.ts';

/** An entry of an account's log. The history of its items is in the collection `journal`. */
export type AuditRow = AuditEntry & {
  readonly _id: string;
  /** Orders the entries that one process makes in the same millisecond. */
  readonly number: number;
  readonly purgeAt: Date;
};

const schema = new Schema(
  {
    _id: String,
    accountId: String,
    number: Number,
    at: Date,
    kind: String,
    actor: {},
    details: {},
    purgeAt: Date,
  },
  { versionKey: false, minimize: false, strict: 'throw' },
);
schema.set('shardKey', { accountId: 1 });
schema.index({ accountId: 1, at: -1, number: -1, _id: -1 });
schema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });

export const auditRows = defineCollection<AuditRow>('audit', schema);

/** As long as the journal of a deleted item. */
const keptMs = 400 * 86_400_000;
let latestNumber = 0;

/**
 * Adds an entry to an account's log. Call it in the transaction of the change that it describes, so that neither is stored
 * without the other. Leave the session out only when nothing else changes.
 */
export async function recordAudit(store: StoreConnection, entry: AuditEntry, session?: ClientSession): Promise<void> {
  await auditRows(store).create([rowOf(entry)], session === undefined ? {} : { session });
}

/** Adds several entries, of any accounts, in the transaction of the change that they describe. */
export async function recordAudits(
  store: StoreConnection,
  entries: readonly AuditEntry[],
  session: ClientSession,
): Promise<void> {
  await auditRows(store).insertMany(entries.map(rowOf), { session });
}

function rowOf(entry: AuditEntry): AuditRow {
  latestNumber += 1;
  return {
    ...entry,
    _id: `aud_${randomUUID()}`,
    number: latestNumber,
    purgeAt: new Date(entry.at.getTime() + keptMs),
  };
}

export interface LogFilter {
  /** `acting`: the entries in members' logs that this reseller has caused. */
  readonly view: 'own' | 'acting';
  readonly kind?: LogRow['kind'];
  readonly actor?: AuditActorKind;
  readonly externalId?: string;
  /** Oldest time, inclusive. */
  readonly since?: Date;
  /** Newest time, exclusive. */
  readonly until?: Date;
}

export interface LogQuery {
  readonly filter: LogFilter;
  /** The page holds only older rows. null for the newest page. */
  readonly before: LogPosition | null;
  readonly limit: number;
}

/** Most rows that one page reads in a collection: a rare kind is found over several pages instead of one slow page. */
export const lookedAtMax = 2_000;

/** Rows of the account's log older than a position, one stretch for each collection. The number of rows read is bounded. */
export function readLogStretches(store: StoreConnection, account: AccountId, query: LogQuery): Promise<LogStretch[]> {
  const { view, externalId } = query.filter;
  const journal = rowsOf(journalRows(store));
  if (view === 'acting') {
    const where = { 'actor.accountId': account };
    return Promise.all([walk(journal, where, { ...query, only: { 'actor.kind': 'reseller', ...named(externalId) } })]);
  }
  // An external id has its own index: the history of one item is read often, and filtering the account's whole log is slow.
  const where = { accountId: account, ...named(externalId) };
  const items = walk(journal, where, { ...query, only: {} });
  if (externalId !== undefined) return Promise.all([items]);
  return Promise.all([items, walk(rowsOf(auditRows(store).collection), where, { ...query, only: {} })]);
}

const named = (externalId: string | undefined) => (externalId === undefined ? {} : { externalId });

interface Walk extends LogQuery {
  /** Conditions on fields that the index lacks. */
  readonly only: Readonly<Record<string, string>>;
}

type StoredRow = Fact &
  Omit<LogPosition, 'id'> & {
    readonly _id: string;
    readonly accountId: AccountId;
    readonly actor: AuditActor;
    /** Only set on entries of an item. */
    readonly externalId?: string;
  };

type Rows = mongo.Collection<StoredRow>;

// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- mongoose types its collection without the row
const rowsOf = (collection: object): Rows => collection as Rows;

/**
 * Walks an index by its bounds, `min` and `max`, which may lie between two rows of the same time. A condition outside the index
 * is checked on at most {@link lookedAtMax} rows.
 */
async function walk(collection: Rows, where: Readonly<Record<string, string>>, query: Walk): Promise<LogStretch> {
  const { filter, before, limit } = query;
  const only = { ...query.only, ...conditionsOf(filter) };
  const [start, end] = [startOf(filter, before), endOf(filter)];
  if (start.at < end.at) return { rows: [], end: null };
  const hint = { ...ascending(where), at: -1, number: -1, _id: -1 } as const;
  const bounds = { hint, min: { ...where, ...start }, max: { ...where, ...end } };
  const from = before === null ? {} : { _id: { $ne: before.id } };
  const edge = Object.keys(only).length === 0 ? null : await findEdge(collection, bounds, { ...where, ...from });
  const max = edge === null ? bounds.max : { ...where, ...keyOf(edge.beyond) };
  const found = await collection.find({ ...where, ...only, ...from }, { ...bounds, max, limit: limit + 1 }).toArray();
  return { rows: found.map(logRowOf), end: edge?.last ?? null };
}

interface Bounds {
  readonly hint: Readonly<Record<string, 1 | -1>>;
  readonly min: mongo.Document;
  readonly max: mongo.Document;
}

/** The last row within the limit and the first beyond it; null when all rows are within. Reads index keys only. */
async function findEdge(
  collection: Rows,
  bounds: Bounds,
  rows: mongo.Filter<StoredRow>,
): Promise<{ last: LogPosition; beyond: LogPosition } | null> {
  const keys = await collection
    .find<{ _id: string; at: Date; number: number }>(rows, {
      ...bounds,
      projection: { _id: 1, at: 1, number: 1 },
      skip: lookedAtMax - 1,
      limit: 2,
    })
    .toArray();
  const [last, beyond] = keys.map(({ _id, at, number }) => ({ id: _id, at, number }));
  return last === undefined || beyond === undefined ? null : { last, beyond };
}

const ascending = (where: Readonly<Record<string, string>>): Record<string, 1> =>
  Object.fromEntries(Object.keys(where).map((name) => [name, 1]));

const conditionsOf = ({ kind, actor }: LogFilter): Record<string, string> => ({
  ...(kind !== undefined && { kind }),
  ...(actor !== undefined && { 'actor.kind': actor }),
});

const keyOf = ({ at, number, id }: LogPosition) => ({ at, number, _id: id });

/** The index runs from newest to oldest, so the newest position is its lower bound. */
function startOf({ until }: LogFilter, before: LogPosition | null) {
  const behindUntil = { at: new Date((until?.getTime() ?? endOfTimeMs) - 1), number: largest, _id: largest };
  return before === null || before.at > behindUntil.at ? behindUntil : keyOf(before);
}

/** The exclusive upper bound: behind every row of the time `since`. */
const endOf = ({ since }: LogFilter) => ({ at: since ?? new Date(0), number: smallest, _id: smallest });

const endOfTimeMs = Date.UTC(9999, 11, 31);
const largest = new mongo.MaxKey();
const smallest = new mongo.MinKey();

const logRowOf = ({ _id, externalId, ...row }: StoredRow): LogRow => ({
  ...row,
  id: _id,
  externalId: externalId ?? null,
});
