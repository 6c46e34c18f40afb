import type { AccountId } from '../../core/ids.ts';
import type { DueEvent } from '../../store/events.ts';

/** Stores a batch of one account's events; the adapter of `recordEvents`. */
export type RecordBatch = (account: AccountId, events: readonly DueEvent[]) => Promise<void>;

interface Waiting {
  readonly events: readonly DueEvent[];
  readonly done: { resolve: () => void; reject: (reason: unknown) => void };
}

/** Events that fit in one transaction without holding the account's counter for long. */
const batchMax = 100;

/**
 * Group commit: while one transaction of an account runs, what comes in for the same account waits and goes into the next one
 * together. Without it, items of one account that settle side by side would fight for the account's event counter.
 */
export function createEventRecorder(recordBatch: RecordBatch): RecordBatch {
  const queues = new Map<AccountId, Waiting[]>();

  const drain = async (account: AccountId, queue: Waiting[]): Promise<void> => {
    while (queue.length > 0) {
      const batch = takeBatch(queue);
      try {
        await recordBatch(
          account,
          batch.flatMap((waiting) => waiting.events),
        );
        for (const waiting of batch) waiting.done.resolve();
      } catch (error) {
        for (const waiting of batch) waiting.done.reject(error);
      }
    }
    queues.delete(account);
  };

  return (account, events) =>
    new Promise((resolve, reject) => {
      const waiting: Waiting = { events, done: { resolve, reject } };
      const queue = queues.get(account);
      if (queue !== undefined) {
        queue.push(waiting);
        return;
      }
      const started = [waiting];
      queues.set(account, started);
      drain(account, started).catch(reject);
    });
}

function takeBatch(queue: Waiting[]): Waiting[] {
  let size = 0;
  let count = 0;
  for (const waiting of queue) {
    size += waiting.events.length;
    if (count > 0 && size > batchMax) break;
    count += 1;
  }
  return queue.splice(0, count);
}
