import { inBulk } from '../../core/items/owed-work.ts';
import { appliedChunkOf } from '../../core/items/applied-chunk.ts';
import { deletedItem } from '../../core/items/change-item.ts';
import type { ItemId } from '../../core/ids.ts';
import { actorOf, type Actor } from '../../core/items/journal.ts';
import type { Item } from '../../core/items/item.ts';
import type { Scope } from '../../core/scope.ts';
import { retryAllOnConflict, type LineDependencies } from './apply-lines.ts';
import { signed, type BulkOrigin } from './decide-lines.ts';

/** One item that a snapshot left out. */
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

/**
 * Deletes items of one account like a DELETE of each: an item with an open order is archived. The work they leave waits in the
 * backlog. Results come in the order of the items. A repeated call with the same `bulk` returns the same results and writes
 * nothing. Throws an Error when an item was overtaken too often.
 */
export async function removeLines(
  dependencies: Pick<LineDependencies, 'lines' | 'runExclusive' | 'now'>,
  scope: Scope,
  { items, bulk }: RemovalBatch,
): Promise<readonly RemovalResult[]> {
  const outcomes = new Map<number, RemovalResult['outcome']>();
  const externalIdOf = new Map<ItemId, string>();
  const lineOf = new Map(items.map(({ itemId, line }) => [itemId, line]));
  const attempt = async (ids: readonly ItemId[]): Promise<readonly ItemId[]> => {
    const change = { bulk, now: dependencies.now(), actor: actorOf(scope) };
    const present = await dependencies.lines.findByIds(scope.accountId, ids);
    for (const { id, externalId } of present) externalIdOf.set(id, externalId);
    const decided = present.map((item) => ({ item, ...decideRemoval(item, lineOf.get(item.id) ?? 0, change) }));
    const changes = decided.flatMap(({ item, next }) => (next === null ? [] : [{ previous: item, next }]));
    const stored = (await dependencies.lines.write(changes)).values();
    return decided.flatMap(({ item, next, line, outcome }) => {
      if (next !== null && stored.next().value === null) return [item.id];
      outcomes.set(line, outcome);
      return [];
    });
  };
  await retryAllOnConflict(dependencies, scope, {
    jobs: [...lineOf.keys()],
    // Only items that were read are left over. All writers of an item queue by its external id.
    keyOf: (id) => externalIdOf.get(id) ?? id,
    attempt,
    giveUp: (id, refusal) => {
      throw new Error(`the removal of item ${id} was overtaken too often`, { cause: refusal });
    },
  });
  return items.map(({ line }) => ({ line, outcome: outcomes.get(line) ?? 'kept' }));
}

interface Removal extends RemovalResult {
  /** null when nothing is to be written. */
  readonly next: Item | null;
}

function decideRemoval(
  item: Item,
  line: number,
  { bulk, now, actor }: { bulk: RemovalBatch['bulk']; now: Date; actor: Actor },
): Removal {
  const kept: Removal = { line, outcome: 'kept', next: null };
  const known = appliedChunkOf(item.appliedChunks, bulk.bulkId)?.outcomes.some((of) => of.outcome === 'removed');
  if (known === true) return { ...kept, outcome: 'removed' };
  const isWrittenSince = item.acceptedAt !== null && item.acceptedAt >= bulk.removedBefore;
  if (!item.current || isWrittenSince) return kept;
  const deleted = inBulk(deletedItem(item, { now, actor }));
  const outcomes = [{ line, outcome: 'removed' as const }];
  return { line, outcome: 'removed', next: signed(deleted, { bulk, now, outcomes }) };
}
