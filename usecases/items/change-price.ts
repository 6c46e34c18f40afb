import { Refusal } from '../../core/errors.ts';
import { changePrice as withPrice, heldPriceWarning, isHeldPrice } from '../../core/items/change-item.ts';
import { actorOf } from '../../core/items/journal.ts';
import type { Item } from '../../core/items/item.ts';
import { whyNoPrice } from '../../core/listings/listing-terms.ts';
import type { Scope } from '../../core/scope.ts';
import { givenUpWarnings } from './auction-warnings.ts';
import { requireCurrent } from './require-item.ts';
import { resultOf, writeItem, type WriteDependencies, type WriteResult, type WriteTarget } from './write-item.ts';

/** PATCH price: stored at once, a live auction follows. Throws Refusal NOT_FOUND, CONFLICT, VALIDATION_FAILED, and as {@link writeItem}. */
export async function changePrice(
  dependencies: WriteDependencies,
  scope: Scope,
  change: WriteTarget & { readonly priceOre: number },
): Promise<WriteResult> {
  const { items, now } = dependencies;
  const { externalId, priceOre } = change;
  const actor = actorOf(scope);
  const written = await writeItem(dependencies, scope, {
    ...change,
    find: () => items.findVisible(scope.accountId, externalId),
    decide: (found) => {
      const item = requireCurrent(found, externalId);
      requireBelowTerms(item, priceOre);
      const warnings = [...(isHeldPrice(item, priceOre) ? [heldPriceWarning] : []), ...givenUpWarnings(item)];
      return { item: withPrice(item, priceOre, { now: now(), actor }), warnings };
    },
  });
  return resultOf(written);
}

/** The marketplace takes no start price from the reserve price or the buy-now price on. */
function requireBelowTerms({ content: { listing } }: Item, priceOre: number): void {
  const message = listing === null ? null : whyNoPrice(listing, priceOre);
  if (message !== null)
    throw new Refusal('VALIDATION_FAILED', 'Validation failed', { details: [{ field: 'price', message }] });
}
