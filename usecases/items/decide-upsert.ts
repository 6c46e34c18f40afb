import { heldPriceWarning, isHeldPrice } from '../../core/items/held-price.ts';
import type { ItemRequest } from '../../core/items/item-content.ts';
import type { Item } from '../../core/items/item.ts';
import type { Actor } from '../../core/items/journal.ts';
import { updateItem } from '../../core/items/upsert-item.ts';
import { emptiedImagesWarnings, givenUpWarnings } from './auction-warnings.ts';
import type { WriteDecision } from './write-item.ts';

/** What a push makes of an item that is there, and what its caller should know: the same for one item and for many. */
export const decideUpdate = (
  found: Item,
  request: ItemRequest,
  change: { readonly now: Date; readonly actor: Actor },
): WriteDecision => ({
  item: updateItem(found, request, change),
  warnings: [
    ...request.warnings,
    ...(isHeldPrice(found, request.content.priceOre) ? [heldPriceWarning] : []),
    ...emptiedImagesWarnings(found, request.content),
    ...givenUpWarnings(found),
  ],
});
