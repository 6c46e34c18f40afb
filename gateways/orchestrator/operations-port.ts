import type { AccountId, ItemId } from '../../features/rules/ids.ts';

export interface QueueState {
  /** A name of `WORKER_QUEUES`: items, images, … */
  readonly kind: string;
  /** When a worker last polled this queue; null when none did within some minutes. */
  readonly lastPolledAt: Date | null;
  /** Approximate number of waiting tasks. */
  readonly backlog: number;
}

/** A running workflow that is blocked according to its attributes. */
export interface BlockedWorkflow {
  readonly workflowId: string;
  readonly startedAt: Date;
  readonly reason: string | null;
  readonly stage: string | null;
  /** Report of the engine on code that fails, which blocks the run until a worker with other code comes: `category=… cause=…`. */
  readonly problems: readonly string[];
  readonly accountId: string | null;
  readonly externalId: string | null;
}

export interface BlockedQuery {
  /** Undefined: runs whose code fails, or with a step that fails repeatedly. */
  readonly reason?: string | undefined;
  readonly account?: AccountId | undefined;
  readonly limit: number;
}

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
  /** RUNNING, COMPLETED, TERMINATED … */
  readonly status: string;
  readonly startedAt: Date;
  readonly stage: string | null;
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
  listBlocked(query: BlockedQuery): Promise<readonly BlockedWorkflow[]>;
  /** The newest run of an item's workflow; null when the engine has none. */
  describeItem(id: ItemId): Promise<WorkflowState | null>;
  /** Sends `retry` to a running workflow, as an operator can in the Temporal UI; false when it does not run. */
  retry(workflowId: string): Promise<boolean>;
  /** The same for the workflow of a webhook target. */
  retryReceiver(target: string): Promise<boolean>;
  /** Ends every run of an account and deletes its history. Returns how many there were; lists may have one for a moment longer. */
  deleteRuns(account: AccountId): Promise<number>;
}
