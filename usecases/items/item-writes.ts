import type { Scope } from '../../core/scope.ts';
import { changePrice } from './change-price.ts';
import { changeStatus, type StatusChange } from './change-status.ts';
import { deleteItem, type DeleteOutcome } from './delete-item.ts';
import { publishItem } from './publish-item.ts';
import { retryItem } from './retry-item.ts';
import { createKeyedMutex } from '../../platform/concurrency/keyed-mutex.ts';
import { upsertItem, type ItemPush, type UpsertDependencies } from './upsert-item.ts';
import type { WriteResult, WriteTarget } from './write-item.ts';

/** What callers can do to their items, with the surroundings filled in. */
export interface ItemWrites {
  upsert(scope: Scope, push: ItemPush): Promise<WriteResult>;
  changePrice(scope: Scope, change: WriteTarget & { readonly priceOre: number }): Promise<WriteResult>;
  changeStatus(scope: Scope, change: StatusChange): Promise<WriteResult>;
  remove(scope: Scope, target: WriteTarget): Promise<WriteResult<DeleteOutcome>>;
  publish(scope: Scope, target: WriteTarget): Promise<WriteResult>;
  /** Throws Refusal CONFLICT when nothing failed and nothing waits. */
  retry(scope: Scope, target: WriteTarget): Promise<WriteResult>;
}

/** Whoever writes the same items in another way in this process shares its `runExclusive`. */
export function createItemWrites(
  surroundings: Omit<UpsertDependencies, 'runExclusive'> & Partial<Pick<UpsertDependencies, 'runExclusive'>>,
): ItemWrites {
  const dependencies = { runExclusive: createKeyedMutex(), ...surroundings };
  return {
    upsert: (scope, push) => upsertItem(dependencies, scope, push),
    changePrice: (scope, change) => changePrice(dependencies, scope, change),
    changeStatus: (scope, change) => changeStatus(dependencies, scope, change),
    remove: (scope, target) => deleteItem(dependencies, scope, target),
    publish: (scope, target) => publishItem(dependencies, scope, target),
    retry: (scope, target) => retryItem(dependencies, scope, target),
  };
}
