import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { Trace } from '../rules/trace.ts';
import type { AccountId, BulkSyncId } from '../rules/ids.ts';
import { OrchestratorUnavailable, type Orchestrator } from '../../gateways/orchestrator/port.ts';
import type { Logger } from '../../platform/logger.ts';
import { inSpan, type Tracing } from '../../platform/tracing.ts';
import type { OwedDelivery, TargetKey } from '../webhooks/store/waiting-deliveries.ts';
import type { OwedItem } from '../items/store/owed-items.ts';

/** Starts at once. What comes beside them is found by its row's date. */
const atOnce = 32;
/** Pause before the next start when the engine is unreachable. */
export const awayMs = 2_000;
/** A burst of deliveries asks for its receiver's workflow once in this time, for which the workflow's call goes on looking. */
const receiverAgainMs = 2_000;
const receiversMax = 10_000;

export interface StartDependencies {
  readonly orchestrator: Orchestrator;
  readonly logger: Pick<Logger, 'warn'>;
  readonly tracing?: Tracing | undefined;
  /** Called for each start that certainly or possibly did not happen. */
  readonly onLost?: () => void;
}

export interface StartOptions {
  /** The item is one of many of its account, so other work goes first. */
  readonly isBacklog?: true;
}

export interface OwedBulkSync {
  readonly bulkId: BulkSyncId;
  readonly accountId: AccountId;
}

interface Start {
  readonly start: () => Promise<void>;
  readonly trace?: Trace | undefined;
}

/**
 * Starts workflows, or signals those that run to read their row again. After a commit this is a hint that no caller waits for: a
 * relay finds by the row's date what was not started.
 */
export class WorkflowStarts {
  readonly #dependencies: StartDependencies;
  readonly #limit = pLimit({ concurrency: atOnce, rejectOnClear: true });
  readonly #asked = new LRUCache<string, true>({ max: receiversMax, ttl: receiverAgainMs });
  #awayUntilMs = 0;

  constructor(dependencies: StartDependencies) {
    this.#dependencies = dependencies;
  }

  /** The item's row asks for a workflow. */
  itemSoon(row: OwedItem, options: StartOptions = {}): void {
    this.#soon(this.ofItem(row, options));
  }

  /** The delivery's next attempt is its workflow's. */
  readonly deliverySoon = (row: OwedDelivery): void => this.#soon(this.ofDelivery(row));

  /** The target fails. */
  readonly receiverSoon = (target: TargetKey): void => this.#seldom(`start ${target.target}`, this.ofReceiver(target));

  /** Deliveries have begun to wait for the target: a workflow that has just found nothing is woken. */
  readonly wakeReceiver = (target: TargetKey): void =>
    this.#seldom(`wake ${target.target}`, this.ofChangedReceiver(target));

  /** The target has changed. */
  readonly signalReceiver = (target: TargetKey): void => this.#soon(this.ofChangedReceiver(target));

  readonly bulkSyncSoon = (bulk: OwedBulkSync): void => this.#soon(this.ofBulkSync(bulk));

  readonly ofItem = (
    { _id: itemId, accountId, externalId, requestId, trace }: OwedItem,
    options: StartOptions = {},
  ): Start => ({
    trace: trace ?? undefined,
    start: () => this.#dependencies.orchestrator.signalItem({ itemId, accountId, externalId, requestId, ...options }),
  });

  readonly ofDelivery = ({
    _id: deliveryId,
    accountId: ownerId,
    aboutAccountId: accountId,
    attempts,
    trace,
    ...row
  }: OwedDelivery): Start => {
    const { externalId, eventType, target } = row;
    const names = { deliveryId, ownerId, accountId, externalId, eventType, target, attempt: attempts + 1 };
    return { trace, start: () => this.#dependencies.orchestrator.startDelivery(names) };
  };

  readonly ofReceiver = ({ target, accountId }: TargetKey): Start => ({
    start: () => this.#dependencies.orchestrator.startReceiver({ target, accountId }),
  });

  readonly ofChangedReceiver = ({ target, accountId }: TargetKey): Start => ({
    start: () => this.#dependencies.orchestrator.signalReceiver({ target, accountId }),
  });

  readonly ofBulkSync = ({ bulkId, accountId }: OwedBulkSync): Start => ({
    start: () => this.#dependencies.orchestrator.startBulkSync({ bulkId, accountId }),
  });

  /**
   * For the relay. Resolves with the positions of those that certainly were not started. After any other error the start may have
   * happened; then the row keeps its growing pause, so that a slow engine is not asked ever more often.
   */
  async startAll(starts: readonly Start[]): Promise<number[]> {
    const ends = await Promise.allSettled(starts.map((start) => this.#limit(() => this.#try(start))));
    return ends.flatMap((end, index) =>
      end.status === 'rejected' && end.reason instanceof OrchestratorUnavailable ? [index] : [],
    );
  }

  /** Gives up the starts that still wait: each is found by its row. */
  close(): void {
    for (let left = this.#limit.pendingCount; left > 0; left -= 1) this.#dependencies.onLost?.();
    this.#limit.clearQueue();
  }

  #seldom(name: string, start: Start): void {
    if (this.#asked.has(name)) return;
    this.#asked.set(name, true);
    this.#soon(start);
  }

  #soon(start: Start): void {
    const isAway = performance.now() < this.#awayUntilMs;
    if (isAway || this.#limit.activeCount >= atOnce) this.#dependencies.onLost?.();
    else this.#limit(() => this.#try(start)).catch(() => undefined);
  }

  /** The engine's headers carry the trace on (gateways/orchestrator/temporal-orchestrator.ts). */
  async #try({ start, trace: parent = {} }: Start): Promise<void> {
    try {
      await inSpan(this.#dependencies.tracing, { name: 'start workflow', kind: 'client', parent }, start);
    } catch (error) {
      if (error instanceof OrchestratorUnavailable) this.#awayUntilMs = performance.now() + awayMs;
      this.#dependencies.onLost?.();
      this.#dependencies.logger.warn({ err: error }, 'workflow.start_lost');
      throw error;
    }
  }
}
