import type { RequestWarning } from '../../core/items/item-content.ts';
import { isWholeKronor, oreFromSek, wholeKronorFromOre } from '../../core/money.ts';

/** Warns of öre in a price, because the marketplace gets another amount than the caller sent (interface-decisions "Items"). */
export function orePriceWarnings(field: string, sek: number | undefined): RequestWarning[] {
  if (sek === undefined) return [];
  const ore = oreFromSek(sek);
  if (isWholeKronor(ore)) return [];
  const message = `is sent to the marketplace as ${wholeKronorFromOre(ore)} SEK: it takes whole kronor only, rounded half up`;
  return [{ field, message }];
}
