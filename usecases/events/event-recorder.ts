import type { AccountId } from '../../core/ids.ts';
import { GroupCommit } from '../../platform/group-commit.ts';
import type { DueEvent } from '../../store/events.ts';

/** Stores a batch of one account's events; the adapter of `recordEvents`. */
export type RecordBatch = (account: AccountId, events: readonly DueEvent[]) => Promise<void>;

/** Events that fit in one transaction without holding the account's counter for long. */
const batchMax = 100;

/**
 * One transaction of an account at a time, with all that came in meanwhile. Without it, items of one account that settle side by
 * side would fight for the account's event counter.
 */
export function createEventRecorder(recordBatch: RecordBatch): RecordBatch {
  const groups = new Map<AccountId, GroupCommit<readonly DueEvent[], void>>();

  const groupOf = (account: AccountId): GroupCommit<readonly DueEvent[], void> => {
    const known = groups.get(account);
    if (known !== undefined) return known;
    const made = new GroupCommit<readonly DueEvent[], void>({
      commit: async (batches) => {
        await recordBatch(account, batches.flat());
        return batches.map(() => undefined);
      },
      sizeMax: batchMax,
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
