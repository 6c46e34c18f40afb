import { itemWithStatus } from './rules/change-status.ts';
import type { Scope } from '../rules/scope.ts';
import {
  changeExisting,
  requireCurrent,
  resultOf,
  type WriteDependencies,
  type WriteResult,
  type WriteTarget,
} from './write-item.ts';

export interface StatusChange extends WriteTarget {
  readonly status: 'not_listed' | 'sold';
}

/**
 * PATCH status: the item leaves the service at once, then its auction is taken down. Throws Refusal NOT_FOUND, CONFLICT, and as
 * {@link writeItem}.
 */
export async function changeItemStatus(
  dependencies: WriteDependencies,
  scope: Scope,
  change: StatusChange,
): Promise<WriteResult> {
  const written = await changeExisting(dependencies, scope, {
    ...change,
    decide: (found, by) => {
      const item = requireCurrent(found, change.externalId);
      return { item: itemWithStatus(item, change.status, by), warnings: [] };
    },
  });
  return resultOf(written);
}
