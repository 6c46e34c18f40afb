import { deleteItem as withDeletion } from '../../core/items/change-item.ts';
import { actorOf } from '../../core/items/journal.ts';
import type { Scope } from '../../core/scope.ts';
import { requireItem } from './require-item.ts';
import { resultOf, writeItem, type WriteDependencies, type WriteResult, type WriteTarget } from './write-item.ts';

/** `archived`: kept for now because of an order in progress. `unchanged`: it was so already. */
export type DeleteOutcome = 'deleted' | 'archived' | 'unchanged';

/**
 * DELETE: the external id is free when this returns, then the auction is taken down (protocol 5). An archived item can be deleted
 * once its orders are closed; until then the call changes nothing. Throws Refusal NOT_FOUND, and as {@link writeItem}.
 */
export async function deleteItem(
  dependencies: WriteDependencies,
  scope: Scope,
  target: WriteTarget,
): Promise<WriteResult<DeleteOutcome>> {
  const { items, now } = dependencies;
  const actor = actorOf(scope);
  const written = await writeItem(dependencies, scope, {
    ...target,
    find: () => items.findVisible(scope.accountId, target.externalId),
    decide: (found) => {
      const item = requireItem(found, target.externalId);
      return { item: withDeletion(item, { now: now(), actor }), warnings: [] };
    },
  });
  const changed = written.item.removedAt === null ? 'archived' : 'deleted';
  return { ...resultOf(written), outcome: written.outcome === 'unchanged' ? 'unchanged' : changed };
}
