import { Refusal } from '../rules/errors.ts';
import { problem } from '../rules/field-problems.ts';
import { itemWithPrice, isHeldPrice } from './rules/change-price.ts';
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
