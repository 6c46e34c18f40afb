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
  /** undefined when the row can't be read, so that a damaged row does not stop the others. */
  readonly item: Item | undefined;
}

/** A majority read, because events and orders follow from it. */
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
    // The item's workflow reads the row again and shows the error.
    return { ...names, item: undefined };
  }
}

/**
 * Longer than the dispatcher waits before it checks a working workflow, shorter than before it checks a resting one.
 */
export const atWorkMs = 120_000;

/** Which of the items a workflow must work on, and wait for nothing. */
export async function findUnderWay(store: StoreConnection, ids: readonly ItemId[]): Promise<ReadonlySet<ItemId>> {
  const soon = new Date(store.clock.now().getTime() + atWorkMs);
  const atWork = { 'due.by': 'workflow', 'due.at': { $lte: soon }, 'processing.waitingFor': null } as const;
  const underWay = { _id: { $in: [...ids] }, ...atWork };
  const rows = await itemCollection(store)
    .find(underWay, { projection: { _id: 1 } })
    .toArray();
  return new Set(rows.map(({ _id }) => itemId(_id)));
}
