import { mongo } from 'mongoose';
import type { AuditActor, AuditActorKind } from '../../core/audit/audit-entry.ts';
import type { LogPosition } from '../../core/audit/log-position.ts';
import type { LogRow, LogStretch } from '../../core/audit/log-row.ts';
import type { Fact } from '../../core/history/facts.ts';
import type { AccountId } from '../../core/ids.ts';
import { auditRows } from './audit.ts';
import type { StoreConnection } from '../database/connection.ts';
import { journalRows } from '../items/journal.ts';

export interface LogFilter {
  /** `acting`: what a reseller did for its members, which stands in their logs. */
  readonly view: 'own' | 'acting';
  readonly kind?: LogRow['kind'];
  readonly actor?: AuditActorKind;
  readonly externalId?: string;
  /** Included. */
  readonly since?: Date;
  /** Left out, as everything after it. */
  readonly until?: Date;
}

export interface LogQuery {
  readonly filter: LogFilter;
  /** Only what is older. null for the newest. */
  readonly before: LogPosition | null;
  readonly limit: number;
}

/** Rows that one page looks at in a collection, at most: a rare kind is found over several pages rather than in one long one. */
export const lookedAtMax = 2_000;

/** Stretches of the account's log behind a position, one of each collection that may hold something; bounded in what is read. */
export function readLogStretches(store: StoreConnection, account: AccountId, query: LogQuery): Promise<LogStretch[]> {
  const { view, externalId } = query.filter;
  const journal = rowsOf(journalRows(store));
  if (view === 'acting') {
    const where = { 'actor.accountId': account };
    return Promise.all([walk(journal, where, { ...query, only: { 'actor.kind': 'reseller', ...named(externalId) } })]);
  }
  // An external id has an index of its own: what happened to one item is asked for often, and needles in haystacks are slow.
  const where = { accountId: account, ...named(externalId) };
  const items = walk(journal, where, { ...query, only: {} });
  if (externalId !== undefined) return Promise.all([items]);
  return Promise.all([items, walk(rowsOf(auditRows(store)), where, { ...query, only: {} })]);
}

const named = (externalId: string | undefined) => (externalId === undefined ? {} : { externalId });

interface Walk extends LogQuery {
  /** Conditions beside those of the index. */
  readonly only: Readonly<Record<string, string>>;
}

type StoredRow = Fact &
  Omit<LogPosition, 'id'> & {
    readonly _id: string;
    readonly accountId: AccountId;
    readonly actor: AuditActor;
    /** Only of an item's entries. */
    readonly externalId?: string;
  };

type Rows = mongo.Collection<StoredRow>;

// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- mongoose types its collection without the row
const rowsOf = (model: { readonly collection: object }): Rows => model.collection as Rows;

/**
 * Walks an index by its bounds, `min` and `max`, which may lie between two rows of the same time. A condition that the index doesn't hold
 * is checked on so many rows at most.
 */
async function walk(collection: Rows, where: Readonly<Record<string, string>>, query: Walk): Promise<LogStretch> {
  const { filter, before, limit } = query;
  const only = { ...query.only, ...conditionsOf(filter) };
  const [start, end] = [startOf(filter, before), endOf(filter)];
  if (start.at < end.at) return { rows: [], end: null };
  const hint = { ...ascending(where), at: -1, number: -1, _id: -1 } as const;
  const bounds = { hint, min: { ...where, ...start }, max: { ...where, ...end } };
  const from = before === null ? {} : { _id: { $ne: before.id } };
  const edge = Object.keys(only).length === 0 ? null : await findEdge(collection, bounds, from);
  const max = edge === null ? bounds.max : { ...where, ...keyOf(edge.beyond) };
  const found = await collection.find({ ...where, ...only, ...from }, { ...bounds, max, limit: limit + 1 }).toArray();
  return { rows: found.map(rowOf), end: edge?.last ?? null };
}

interface Bounds {
  readonly hint: Readonly<Record<string, 1 | -1>>;
  readonly min: mongo.Document;
  readonly max: mongo.Document;
}

/** The last row that is looked at, and the first that is not; null when there are no more than may be looked at. Reads keys alone. */
async function findEdge(
  collection: Rows,
  bounds: Bounds,
  from: mongo.Filter<StoredRow>,
): Promise<{ last: LogPosition; beyond: LogPosition } | null> {
  const keys = await collection
    .find<{ _id: string; at: Date; number: number }>(from, {
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

/** The index runs from the newest to the oldest, so what is newest is its lower bound. */
function startOf({ until }: LogFilter, before: LogPosition | null) {
  const behindUntil = { at: new Date((until?.getTime() ?? endOfTimeMs) - 1), number: largest, _id: largest };
  return before === null || before.at > behindUntil.at ? behindUntil : keyOf(before);
}

/** Left out by itself: the last bound of everything that happened at `since`. */
const endOf = ({ since }: LogFilter) => ({ at: since ?? new Date(0), number: smallest, _id: smallest });

const endOfTimeMs = Date.UTC(9999, 11, 31);
const largest = new mongo.MaxKey();
const smallest = new mongo.MinKey();

const rowOf = ({ _id, externalId, ...row }: StoredRow): LogRow => ({ ...row, id: _id, externalId: externalId ?? null });
