import { Refusal } from '../rules/errors.ts';
import { itemWithQuantity } from './rules/change-quantity.ts';
import type { Scope } from '../rules/scope.ts';
import { givenUpWarnings } from './warnings.ts';
import {
  changeExisting,
  requireCurrent,
  resultOf,
  type WriteDependencies,
  type WriteResult,
  type WriteTarget,
} from './write-item.ts';

/**
 * PATCH quantity: how many are left now. It needs the version that the caller has read, because it would undo a sale in
 * between. Throws Refusal PRECONDITION_REQUIRED without `If-Match`, NOT_FOUND, CONFLICT, and as {@link writeItem}.
 */
export async function changeItemQuantity(
  dependencies: WriteDependencies,
  scope: Scope,
  change: WriteTarget & { readonly quantity: number },
): Promise<WriteResult> {
  const { externalId, quantity, precondition } = change;
  if (precondition?.ifMatch === undefined) throw new Refusal('PRECONDITION_REQUIRED', whyIfMatch);
  const written = await changeExisting(dependencies, scope, {
    ...change,
    decide: (found, by) => {
      const item = requireCurrent(found, externalId);
      return { item: itemWithQuantity(item, quantity, by), warnings: givenUpWarnings(item) };
    },
  });
  return resultOf(written);
}

const whyIfMatch =
  'Send the ETag of the item as you read it in If-Match, so that a sale in between is not counted back; * sets the quantity whatever was sold';
