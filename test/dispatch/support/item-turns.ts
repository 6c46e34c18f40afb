import { randomUUID } from 'node:crypto';
import { dueFrom } from '../../../core/due.ts';
import { itemId, type AccountId } from '../../../core/ids.ts';
import type { Item } from '../../../core/items/item.ts';
import { createBacklogTurns } from '../../../dispatch/dispatch-items.ts';
import type { StartedItem, StartOptions } from '../../../dispatch/start-workflows.ts';
import type { StoreConnection } from '../../../store/database/connection.ts';
import { createItemStore } from '../../../store/items/items.ts';
import { anItem, later } from '../../support/an-item.ts';

export type Started = StartedItem & StartOptions;

/** A worker's turns on a real database; what it starts is noted. */
export function aWorker(store: StoreConnection) {
  const started: Started[] = [];
  const now = (): Date => later(10_000);
  const starts = {
    itemSoon: (row: StartedItem, options: StartOptions = {}) => void started.push({ ...row, ...options }),
  };
  return {
    ...{ started, now, items: createItemStore(store) },
    backlog: createBacklogTurns({ store, starts, now, logger: { warn: () => undefined } }),
  };
}

/** Items of an account that are due in the order in which they are made. */
export async function addItems(store: StoreConnection, account: AccountId, count: number): Promise<Item[]> {
  const made = Array.from({ length: count }, (_, number) =>
    anItem({
      ...{ accountId: account, externalId: `long${number}`, id: itemId(randomUUID()) },
      ...{ due: dueFrom('backlog', later(number)), wantedPublication: 1 },
    }),
  );
  await Promise.all(made.map((item) => createItemStore(store).insert(item)));
  return made;
}
