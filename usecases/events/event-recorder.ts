import type { AccountId } from '../../core/ids.ts';
import { Batcher } from '../../platform/concurrency/batcher.ts';
import type { DueEvent } from '../../store/events/events.ts';

/** Stores a batch of one account's events; the adapter of `recordEvents`. */
export type RecordBatch = (account: AccountId, events: readonly DueEvent[]) => Promise<void>;

/** Events that are handed over together; the store bounds its transactions by their rows. */
const batchMax = 100;

/**
 * A transaction that hangs, at a locked row or on a dead connection, holds back the account's other events for one second.
 * Parallel transactions would all wait at the account's counter, so only few are allowed. A caller whose events wait too long
 * tries again.
 */
const patience = { countedMs: 1_000, underWayMax: 4, waitMaxMs: 10_000, commitMaxMs: 20_000 };

/**
 * Runs one transaction per account at a time, with all events that arrived meanwhile. Otherwise items of one account that settle
 * in parallel would conflict at the account's event counter.
 */
export function createEventRecorder(recordBatch: RecordBatch): RecordBatch {
  const groups = new Map<AccountId, Batcher<readonly DueEvent[], void>>();

  const groupOf = (account: AccountId): Batcher<readonly DueEvent[], void> => {
    const known = groups.get(account);
    if (known !== undefined) return known;
    const made = new Batcher<readonly DueEvent[], void>({
      commit: async (batches) => {
        await recordBatch(account, batches.flat());
        return batches.map(() => undefined);
      },
      ...{ sizeMax: batchMax, patience },
      sizeOf: (events) => events.length,
    });
    groups.set(account, made);
    return made;
  };

  return async (account, events) => {
    const group = groupOf(account);
    try {
      await group.add(events);
    } finally {
      if (group.isIdle) groups.delete(account);
    }
  };
}
