import pLimit from 'p-limit';
import { dueFrom, type Trace } from '../core/due.ts';
import type { AccountId, BulkSyncId, RecoveryId } from '../core/ids.ts';
import { OrchestratorUnavailable, type Orchestrator } from '../gateways/orchestrator/port.ts';
import type { Logger } from '../platform/logger.ts';
import { inSpan, type Tracing } from '../platform/tracing.ts';
import type { StoreConnection } from '../store/database/connection.ts';
import type { Delivery } from '../store/deliveries/deliveries.ts';
import { changeDue, claimDue, findDue, type DueKind, type DueQueue, type DueRow } from '../store/dispatch/due-rows.ts';
import { postponeOwed, type OwedItem } from '../store/items/owed-items.ts';
import { Turns, turnFailed } from './turns.ts';

/** Starts at once. What comes beside them is found by its row's date. */
const atOnce = 32;
const rowsPerTurn = 50;
/** Pause before the next start when the engine is unreachable. */
const awayMs = 2_000;

export interface StartDependencies {
  readonly store: StoreConnection;
  readonly orchestrator: Orchestrator;
  readonly logger: Pick<Logger, 'warn'>;
  readonly tracing?: Tracing | undefined;
  /** Called for each start that certainly or possibly did not happen. */
  readonly onLost?: () => void;
  readonly now: () => Date;
}

export interface StartOptions {
  /** The item is one of many of its account, so other work goes first. */
  readonly isBacklog?: true;
}

export type StartedDelivery = Pick<
  Delivery,
  '_id' | 'aboutAccountId' | 'externalId' | 'eventType' | 'target' | 'retryAt' | 'trace'
>;

/**
 * Starts workflows, or signals those that run to read their row again. It does so at once for rows that this process has
 * stored. A row whose date has passed is started, too, because its start or its workflow was lost.
 */
export class WorkflowStarts {
  readonly #dependencies: StartDependencies;
  readonly #turns: Turns;
  readonly #limit = pLimit({ concurrency: atOnce, rejectOnClear: true });
  /** Starts the due rows of a key. Returns whether there are more. */
  readonly #startDue: Readonly<Record<Exclude<DueKind, 'mails' | 'items'>, (key: string) => Promise<boolean>>>;
  #awayUntilMs = 0;

  constructor(dependencies: StartDependencies) {
    this.#dependencies = dependencies;
    const { orchestrator, logger } = dependencies;
    this.#startDue = {
      deliveries: this.#starterOf('deliveries', (row: StartedDelivery & DueRow) => this.#startDelivery(row)),
      recoveries: this.#starterOf('recoveries', ({ _id: recoveryId, accountId, target }: RecoveryRow) =>
        orchestrator.startRecovery({ recoveryId, accountId, target }),
      ),
      bulkSyncs: this.#starterOf('bulkSyncs', ({ _id: bulkId, actingAccountId: accountId }: BulkRow) =>
        orchestrator.startBulkSync({ bulkId, accountId }),
      ),
      receivers: this.#starterOf('receivers', ({ _id: target, accountId }: ReceiverRow) =>
        orchestrator.signalReceiver({ target, accountId }),
      ),
    };
    const onFailure = turnFailed(logger, 'start-workflows');
    this.#turns = new Turns({ atOnce: 2, together: 1, onFailure, work: ([queue = '']) => this.#takeTurn(queue) });
  }

  /** The key has rows whose workflow was due to be running before now. */
  add({ kind, key }: Pick<DueQueue, 'kind' | 'key'>): void {
    this.#turns.add(`${kind} ${key}`);
  }

  /**
   * Called when the item's row asks for a workflow. The caller does not wait for the start, because a lost one is found
   * by the row's due date.
   */
  itemSoon(row: OwedItem, options: StartOptions = {}): void {
    this.#soon(() => this.#signalItem(row, options), row.trace ?? undefined);
  }

  /** For the relay: starts items that it has claimed. Those that certainly were not started are due again soon. */
  async startAll(rows: readonly OwedItem[]): Promise<void> {
    const { store, now } = this.#dependencies;
    const ends = await Promise.allSettled(
      rows.map((row) => this.#limit(() => this.#try(() => this.#signalItem(row), row.trace ?? undefined))),
    );
    const lost = rows.filter((_row, index) => isUnavailable(ends[index]));
    await postponeOwed(store, lost, new Date(now().getTime() + awayMs));
  }

  /** The same for a delivery whose first attempt has failed. */
  deliverySoon(row: StartedDelivery): void {
    this.#soon(() => this.#startDelivery(row), row.trace);
  }

  /** Gives up the starts that still wait: each is found by the due date of its row. */
  async close(): Promise<void> {
    for (let left = this.#limit.pendingCount; left > 0; left -= 1) this.#dependencies.onLost?.();
    this.#limit.clearQueue();
    await this.#turns.close();
  }

  #signalItem({ _id: itemId, accountId, externalId, requestId }: OwedItem, options: StartOptions = {}) {
    return this.#dependencies.orchestrator.signalItem({ itemId, accountId, externalId, requestId, ...options });
  }

  #startDelivery({ _id: deliveryId, aboutAccountId: accountId, retryAt, ...names }: StartedDelivery) {
    const { orchestrator, now } = this.#dependencies;
    const { externalId, eventType, target } = names;
    const delayMs = Math.max(0, (retryAt?.getTime() ?? 0) - now().getTime());
    return orchestrator.startDelivery({ deliveryId, accountId, externalId, eventType, target, delayMs });
  }

  #soon(start: () => Promise<void>, trace: Trace | undefined): void {
    if (this.#limit.activeCount >= atOnce || this.#isAway()) this.#dependencies.onLost?.();
    else this.#limit(() => this.#try(start, trace)).catch(() => undefined);
  }

  #isAway(): boolean {
    return performance.now() < this.#awayUntilMs;
  }

  /** The engine's headers carry the trace on (gateways/orchestrator/temporal-orchestrator.ts). */
  async #try(start: () => Promise<void>, parent: Trace = {}): Promise<void> {
    try {
      await inSpan(this.#dependencies.tracing, { name: 'start workflow', kind: 'client', parent }, start);
    } catch (error) {
      if (error instanceof OrchestratorUnavailable) this.#awayUntilMs = performance.now() + awayMs;
      this.#dependencies.onLost?.();
      this.#dependencies.logger.warn({ err: error }, 'workflow.start_lost');
      throw error;
    }
  }

  async #takeTurn(queue: string): Promise<Iterable<string>> {
    if (this.#isAway()) return [];
    const [kind = '', ...key] = queue.split(' ');
    const starter = new Map(Object.entries(this.#startDue)).get(kind);
    return (await starter?.(key.join(' '))) === true ? [queue] : [];
  }

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the type of the rows that the database has
  #starterOf<Row extends DueRow>(kind: DueKind, start: (row: Row) => Promise<void>): (key: string) => Promise<boolean> {
    const { store, now } = this.#dependencies;
    return async (key) => {
      const rows = await findDue<Row>(store, {
        kind,
        by: 'workflow',
        keys: [key],
        now: now(),
        limit: rowsPerTurn,
      });
      const claimed = await claimDue(store, kind, { rows, now: now() });
      const ends = await Promise.allSettled(
        claimed.map((row) => this.#limit(() => this.#try(() => start(row), traceOf(row)))),
      );
      // After any other error the start may have happened. The row keeps its growing pause, so that a slow engine is
      // not asked ever more often.
      const lost = claimed.filter((_row, index) => isUnavailable(ends[index]));
      await changeDue(store, kind, { rows: lost, due: dueFrom('workflow', new Date(now().getTime() + awayMs)) });
      return rows.length === rowsPerTurn && lost.length === 0;
    };
  }
}

/** The trace of the row itself, else of the work that it owes. */
const traceOf = ({ trace, due }: DueRow & { readonly trace?: Trace }): Trace | undefined => trace ?? due?.trace;

interface RecoveryRow extends DueRow {
  readonly _id: RecoveryId;
  readonly accountId: AccountId;
  readonly target: string;
}

interface BulkRow extends DueRow {
  readonly _id: BulkSyncId;
  readonly actingAccountId: AccountId;
}

interface ReceiverRow extends DueRow {
  readonly accountId: AccountId;
}

const isUnavailable = (end: PromiseSettledResult<unknown> | undefined): boolean =>
  end?.status === 'rejected' && end.reason instanceof OrchestratorUnavailable;
