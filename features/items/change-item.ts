import { Refusal } from '../rules/errors.ts';
import { problem } from '../rules/field-problems.ts';
import { itemWithPrice, itemWithQuantity, itemWithStatus, deletedItem, isHeldPrice } from './rules/change-item.ts';
import type { Item } from './rules/item.ts';
import { priceProblems } from '../listings/rules/listing-terms.ts';
import { keptReserveWarnings } from '../listings/rules/price.ts';
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

/** PATCH price: stored at once, a live auction follows. Throws Refusal NOT_FOUND, CONFLICT, VALIDATION_FAILED, and as {@link writeItem}. */
export async function changeItemPrice(
  dependencies: WriteDependencies,
  scope: Scope,
  change: WriteTarget & { readonly priceOre: number },
): Promise<WriteResult> {
  const { externalId, priceOre } = change;
  const written = await changeExisting(dependencies, scope, {
    ...change,
    decide: (found, by) => {
      const item = requireCurrent(found, externalId);
      requireBelowTerms(item, priceOre);
      const warnings = [
        ...(isHeldPrice(item, priceOre) ? [problem('price', 'price_held')] : []),
        ...keptReserveWarnings(item, priceOre),
        ...givenUpWarnings(item),
      ];
      return { item: itemWithPrice(item, priceOre, by), warnings };
    },
  });
  return resultOf(written);
}

/** The marketplace accepts only a start price below the reserve price and the buy-now price. */
function requireBelowTerms({ content: { listing } }: Item, priceOre: number): void {
  const details = listing === null ? [] : priceProblems(listing, priceOre);
  if (details.length > 0) throw new Refusal('VALIDATION_FAILED', 'Validation failed', { details });
}

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
