import type { Scope } from '../../core/scope.ts';
import { createItemLineStore } from '../../store/items/item-lines.ts';
import { findMemberByReference } from '../../store/resellers/member-connections.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { applyBatch, type Batch } from './apply-batch.ts';
import { applyLines, type LineDependencies, type LineResult } from './apply-lines.ts';

/** The batch with its surroundings filled in. */
export function bindBatch(
  store: StoreConnection,
  surroundings: Omit<LineDependencies, 'lines'>,
): (scope: Scope, batch: Batch) => Promise<readonly LineResult[]> {
  const dependencies = { ...surroundings, lines: createItemLineStore(store) };
  return (scope, batch) =>
    applyBatch(
      {
        applyLines: (of, lines) => applyLines(dependencies, of, lines),
        findMember: (reseller, reference) => findMemberByReference(store, reseller, reference),
      },
      scope,
      batch,
    );
}
