import type { RefusalCode } from '../errors.ts';
import type { AccountId, BulkSyncId } from '../ids.ts';
import type { Credential } from '../scope.ts';

export const bulkModes = ['merge', 'snapshot'] as const;
export type BulkMode = (typeof bulkModes)[number];

/** `running` → `completed`, `running` → `cancelling` → `cancelled`, or `running` → `cancelled` once its sender was stopped; nothing else. */
export const bulkStates = ['running', 'cancelling', 'completed', 'cancelled'] as const;
export type BulkState = (typeof bulkStates)[number];

/** The key that sent it was revoked, or the account that it was sent for ended its membership. */
export const senderStops = ['UNAUTHORIZED', 'PARTNER_ACCOUNT_FORBIDDEN'] as const satisfies readonly RefusalCode[];
export type SenderStop = (typeof senderStops)[number];

/** What became of lines, and of items that a snapshot left out (`removed`). */
export interface BulkCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  /** Of those that did not fail: lines that their caller is warned of. */
  readonly warned: number;
  readonly removed: number;
}

/** One accepted upload and how far it has come. */
export interface BulkSync extends BulkCounts {
  readonly id: BulkSyncId;
  /** Whose it is: the account that the credential belonged to. */
  readonly actingAccountId: AccountId;
  /** The account of lines that name none; of a snapshot, the account of all lines. */
  readonly accountId: AccountId;
  /** Names its stored lines: each attempt at an upload has its own. */
  readonly uploadId: string;
  /** SHA-256 of the body with what its query asked for, to know it again under the same `Idempotency-Key`. */
  readonly requestDigest: string;
  /** Who asked for it: the actor of every write of an item. */
  readonly credential: Credential;
  readonly requestId: string | null;
  readonly mode: BulkMode;
  readonly state: BulkState;
  /** Why what was left of it was not applied; null: nothing stopped its sender. */
  readonly stoppedBy: SenderStop | null;
  /** Lines that are not empty. */
  readonly total: number;
  /** Lines whose id an earlier line of the same account has. */
  readonly repeated: number;
  /** When its upload began, in database time: a snapshot spares what was written since. */
  readonly startedAt: Date;
  /** When it was accepted, in database time: lines spare what was written since. */
  readonly acceptedAt: Date;
  readonly completedAt: Date | null;
}

export const isUnfinished = ({ state }: Pick<BulkSync, 'state'>): boolean =>
  state === 'running' || state === 'cancelling';
