import { createKeyedMutex } from '../../platform/concurrency/keyed-mutex.ts';
import type { Scope } from '../../features/rules/scope.ts';
import { changeItemStatus, type StatusChange } from '../../features/items/change-status.ts';
import { deleteItem } from '../../features/items/delete-item.ts';
import { changeItemPrice } from '../../features/items/change-price.ts';
import { publishItem, retryItem } from '../../features/items/publish-item.ts';
import { upsertItem, type ItemPush, type UpsertDependencies } from '../../features/items/upsert-item.ts';
import type { WriteTarget } from '../../features/items/write-item.ts';

export type ItemWrites = ReturnType<typeof createItemWrites>;

/** What callers do to their items, in a process with these dependencies. */
export function createItemWrites(
  given: Omit<UpsertDependencies, 'runExclusive'> & Partial<Pick<UpsertDependencies, 'runExclusive'>>,
) {
  const dependencies = { runExclusive: createKeyedMutex(), ...given };
  return {
    upsert: (scope: Scope, push: ItemPush) => upsertItem(dependencies, scope, push),
    changePrice: (scope: Scope, change: WriteTarget & { readonly priceOre: number }) =>
      changeItemPrice(dependencies, scope, change),
    changeStatus: (scope: Scope, change: StatusChange) => changeItemStatus(dependencies, scope, change),
    remove: (scope: Scope, target: WriteTarget) => deleteItem(dependencies, scope, target),
    publish: (scope: Scope, target: WriteTarget) => publishItem(dependencies, scope, target),
    retry: (scope: Scope, target: WriteTarget) => retryItem(dependencies, scope, target),
  };
}
