/**
 * Which part does the work that a row owes. `worker`: first attempts, and mails. `workflow`: steps that call outside systems or wait
 * for a time. `backlog`: workflows of bulk work, after the rest. An item is owed to the worker only until its write is completed
 * (core/items/complete-write.ts).
 */
export const dueBys = ['worker', 'workflow', 'backlog'] as const;
export type DueBy = (typeof dueBys)[number];

/** The trace of the request that caused the work (W3C `traceparent`), so that it can be followed from the call to the webhook. */
export type Trace = Readonly<Record<string, string>>;

/** Work that a stored row owes. The write that causes the work stores it too, so neither exists without the other. */
export interface Due {
  readonly by: DueBy;
  /** By the database's clock. From then on the row is taken, because its start or its workflow was lost. */
  readonly at: Date;
  /** How often in a row the work was started again; each time the next pause doubles. */
  readonly tries: number;
  /** Only set when traces are collected. */
  readonly trace?: Trace;
}

/** Work that is due at `at`, not started yet. */
export const dueFrom = (by: DueBy, at: Date, trace?: Trace): Due => ({ by, at, tries: 0, ...(trace && { trace }) });

/** Pause after a lost start or a failed look: 2 s, doubling up to 10 minutes. */
export const retryPauseMs = (tries: number): number => Math.min(2_000 * 2 ** Math.min(tries, 20), 600_000);
