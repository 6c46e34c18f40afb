import { accountId, itemId, type AccountId, type ItemId } from '../../core/ids.ts';
import type { StoreConnection } from '../database/connection.ts';
import { findDue, type DueQuery, type DueRow } from '../dispatch/due-rows.ts';
import type { ItemRow } from './item-row.ts';
import { itemCollection } from './item-collection.ts';

/** An item that owes work. */
export interface DueItem extends DueRow {
  readonly itemId: ItemId;
  readonly accountId: AccountId;
  readonly externalId: string;
  /** Request id of the call that wrote the item last; null when unknown. */
  readonly requestId: string | null;
}

/** Items of bulk work that wait for a workflow, the longest due first. */
export async function findBacklog(store: StoreConnection, query: Omit<DueQuery, 'kind' | 'by'>): Promise<DueItem[]> {
  const rows = await findDue<ItemRow>(store, { ...query, kind: 'items', by: 'backlog' });
  return rows.map(({ _id, due, accountId: account, externalId, requestId = null }) => ({
    ...{ _id, due, itemId: itemId(_id), accountId: accountId(account), externalId, requestId },
  }));
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
