import type { AccountId, BulkSyncId, ItemId } from '../../core/ids.ts';

/** A line in which one kind of work waits for workers. */
export interface QueueState {
  /** As in `WORKER_QUEUES`: items, images, … */
  readonly kind: string;
  /** When a worker last asked for this kind of work; null when none did within some minutes. */
  readonly lastPolledAt: Date | null;
  /** Pieces of work that wait for a worker, about. */
  readonly backlog: number;
  /** How long the one at the head of the line has been waiting. */
  readonly backlogAgeMs: number;
}

/** A running workflow whose code fails, so that it stands still until a worker with other code comes. */
export interface FailingWorkflow {
  readonly workflowId: string;
  readonly type: string;
  readonly startedAt: Date;
  /** What the engine says of it: `category=… cause=…`. */
  readonly problems: readonly string[];
  readonly accountId: string | null;
  readonly externalId: string | null;
}

/** A running workflow that stands still, as its attributes say. */
export interface BlockedWorkflow {
  readonly workflowId: string;
  readonly startedAt: Date;
  readonly reason: string | null;
  readonly stage: string | null;
  readonly accountId: string | null;
  readonly externalId: string | null;
}

export interface BlockedQuery {
  /** Left out: those of which a step fails again and again, whatever the reason. */
  readonly reason?: string | undefined;
  readonly account?: AccountId | undefined;
  readonly limit: number;
}

/** A step that a workflow waits for right now. */
export interface PendingStep {
  readonly name: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** A worker has it. */
  readonly isStarted: boolean;
  readonly lastFailure: string | null;
}

export interface WorkflowState {
  readonly workflowId: string;
  readonly type: string;
  /** RUNNING, COMPLETED, TERMINATED … */
  readonly status: string;
  readonly startedAt: Date;
  readonly closedAt: Date | null;
  readonly stage: string | null;
  readonly blockedReason: string | null;
  readonly problems: readonly string[];
  readonly steps: readonly PendingStep[];
}

/** What operators ask the durable engine. Each throws OrchestratorUnavailable when it can't be reached. */
export interface EngineOperations {
  /** One row for each kind of work, in a fixed order. */
  readQueues(): Promise<readonly QueueState[]>;
  /** The oldest first, at most `limit`. */
  listFailing(limit: number): Promise<readonly FailingWorkflow[]>;
  /** The oldest first, at most `limit`. */
  listBlocked(query: BlockedQuery): Promise<readonly BlockedWorkflow[]>;
  /** The newest run of an item's life; null when the engine knows none (any more). */
  describeItem(id: ItemId): Promise<WorkflowState | null>;
  describeBulkSync(id: BulkSyncId): Promise<WorkflowState | null>;
}
