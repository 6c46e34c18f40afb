import { accountId, itemId, type AccountId, type ItemId } from '../../core/ids.ts';
import type { Item } from '../../core/items/item.ts';
import type { StoreConnection } from '../database/connection.ts';
import { findDue, type DueQuery, type DueRow } from '../dispatch/due-rows.ts';
import { itemFromRow, type ItemRow } from './item-row.ts';
import { itemCollection } from './items.ts';

/** An item that owes work. */
export interface DueItem extends DueRow {
  readonly itemId: ItemId;
  readonly accountId: AccountId;
  readonly externalId: string;
  /** Request id of the call that wrote the item last; null when unknown. */
  readonly requestId: string | null;
  /** undefined when the row can't be read: a damaged one must not hold up the others. */
  readonly item: Item | undefined;
}

/** By majority, because events and orders follow from what is read. */
export async function findDueItems(store: StoreConnection, query: Omit<DueQuery, 'kind'>): Promise<DueItem[]> {
  const rows = await findDue<ItemRow>(store, { ...query, kind: 'items' });
  return rows.map(dueItemOf);
}

function dueItemOf(row: ItemRow): DueItem {
  const { _id, due, accountId: account, externalId, requestId = null } = row;
  const names = { _id, due, itemId: itemId(_id), accountId: accountId(account), externalId, requestId };
  try {
    return { ...names, item: itemFromRow(row) };
  } catch {
    // Its workflow reads it again and shows the error.
    return { ...names, item: undefined };
  }
}

/** Longer than the dispatcher waits before it looks after a workflow at work, shorter than before it looks after one that rests. */
export const atWorkMs = 120_000;

/** Those of the items that a workflow has to work on, and that wait for nothing. */
export async function findUnderWay(store: StoreConnection, ids: readonly ItemId[]): Promise<ReadonlySet<ItemId>> {
  const soon = new Date(store.clock.now().getTime() + atWorkMs);
  const atWork = { 'due.by': 'workflow', 'due.at': { $lte: soon }, 'processing.waitingFor': null } as const;
  const underWay = { _id: { $in: [...ids] }, ...atWork };
  const rows = await itemCollection(store)
    .find(underWay, { projection: { _id: 1 } })
    .toArray();
  return new Set(rows.map(({ _id }) => itemId(_id)));
}
