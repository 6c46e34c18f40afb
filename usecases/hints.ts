import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { OrchestratorUnavailable } from '../gateways/orchestrator/port.ts';
import type { Logger } from '../platform/logger.ts';

/** Hints to the durable engine, sent beside the critical path. */
export interface Hints {
  /**
   * Sends soon, without waiting. A hint whose `key` is still queued says it all already; when too many queue up it is dropped,
   * because the sweep makes good for every lost one.
   */
  send(key: string, hint: () => Promise<void>): void;
  /** Resolves when what is queued has been sent or has failed, after 3 s at the latest. */
  drain(): Promise<void>;
}

/** Few: in the API each one takes from the requests beside it, and the engine does no more than some dozens a second. */
const atOnce = 4;
const queuedMax = 2_000;
const drainMaxMs = 3_000;

export function createHints(logger: Logger): Hints {
  const limit = pLimit(atOnce);
  const running = new Set<Promise<void>>();
  const queued = new Set<string>();
  return {
    send: (key, hint) => {
      if (queued.has(key) || queued.size >= queuedMax) return;
      queued.add(key);
      const start = (): Promise<void> => {
        queued.delete(key);
        return hint();
      };
      const sent = limit(start)
        .catch((error: unknown) => {
          logger.warn({ key, err: error }, 'hint.lost');
        })
        .finally(() => running.delete(sent));
      running.add(sent);
    },
    drain: async () => {
      const timer = new AbortController();
      const late = pause(drainMaxMs, undefined, { signal: timer.signal }).catch(() => undefined);
      await Promise.race([Promise.all(running), late]);
      timer.abort();
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
