import { inBulk } from './rules/owed-work.ts';
import { deletedItem } from './rules/delete-item.ts';
import type { ItemId } from '../rules/ids.ts';
import { actorOf } from './rules/journal.ts';
import type { Item } from './rules/item.ts';
import type { Scope } from '../rules/scope.ts';
import type { ItemChange } from './store/item-lines.ts';
import type { LineDependencies } from './apply-lines.ts';
import { signed, type BulkOrigin } from './decide-lines.ts';

export interface RemovalLine {
  /** Identifies the item to the caller; unique within one call. */
  readonly line: number;
  readonly itemId: ItemId;
}

export interface RemovalBatch {
  readonly items: readonly RemovalLine[];
  readonly bulk: BulkOrigin & {
    /** Start of the upload, in database time: only items whose last accepted write is older are deleted. */
    readonly removedBefore: Date;
  };
}

/** `kept`: gone already, or written since the upload began. */
export interface RemovalResult {
  readonly line: number;
  readonly outcome: 'removed' | 'kept';
}

export interface Removals {
  readonly changes: readonly ItemChange[];
  /** In the order of the lines. */
  readonly results: readonly RemovalResult[];
}

/**
 * Decides the removal of items of one account, each like a DELETE: an item with an open order is archived. The work they leave waits
 * for its account's turn.
 */
export async function decideRemovals(
  { lines, now }: Pick<LineDependencies, 'lines' | 'now'>,
  scope: Scope,
  { items, bulk }: RemovalBatch,
): Promise<Removals> {
  const found = await lines.findByIds(
    scope.accountId,
    items.map(({ itemId }) => itemId),
  );
  const removed = found.filter((item) => isToRemove(item, bulk));
  const isRemoved = new Set(removed.map(({ id }) => id));
  const change = { now: now(), actor: actorOf(scope) };
  return {
    changes: removed.map((item) => ({ previous: item, next: signed(inBulk(deletedItem(item, change)), bulk) })),
    results: items.map(({ line, itemId }) => ({ line, outcome: isRemoved.has(itemId) ? 'removed' : 'kept' })),
  };
}

const isToRemove = ({ current, acceptedAt }: Item, { removedBefore }: RemovalBatch['bulk']): boolean =>
  current && (acceptedAt === null || acceptedAt < removedBefore);
