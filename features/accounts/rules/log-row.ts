import { inEnglish } from '../../items/rules/history-in-english.ts';
import type { Fact } from '../../items/rules/history-facts.ts';
import type { AccountId } from '../../rules/ids.ts';
import type { AuditActor } from './audit-entry.ts';

/** One row of an account's log, from the item journal or from the audit collection. */
export type LogRow = LogPosition &
  Fact & {
    readonly accountId: AccountId;
    readonly actor: AuditActor;
    /** The item that the row is about; null when it is about the account. */
    readonly externalId: string | null;
  };

/** Rows of one collection that are older than a position, newest first. */
export interface LogStretch {
  readonly rows: readonly LogRow[];
  /** The last row that was read, when older rows remain; null when none remain. */
  readonly end: LogPosition | null;
}

export interface LogPage {
  readonly rows: readonly LogRow[];
  /** Position at which the next page starts; null when there are no older rows. */
  readonly end: LogPosition | null;
}

/**
 * One page of several collections, newest first. No row is skipped or repeated: when a collection was read only down to its
 * `end`, older rows of the other collections wait for the next page.
 */
export function mergeStretches(stretches: readonly LogStretch[], limit: number): LogPage {
  const ends = stretches.flatMap(({ end }) => end ?? []);
  const horizon = ends.toSorted(newestFirst)[0] ?? null;
  const known = stretches
    .flatMap(({ rows }) => rows)
    .filter((row) => horizon === null || newestFirst(row, horizon) <= 0)
    .toSorted(newestFirst);
  const rows = known.slice(0, limit);
  const last = rows.at(-1);
  if (known.length > limit && last !== undefined) return { rows, end: positionOf(last) };
  return { rows, end: horizon };
}

const positionOf = ({ at, number, id }: LogPosition): LogPosition => ({ at, number, id });

/** One entry as its reader sees it. Source: interface-decisions "Audit log". The key id is shown only to the account that owns the key; other accounts get null. */
export function describeLogRow(row: LogRow, reader: AccountId) {
  const { kind, accountId, keyId, requestId } = row.actor;
  return {
    id: row.id,
    at: row.at.toISOString(),
    kind: row.kind,
    message: inEnglish(row),
    userId: row.accountId,
    actor: { kind, userId: accountId, keyId: accountId === reader ? keyId : null },
    requestId,
    externalId: row.externalId,
    details: row.details,
  };
}

/** Position of a row in an account's log. It is unique within the log and never changes. */
export interface LogPosition {
  readonly at: Date;
  /** Orders rows of the same millisecond. */
  readonly number: number;
  readonly id: string;
}

/** Comparator that sorts the newest row first. */
export function newestFirst(one: LogPosition, other: LogPosition): number {
  const byTime = other.at.getTime() - one.at.getTime() || other.number - one.number;
  if (byTime !== 0 || one.id === other.id) return byTime;
  return one.id > other.id ? -1 : 1;
}
