import pLimit from 'p-limit';
import pTimeout from 'p-timeout';
import { OrchestratorUnavailable } from '../gateways/orchestrator/port.ts';
import type { Logger } from '../platform/logger.ts';

/** Hints to the durable engine, sent beside the critical path. */
export interface Hints {
  /**
   * Sends soon, without waiting. A hint whose `key` is still queued says it all already; when too many queue up it is dropped,
   * because the sweep makes good for every lost one.
   */
  send(key: string, hint: () => Promise<void>): void;
  /** Resolves when what is queued has been sent or has failed; what is still queued after `drainMaxMs` is given up. */
  drain(): Promise<void>;
}

/** Few: in the API each one takes from the requests beside it, and the engine does no more than some dozens a second. */
const atOnce = 4;
const queuedMax = 2_000;
const defaultDrainMaxMs = 3_000;
/** `given_up`: still queued or under way when the process stopped. */
export type LostHow = 'dropped' | 'failed' | 'given_up';

export interface HintsOptions {
  /** By default 3 s. */
  readonly drainMaxMs?: number;
}

const noOne = (): void => undefined;

/** `onLost` is told of each one that was dropped because too many queued up, that failed, or that was given up at the end. */
export function createHints(
  logger: Logger,
  onLost: (how: LostHow) => void = noOne,
  { drainMaxMs = defaultDrainMaxMs }: HintsOptions = {},
): Hints {
  const limit = pLimit(atOnce);
  const running = new Set<Promise<void>>();
  const queued = new Set<string>();
  return {
    send: (key, hint) => {
      if (queued.has(key)) return;
      if (queued.size >= queuedMax) {
        onLost('dropped');
        return;
      }
      queued.add(key);
      const start = (): Promise<void> => {
        queued.delete(key);
        return hint();
      };
      const sent = limit(start)
        .catch((error: unknown) => {
          onLost('failed');
          logger.warn({ key, err: error }, 'hint.lost');
        })
        .finally(() => running.delete(sent));
      running.add(sent);
    },
    drain: async () => {
      const isDrained = await pTimeout(
        Promise.all(running).then(() => true),
        { milliseconds: drainMaxMs, fallback: () => false },
      );
      if (isDrained) return;
      logger.warn({ queued: limit.pendingCount, running: limit.activeCount }, 'hints.given_up');
      for (const _hint of running) onLost('given_up');
      limit.clearQueue();
      queued.clear();
      running.clear();
    },
  };
}

/**
 * Sends the hints of a sweep, a few at a time. Returns the rows whose hint certainly was not taken, because the engine was out
 * of reach; one that merely took too long keeps its growing backoff, or a slow engine would be asked more and more often.
 */
export async function hintAll<Row>(rows: readonly Row[], hint: (row: Row) => Promise<void>): Promise<Row[]> {
  const limit = pLimit(atOnce);
  const outcomes = await Promise.allSettled(rows.map((row) => limit(() => hint(row))));
  return rows.filter((_row, index) => {
    const outcome = outcomes[index];
    return outcome?.status === 'rejected' && outcome.reason instanceof OrchestratorUnavailable;
  });
}
