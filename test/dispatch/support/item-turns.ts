import { randomUUID } from 'node:crypto';
import { dueFrom, type DueBy } from '../../../core/due.ts';
import { itemId, type AccountId } from '../../../core/ids.ts';
import type { Item } from '../../../core/items/item.ts';
import { createBacklogTurns, createItemTurns } from '../../../dispatch/dispatch-items.ts';
import type { StartedItem, StartOptions } from '../../../dispatch/start-workflows.ts';
import { createThrottle } from '../../../platform/concurrency/throttle.ts';
import type { StoreConnection } from '../../../store/database/connection.ts';
import { createItemStore, itemCollection } from '../../../store/items/items.ts';
import type { Settlement } from '../../../store/items/settle-items.ts';
import { createOrderStore } from '../../../store/orders/orders.ts';
import { anItem, later } from '../../support/an-item.ts';
import { plainSettler } from '../../support/plain-settler.ts';

type Settle = (settlement: Settlement) => Promise<Item | null>;
export type Started = StartedItem & StartOptions;

/** A worker's turns on a real database; what it starts is noted. `around` is what the test does with its settlements. */
export function aWorker(store: StoreConnection, around: (settle: Settle) => Settle = (settle) => settle) {
  const started: Started[] = [];
  let nowMs = 10_000;
  const now = (): Date => later(nowMs);
  let urgentMs = 0;
  const throttle = createThrottle({ clock: () => urgentMs, rest: () => Promise.resolve() });
  const items = createItemStore(store);
  const dependencies = {
    ...{ store, throttle, now },
    advance: { items, orders: createOrderStore(store), settle: around(plainSettler(store, now)), now },
    starts: { itemSoon: (row: StartedItem, options: StartOptions = {}) => void started.push({ ...row, ...options }) },
    logger: { warn: () => undefined },
  };
  return {
    ...{ started, items, now, throttle },
    turns: createItemTurns(dependencies),
    backlog: createBacklogTurns(dependencies),
    pass: (ms: number) => {
      nowMs += ms;
      urgentMs += ms;
    },
  };
}

/** What an item owes: events and history alone, or a workflow's work as well. */
export type Kind = 'short' | 'long';

/** Items of an account that are due in the order in which they are made. */
export async function addItems(
  store: StoreConnection,
  account: AccountId,
  { count, kind = 'short', by = 'worker' }: { count: number; kind?: Kind; by?: DueBy },
): Promise<Item[]> {
  const made = Array.from({ length: count }, (_, number) =>
    anItem({
      ...{
        accountId: account,
        externalId: `${kind}${number}`,
        id: itemId(randomUUID()),
        due: dueFrom(by, later(number)),
      },
      wantedPublication: kind === 'long' ? 1 : 0,
    }),
  );
  await Promise.all(made.map((item) => createItemStore(store).insert(item)));
  return made;
}

/** How many items of the account are due by each part. */
export async function dueOf(store: StoreConnection, account: AccountId): Promise<Partial<Record<DueBy, number>>> {
  const counts = await itemCollection(store)
    .aggregate<{ _id: DueBy; count: number }>([
      { $match: { accountId: account, due: { $ne: null } } },
      { $group: { _id: '$due.by', count: { $sum: 1 } } },
    ])
    .toArray();
  return Object.fromEntries(counts.map(({ _id, count }) => [_id, count]));
}
