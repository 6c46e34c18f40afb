import { setTimeout as pause } from 'node:timers/promises';
import { endpointId, type AccountId, type EndpointId } from '../core/ids.ts';
import { targetKeyOf } from '../core/webhooks/delivery.ts';
import type { Logger } from '../platform/logger.ts';
import type { StoreConnection } from '../store/database/connection.ts';
import { hearRings } from '../store/dispatch/doorbell.ts';
import { listDueQueues, type DueQueue } from '../store/dispatch/due-rows.ts';
import type { DeliveryQueues } from './delivery-queues.ts';
import type { Ownership } from './ownership.ts';
import type { WorkflowStarts } from './start-workflows.ts';
import type { Turns } from './turns.ts';

export interface DispatcherParts {
  readonly store: StoreConnection;
  readonly ownership: Pick<Ownership, 'owns'>;
  readonly mails: Turns;
  readonly deliveries: DeliveryQueues;
  readonly starts: WorkflowStarts;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now: () => Date;
}

/**
 * Gives due work to the part that does it. The doorbell announces new work. A regular look finds the rest: lost rings,
 * dates that have come, and rows of a process that has ended.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #closing = new AbortController();
  #hearing: Promise<void> | undefined;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** Begins to listen to the doorbell. The caller's loop calls {@link look}. */
  start(): void {
    const { store } = this.#parts;
    const onOpen = (): void => void this.look().catch(() => undefined);
    this.#hearing = hearRings(store, { onRing: (queue) => this.take(queue), onOpen, signal: this.#closing.signal });
  }

  /** Takes a queue that has due work, if its account is this process's. */
  readonly take = ({ kind, by, key, accountId }: DueQueue): void => {
    const { ownership, mails, deliveries, starts } = this.#parts;
    if (!ownership.owns(accountId)) return;
    if (by === 'workflow') starts.add({ kind, key });
    else if (kind === 'mails') mails.add(key);
    else if (kind === 'deliveries') deliveries.add({ target: key, accountId, endpointId: endpointOf(key, accountId) });
  };

  /** Takes all keys that have due work by now. Returns whether there were any. */
  async look(): Promise<boolean> {
    const { store, now } = this.#parts;
    const queues = await listDueQueues(store, now());
    for (const queue of queues) this.take(queue);
    return queues.length > 0;
  }

  /** Takes no further work. Resolves when the work in progress has ended, or is left to other processes. */
  async close(): Promise<void> {
    this.#closing.abort();
    const { mails, deliveries, starts, logger } = this.#parts;
    const ended = Promise.all([this.#hearing, mails.close(), deliveries.close()]).then(() => starts.close());
    const timer = new AbortController();
    const late = pause(closeMaxMs, 'late' as const, { signal: timer.signal }).catch(() => 'ended' as const);
    if ((await Promise.race([ended, late])) === 'late') logger.warn({}, 'dispatcher.closed_late');
    timer.abort();
  }
}

/** An attempt takes up to ten seconds, and storing its outcome up to ten more. */
const closeMaxMs = 25_000;

/** The endpoint in the key of a target; null for the URL of the account. */
const endpointOf = (target: string, accountId: AccountId): EndpointId | null =>
  target === targetKeyOf({ accountId, endpointId: null }) ? null : endpointId(target);
