import { heldPriceWarning, isHeldPrice } from '../../core/items/held-price.ts';
import type { ItemRequest } from '../../core/items/item-content.ts';
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
    ...termWarnings(found, request.content.listing),
    ...emptiedImagesWarnings(found, request.content),
    ...givenUpWarnings(found),
  ],
});
