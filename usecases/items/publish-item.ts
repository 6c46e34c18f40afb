import { Refusal } from '../../core/errors.ts';
import type { Item } from '../../core/items/item.ts';
import { actorOf } from '../../core/items/journal.ts';
import { isPublishable, publishItem as withPublication } from '../../core/items/publish-item.ts';
import type { Scope } from '../../core/scope.ts';
import { requireCurrent } from './require-item.ts';
import { resultOf, writeItem, type WriteDependencies, type WriteResult, type WriteTarget } from './write-item.ts';

/**
 * Asks for the item's auction: the first one, the next one, or another try. Unchanged when the auction is up or on its way.
 * Throws Refusal NOT_FOUND, CONFLICT for an item that is sold, archived or in an open order, and as {@link writeItem}.
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
      if (!isPublishable(item)) throw new Refusal('CONFLICT', whyNot(item));
      return { item: withPublication(item, { now: now(), actor }), warnings: [] };
    },
  });
  return resultOf(written);
}

const whyNot = ({ serviceStatus, openOrderIds, quantityLeft }: Item): string => {
  if (quantityLeft === 0)
    return 'None of this item is left; PATCH …/quantity puts it on sale again when there are more';
  return openOrderIds.length > 0 && serviceStatus !== 'sold' && serviceStatus !== 'archived'
    ? 'An order of this item is in progress; it can be published again when the order is cancelled or completed'
    : `An item that is ${serviceStatus} can't be published`;
};
