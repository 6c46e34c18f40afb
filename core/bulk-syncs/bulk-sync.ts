import type { RefusalCode } from '../errors.ts';
import type { AccountId, BulkSyncId } from '../ids.ts';
import type { Credential } from '../scope.ts';

export const bulkModes = ['merge', 'snapshot'] as const;
export type BulkMode = (typeof bulkModes)[number];

/**
 * The only changes: `running` → `completed`, `running` → `cancelling` → `cancelled`, and `running` → `cancelled` when the sender
 * was stopped.
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
  /** Start of the upload, in database time: a snapshot removes no item that was written since. */
  readonly startedAt: Date;
  /** Time of acceptance, in database time: a line never overwrites an item that was written since. */
  readonly acceptedAt: Date;
  readonly completedAt: Date | null;
}

export const isUnfinished = ({ state }: Pick<BulkSync, 'state'>): boolean =>
  state === 'running' || state === 'cancelling';
