import { Refusal } from '../../core/errors.ts';
import { actorOf } from '../../core/items/journal.ts';
import { changeQuantity as withQuantity } from '../../core/items/change-item.ts';
import type { Scope } from '../../core/scope.ts';
import { givenUpWarnings } from './auction-warnings.ts';
import { requireCurrent } from './require-item.ts';
import { resultOf, writeItem, type WriteDependencies, type WriteResult, type WriteTarget } from './write-item.ts';

/**
 * PATCH quantity: how many are left now. It says so of the version that the caller has read, or a sale in between would be counted
 * back. Throws Refusal PRECONDITION_REQUIRED without `If-Match`, NOT_FOUND, CONFLICT, and as {@link writeItem}.
 */
export async function changeQuantity(
  dependencies: WriteDependencies,
  scope: Scope,
  change: WriteTarget & { readonly quantity: number },
): Promise<WriteResult> {
  const { items, now } = dependencies;
  const { externalId, quantity, precondition } = change;
  if (precondition?.ifMatch === undefined) throw new Refusal('PRECONDITION_REQUIRED', whyIfMatch);
  const actor = actorOf(scope);
  const written = await writeItem(dependencies, scope, {
    ...change,
    find: () => items.findVisible(scope.accountId, externalId),
    decide: (found) => {
      const item = requireCurrent(found, externalId);
      return { item: withQuantity(item, quantity, { now: now(), actor }), warnings: givenUpWarnings(item) };
    },
  });
  return resultOf(written);
}

const whyIfMatch =
  'Send the ETag of the item as you read it in If-Match, so that a sale in between is not counted back; * sets the quantity whatever was sold';
