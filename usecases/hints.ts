import pLimit from 'p-limit';
import type { Logger } from '../platform/logger.ts';

/** Hints to the durable engine, sent beside the critical path. */
export interface Hints {
  /** Sends soon, without waiting; dropped when too many queue up, because the sweep makes good for every lost one. */
  send(kind: string, hint: () => Promise<void>): void;
  /** Resolves when what is queued has been sent or has failed. */
  drain(): Promise<void>;
}

const atOnce = 16;
const queuedMax = 2_000;

export function createHints(logger: Logger): Hints {
  const limit = pLimit(atOnce);
  const running = new Set<Promise<void>>();
  return {
    send: (kind, hint) => {
      if (limit.pendingCount >= queuedMax) return;
      const sent = limit(hint)
        .catch((error: unknown) => {
          logger.warn({ kind, err: error }, 'hint.lost');
        })
        .finally(() => running.delete(sent));
      running.add(sent);
    },
    drain: async () => {
      await Promise.all(running);
    },
  };
}
