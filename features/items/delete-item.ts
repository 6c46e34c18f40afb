import { deletedItem } from './rules/delete-item.ts';
import type { Scope } from '../rules/scope.ts';
import { changeExisting, resultOf, type WriteDependencies, type WriteResult, type WriteTarget } from './write-item.ts';

/** `archived`: kept for now because of an open order. `unchanged`: it was archived already. */
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
  const written = await changeExisting(dependencies, scope, {
    ...target,
    decide: (item, by) => ({ item: deletedItem(item, by), warnings: [] }),
  });
  const changed = written.item.removedAt === null ? 'archived' : 'deleted';
  return { ...resultOf(written), outcome: written.outcome === 'unchanged' ? 'unchanged' : changed };
}
