import type { AccountId } from '../ids.ts';
import type { JournalKind } from '../items/journal.ts';
import type { Details, Fact } from '../history/facts.ts';
import { inEnglish } from '../history/english.ts';
import type { AuditActor, AuditActorKind } from './audit-entry.ts';
import type { AuditKind } from './audit-kinds.ts';
import { newestFirst, type LogPosition } from './log-position.ts';

/** One row of an account's log, whether it stands in the item journal or in the audit collection. */
export type LogRow = LogPosition &
  Fact & {
    readonly accountId: AccountId;
    readonly actor: AuditActor;
    /** Of the item that it is about; null for what is about the account. */
    readonly externalId: string | null;
  };

/** What one collection has behind a position, newest first. */
export interface LogStretch {
  readonly rows: readonly LogRow[];
  /** Last row that was looked at, when there are more behind it; null when there are none. */
  readonly end: LogPosition | null;
}

export interface LogPage {
  readonly rows: readonly LogRow[];
  /** Where the next page goes on; null when there is nothing older. */
  readonly end: LogPosition | null;
}

/**
 * One page of several collections in one order. Where one of them was looked through only so far, the others' rows behind
 * that are left for the next page: so none is skipped and none comes twice.
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

/** One entry as its reader sees it. Source: interface-decisions "Audit log". */
export interface LogEntry {
  readonly id: string;
  readonly at: string;
  readonly kind: AuditKind | JournalKind;
  readonly message: string;
  /** The account that it happened to. */
  readonly userId: string;
  readonly actor: { readonly kind: AuditActorKind; readonly userId: string | null; readonly keyId: string | null };
  readonly requestId: string | null;
  readonly externalId: string | null;
  readonly details: Details;
}

/** Which key somebody else has used is nobody's business but theirs. */
export function describeLogRow(row: LogRow, reader: AccountId): LogEntry {
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
