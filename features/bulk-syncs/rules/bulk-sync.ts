import { refusalStatus, type Refusal, type RefusalCode } from '../../rules/errors.ts';
import type { FieldProblem } from '../../rules/field-problems.ts';
import type { AccountId, BulkSyncId } from '../../rules/ids.ts';
import type { Credential } from '../../rules/scope.ts';

export const bulkModes = ['merge', 'snapshot'] as const;
export type BulkMode = (typeof bulkModes)[number];

/**
 * What becomes of fields that a line leaves out although its item has them. `empty`: a line replaces its item, as a PUT
 * does. `keep`: they stay as they are.
 */
export const leftOutModes = ['empty', 'keep'] as const;
export type LeftOutMode = (typeof leftOutModes)[number];

/** How many lines leave a field out although their item has it, by its dotted path. */
export type LeftOutCounts = Readonly<Record<string, number>>;

/** What many lines of a file have in common, as a warning of the first of them says it. */
export interface FileRemark extends FieldProblem {
  /** The first of them, from 1. */
  readonly line: number;
  readonly count: number;
}

/**
 * The only changes: `running` → `completed`, `running` → `cancelling` → `cancelled`, and `running` → `cancelled` when
 * the sender was stopped.
 */
export const bulkStates = ['running', 'cancelling', 'completed', 'cancelled'] as const;
export type BulkState = (typeof bulkStates)[number];

/** Why a sender was stopped: its key was revoked, or the account that it acted for ended its membership. */
export const senderStops = ['UNAUTHORIZED', 'PARTNER_ACCOUNT_FORBIDDEN'] as const satisfies readonly RefusalCode[];
export type SenderStop = (typeof senderStops)[number];

/** Outcomes of lines, and of items that a snapshot left out (`removed`). */
export interface BulkCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  /** Lines that did not fail but have a warning. */
  readonly warned: number;
  readonly removed: number;
}

export const noCounts: BulkCounts = { created: 0, updated: 0, unchanged: 0, failed: 0, warned: 0, removed: 0 };

export function addLeftOut(counts: LeftOutCounts, fields: readonly string[]): LeftOutCounts {
  if (fields.length === 0) return counts;
  return { ...counts, ...Object.fromEntries(fields.map((field) => [field, (counts[field] ?? 0) + 1])) };
}

/** One accepted upload and how far it has come. */
export interface BulkSync extends BulkCounts {
  readonly id: BulkSyncId;
  /** The owner: the account of the credential. */
  readonly actingAccountId: AccountId;
  /** The account of lines that name none; of a snapshot, the account of all lines. */
  readonly accountId: AccountId;
  /** Identifies the stored lines: each attempt at an upload has its own id. */
  readonly uploadId: string;
  /** SHA-256 of body and query options, to recognise the request when its `Idempotency-Key` is sent again. */
  readonly requestDigest: string;
  /** Credential of the upload: the actor of every write to an item. */
  readonly credential: Credential;
  readonly requestId: string | null;
  readonly mode: BulkMode;
  readonly state: BulkState;
  /** Why the remaining lines were not applied; null when the sender was not stopped. */
  readonly stoppedBy: SenderStop | null;
  /** Lines that are not empty. */
  readonly total: number;
  /** Lines that repeat the id of an earlier line of the same account. */
  readonly repeated: number;
  readonly remarks: readonly FileRemark[];
  readonly leftOut: LeftOutMode;
  /** Of the lines applied so far. */
  readonly leftOutFields: LeftOutCounts;
  /** Start of the upload, in database time: a snapshot removes no item that was written since. */
  readonly startedAt: Date;
  /** Time of acceptance, in database time: a line never overwrites an item that was written since. */
  readonly acceptedAt: Date;
  readonly completedAt: Date | null;
}

/** Limits of one upload; tests use smaller ones. */
export interface UploadLimits {
  readonly linesMax: number;
  /** Bytes of one line, without its line end. */
  readonly lineBytesMax: number;
}

export const linesMax = 1_000_000;

export const uploadLimits: UploadLimits = {
  linesMax,
  lineBytesMax: 1024 * 1024,
};

/** Most unfinished bulk syncs of one account at a time. */
export const unfinishedMax = 20;

/** Report on one line: an error when it was refused, a warning when it was accepted all the same. */
export type LineReport = LineError | LineWarning;
export type Severity = LineReport['severity'];

interface Reported {
  /** From 1. */
  readonly line: number;
  readonly externalId: string | null;
  /** As written in the line; left out when the line has none. */
  readonly account?: string;
  /** Message for people. */
  readonly error: string;
}

export interface LineError extends Reported {
  readonly severity: 'error';
  readonly status: number;
  readonly code: RefusalCode;
  readonly details?: readonly FieldProblem[];
}

export interface LineWarning extends Reported {
  readonly severity: 'warning';
  readonly status: 202;
  readonly details: readonly FieldProblem[];
}

/** Identifies a line of the file, as far as the line could be read. */
export interface LineName {
  readonly line: number;
  readonly externalId: string | null;
  readonly account?: string | undefined;
}

export const lineError = (
  name: LineName,
  { code, message, details }: Pick<Refusal, 'code' | 'message' | 'details'>,
): LineError => ({
  ...named(name),
  severity: 'error',
  status: refusalStatus[code],
  error: message,
  code,
  ...(details !== undefined && { details }),
});

export const lineWarning = (name: LineName, warnings: readonly FieldProblem[]): LineWarning => ({
  ...named(name),
  severity: 'warning',
  status: 202,
  error: `The line was taken, with ${warnings.length === 1 ? 'a warning' : `${warnings.length} warnings`}`,
  details: warnings,
});

const named = ({ line, externalId, account }: LineName) => ({
  line,
  externalId,
  ...(account !== undefined && { account }),
});
