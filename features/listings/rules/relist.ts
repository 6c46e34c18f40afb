import { isUnwanted, wantsPublication, type Item, type Listing } from '../../items/rules/item.ts';
import { theService } from '../../items/rules/journal.ts';
import { note } from '../../items/rules/note.ts';
import { termsOf } from './listing-terms.ts';

/** The lowest start price of an item. Source: specification "Limits". */
const priceMinOre = 100;

/**
 * Wants the next publication of an item whose shown auction ended without a winner, as often as its terms say. By the service and
 * not by the marketplace's `restarts`, which would put up an ad that no own reference of ours names (protocol 2).
 */
export function relistWhenAsked(item: Item, ended: Listing, now: Date): Item {
  const { relist } = termsOf(item, ended.defaults);
  const { times, loweredOre } = item.relisted;
  if (relist === undefined || times >= relist.times || isUnwanted(item) || wantsPublication(item)) return item;
  const lowered = Math.min(loweredOre + (relist.priceStep ?? 0) * 100, item.content.priceOre - priceMinOre);
  const asked = {
    ...item,
    wantedPublication: ended.publication + 1,
    relisted: { times: times + 1, loweredOre: Math.max(loweredOre, lowered) },
  };
  const price = (item.content.priceOre - asked.relisted.loweredOre) / 100;
  const details = { number: times + 1, times: relist.times, price };
  return note(asked, { at: now, kind: 'relisted', details, actor: theService });
}
