import type { AccountId, BulkSyncId, ItemId } from '../../features/rules/ids.ts';

/** A task queue for one kind of work. */
export interface QueueState {
  /** A name of `WORKER_QUEUES`: items, images, … */
  readonly kind: string;
  /** When a worker last polled this queue; null when none did within some minutes. */
  readonly lastPolledAt: Date | null;
  /** Approximate number of waiting tasks. */
  readonly backlog: number;
  /** Wait of the oldest task, in ms. */
  readonly backlogAgeMs: number;
}

/** A running workflow whose code fails, so it is blocked until a worker with other code comes. */
export interface FailingWorkflow {
  readonly workflowId: string;
  readonly type: string;
  readonly startedAt: Date;
  /** Report of the engine: `category=… cause=…`. */
  readonly problems: readonly string[];
  readonly accountId: string | null;
  readonly externalId: string | null;
}

/** A running workflow that is blocked according to its attributes. */
export interface BlockedWorkflow {
  readonly workflowId: string;
  readonly startedAt: Date;
  readonly reason: string | null;
  readonly stage: string | null;
  readonly accountId: string | null;
  readonly externalId: string | null;
}

export interface BlockedQuery {
  /** Undefined: runs with a step that fails repeatedly, for any reason. */
  readonly reason?: string | undefined;
  readonly account?: AccountId | undefined;
  readonly limit: number;
}

/** A step that a workflow is waiting for. */
export interface PendingStep {
  readonly name: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** True when a worker is running it. */
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
  /** The run's own description of its state, as Markdown; null when it has ended or no worker answers. */
  readonly details: string | null;
}

/** Queries of operators to the durable engine. Each throws OrchestratorUnavailable when the engine can't be reached. */
export interface EngineOperations {
  /** One row for each kind of work, in a fixed order. */
  readQueues(): Promise<readonly QueueState[]>;
  /** The oldest first, at most `limit`. */
  listFailing(limit: number): Promise<readonly FailingWorkflow[]>;
  /** The oldest first, at most `limit`. */
  listBlocked(query: BlockedQuery): Promise<readonly BlockedWorkflow[]>;
  /** The newest run of an item's workflow; null when the engine has none. */
  describeItem(id: ItemId): Promise<WorkflowState | null>;
  describeBulkSync(id: BulkSyncId): Promise<WorkflowState | null>;
  /** Sends `retry` to a running workflow, as an operator can in the Temporal UI; false when it does not run. */
  retry(workflowId: string): Promise<boolean>;
}
