import { emitChange } from '../../webhooks/rules/event-data.ts';
import { newestListing, startPriceOre, type Item } from './item.ts';
import type { Actor } from './journal.ts';
import { note } from './note.ts';
import { acceptWrite } from './owed-work.ts';

/**
 * PATCH price: stored at once, whatever the status; a live auction follows (specification "Item status"). Returns the item
 * unchanged when it has that price, or when the marketplace refused the price because of bids that are still there.
 */
export function itemWithPrice(item: Item, priceOre: number, { now, actor }: { now: Date; actor: Actor }): Item {
  const from = startPriceOre(item);
  if (priceOre === from || isHeldPrice(item, priceOre)) return item;
  const relisted = { ...item.relisted, loweredOre: 0 };
  const changed: Item = { ...item, content: { ...item.content, priceOre }, relisted, refusedPriceOre: null };
  const details = { from: from / 100, to: priceOre / 100 };
  const noted = note(acceptWrite(changed, now), { at: now, kind: 'price_changed', details, actor });
  return emitChange(noted, { what: 'price', actor, priceOreBefore: from }, now);
}

/**
 * Whether the marketplace refused this price because of bids that the auction still has. Such a price counts as unchanged, or
 * every repeated push would be refused again (protocol 7).
 */
export function isHeldPrice(item: Item, priceOre: number): boolean {
  const newest = newestListing(item);
  const isUp = newest?.state === 'live' || newest?.state === 'leaving';
  return priceOre === item.refusedPriceOre && isUp && newest.hasBids;
}
