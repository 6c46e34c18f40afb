import { Refusal } from '../../core/errors.ts';
import { actorOf } from '../../core/items/journal.ts';
import { isPublishable, publishItem as withPublication } from '../../core/items/publish-item.ts';
import type { Scope } from '../../core/scope.ts';
import { requireCurrent } from './require-item.ts';
import { resultOf, writeItem, type WriteDependencies, type WriteResult, type WriteTarget } from './write-item.ts';

/**
 * Asks for the item's auction: the first one, the next one, or another try. Unchanged when it is up or on its way.
 * Throws Refusal NOT_FOUND, CONFLICT for what is sold or archived, and as {@link writeItem}.
 */
export async function publishItem(
  dependencies: WriteDependencies,
  scope: Scope,
  target: WriteTarget,
): Promise<WriteResult> {
  const { items, now } = dependencies;
  const actor = actorOf(scope);
  const written = await writeItem(dependencies, scope, {
    ...target,
    find: () => items.findVisible(scope.accountId, target.externalId),
    decide: (found) => {
      const item = requireCurrent(found, target.externalId);
      if (!isPublishable(item))
        throw new Refusal('CONFLICT', `An item that is ${item.serviceStatus} can't be published`);
      return { item: withPublication(item, { now: now(), actor }), warnings: [] };
    },
  });
  return resultOf(written);
}
