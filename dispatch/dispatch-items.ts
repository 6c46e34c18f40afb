import { dueFrom } from '../core/due.ts';
import type { Logger } from '../platform/logger.ts';
import type { StoreConnection } from '../store/database/connection.ts';
import { changeDue } from '../store/dispatch/due-rows.ts';
import { findBacklog } from '../store/items/due-items.ts';
import { BacklogPlaces } from './backlog-places.ts';
import type { WorkflowStarts } from './start-workflows.ts';
import { turnFailed, Turns } from './turns.ts';

export interface ItemDispatchDependencies {
  readonly store: StoreConnection;
  readonly starts: Pick<WorkflowStarts, 'itemSoon'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now: () => Date;
}

/** Items of one account in one turn. */
const itemsPerTurn = 50;
/** After this time without a start, the dispatcher checks whether the start was lost. */
const startGraceMs = 5_000;

/**
 * Starts the workflows of items of bulk syncs, account by account. An item waits here until few enough are running, so that the
 * engine has room for others.
 */
export function createBacklogTurns({ store, starts, logger, now }: ItemDispatchDependencies): Turns {
  const places = new BacklogPlaces({ store, onFree: (account) => turns.add(account) });
  const turns: Turns = new Turns({
    ...{ atOnce: 1, together: 1, onFailure: turnFailed(logger, 'dispatch-backlog') },
    work: async ([account = '']) => {
      const due = await findBacklog(store, { keys: [account], now: now(), limit: itemsPerTurn });
      await places.enter(account);
      const taken = due.filter((row) => places.take(row));
      const owed = dueFrom('workflow', new Date(now().getTime() + startGraceMs));
      await changeDue(store, 'items', { rows: taken, due: owed });
      for (const row of taken) starts.itemSoon({ ...row, _id: row.itemId }, { isBacklog: true });
      places.begin(taken.map(({ itemId }) => itemId));
      if (taken.length < due.length) places.wait([account]);
      return due.length === itemsPerTurn && taken.length === due.length ? [account] : [];
    },
  });
  return turns;
}
