import { changeStatus as withStatus } from '../../core/items/change-item.ts';
import { actorOf } from '../../core/items/journal.ts';
import type { Scope } from '../../core/scope.ts';
import { requireCurrent } from './require-item.ts';
import { resultOf, writeItem, type WriteDependencies, type WriteResult, type WriteTarget } from './write-item.ts';

export interface StatusChange extends WriteTarget {
  readonly status: 'not_listed' | 'sold';
}

/**
 * PATCH status: the item leaves the service at once, then its auction is taken down. Throws Refusal NOT_FOUND, CONFLICT, and as
 * {@link writeItem}.
 */
export async function changeStatus(
  dependencies: WriteDependencies,
  scope: Scope,
  change: StatusChange,
): Promise<WriteResult> {
  const { items, now } = dependencies;
  const actor = actorOf(scope);
  const written = await writeItem(dependencies, scope, {
    ...change,
    find: () => items.findVisible(scope.accountId, change.externalId),
    decide: (found) => {
      const item = requireCurrent(found, change.externalId);
      return { item: withStatus(item, change.status, { now: now(), actor }), warnings: [] };
    },
  });
  return resultOf(written);
}
