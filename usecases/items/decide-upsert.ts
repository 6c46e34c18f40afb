import { heldPriceWarning, isHeldPrice } from '../../core/items/change-item.ts';
import type { ItemRequest, RequestWarning } from '../../core/items/item-content.ts';
import type { Item } from '../../core/items/item.ts';
import { termWarnings } from '../../core/listings/term-warnings.ts';
import type { Actor } from '../../core/items/journal.ts';
import { updateItem } from '../../core/items/upsert-item.ts';
import { emptiedImagesWarnings, givenUpWarnings } from './auction-warnings.ts';
import type { WriteDecision } from './write-item.ts';

/** The result of a push on an existing item, and its warnings; shared by single pushes and batches. */
export const decideUpdate = (
  found: Item,
  request: ItemRequest,
  change: { readonly now: Date; readonly actor: Actor },
): WriteDecision => ({
  item: updateItem(found, request, change),
  warnings: [
    ...request.warnings,
    ...(isHeldPrice(found, request.content.priceOre) ? [heldPriceWarning] : []),
    ...soldSinceWarnings(found, request.content.quantity),
    ...termWarnings(found, request.content.listing),
    ...emptiedImagesWarnings(found, request.content),
    ...givenUpWarnings(found),
  ],
});

/** The caller may not have heard of the sales when it counted. */
function soldSinceWarnings({ content, quantityLeft }: Item, pushed: number | null): RequestWarning[] {
  if (pushed === null || pushed === content.quantity || quantityLeft === null || content.quantity === null) return [];
  const sold = content.quantity - quantityLeft;
  const message = `${sold} sold since ${content.quantity} was told, which left ${quantityLeft}; from now on ${pushed} counts`;
  return sold > 0 ? [{ field: 'quantity', message }] : [];
}
