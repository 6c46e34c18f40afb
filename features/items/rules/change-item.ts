import { emitChange } from '../../webhooks/rules/outbox.ts';
import { withdraw } from '../../listings/rules/publication.ts';
import { newestListing, notRelisted, startPriceOre, type Item, type Listing } from './item.ts';
import type { Actor } from './journal.ts';
import { note } from './note.ts';
import { acceptWrite, idle } from './owed-work.ts';
import { isUnready, publicationAskedFor, statusOnSale } from './publish-item.ts';
import { serviceStatusAfter } from './transitions.ts';

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

/**
 * PATCH quantity: how many are left, including the one in the running auction. Returns the item unchanged when it has
 * that number. Every sale raises the revision, so `If-Match` detects a sale that the caller has not seen.
 */
export function itemWithQuantity(item: Item, quantity: number, { now, actor }: { now: Date; actor: Actor }): Item {
  if (item.quantityLeft === quantity && item.content.quantity === quantity) return item;
  const changed = setQuantityLeft({ ...item, content: { ...item.content, quantity } }, quantity, now);
  const details = { from: item.quantityLeft, to: quantity };
  const noted = note(acceptWrite(changed, now), { at: now, kind: 'quantity_changed', details, actor });
  if (item.quantityLeft === quantity) return noted;
  const isOffSale = quantity === 0 && changed.serviceStatus !== item.serviceStatus;
  return emitChange(noted, { what: isOffSale ? 'taken_down' : 'quantity', actor }, now);
}

/** Zero takes the auction down; a number above zero puts a sold-out item on sale again. */
export function setQuantityLeft(item: Item, quantity: number, now: Date): Item {
  const counted = { ...item, quantityLeft: quantity };
  if (quantity > 0) return counted.serviceStatus === 'sold' ? restock(counted, now) : counted;
  if (counted.serviceStatus !== 'active') return counted;
  const off = withdraw(counted, now);
  // A requested first auction that has not begun is kept for the time when the item is on sale again.
  const wantedPublication = Math.max(off.wantedPublication, Math.min(item.wantedPublication, 1));
  return { ...off, wantedPublication, serviceStatus: serviceStatusAfter('sellOut', counted.serviceStatus) };
}

/** The item gets another auction only if its owner ever asked for one. */
function restock(item: Item, now: Date): Item {
  const newest = newestListing(item);
  return {
    ...item,
    serviceStatus: serviceStatusAfter(isUnready(item) ? 'restockUnready' : 'restock', item.serviceStatus),
    marketplaceStatus: statusOnSale(item, newest),
    wantedPublication: item.wantedPublication === 0 ? 0 : publicationAskedFor(item, newest),
    relisted: notRelisted,
    processing: idle(now),
  };
}

/** What is left after a sale; null for an item that is a single piece. */
export const leftAfterSale = ({ quantityLeft }: Item): number | null =>
  quantityLeft === null ? null : Math.max(0, quantityLeft - 1);

/**
 * What is left after a winning bid. An auction sells one piece; a second buyer in place of the first takes no further
 * one.
 */
export const leftAfterBid = (item: Item, { orderIds }: Listing): number | null =>
  orderIds.length === 0 ? leftAfterSale(item) : item.quantityLeft;

/** The number in item.sold; nothing for an item that is a single piece. */
export const toldLeft = ({ quantityLeft }: Item): { readonly quantityLeft?: number } =>
  quantityLeft === null ? {} : { quantityLeft };

/**
 * PATCH status: the item is off the service at once, and its auction comes down next. Returns the item unchanged when it has that
 * status.
 */
export function itemWithStatus(
  item: Item,
  status: 'not_listed' | 'sold',
  { now, actor }: { now: Date; actor: Actor },
): Item {
  if (item.serviceStatus === status) return item;
  const trigger = status === 'sold' ? 'patchSold' : 'patchNotListed';
  // `sold` means all pieces when there are several.
  const quantityLeft = status === 'sold' && item.quantityLeft !== null ? 0 : item.quantityLeft;
  const changed = {
    ...withdraw(item, now),
    serviceStatus: serviceStatusAfter(trigger, item.serviceStatus),
    quantityLeft,
  };
  const noted = note(acceptWrite(changed, now), { at: now, kind: 'status_changed', details: { status }, actor });
  return emitChange(noted, { what: 'taken_down', actor }, now);
}

/**
 * DELETE: this write frees the external id. Without an order in progress the item becomes a tombstone, and its auction comes
 * down. With one it stays readable as `archived`; a DELETE after the order has closed removes it (protocol 5).
 */
export function deletedItem(item: Item, { now, actor }: { now: Date; actor: Actor }): Item {
  const isLinked = item.openOrderIds.length > 0;
  if (!item.current && (isLinked || item.removedAt !== null)) return item;
  const withdrawn = { ...withdraw(item, now), current: false };
  const deleted: Item = isLinked
    ? { ...withdrawn, serviceStatus: serviceStatusAfter('deleteLinked', item.serviceStatus) }
    : { ...withdrawn, removedAt: now };
  const noted = note(acceptWrite(deleted, now), { at: now, kind: 'deleted', details: { isArchived: isLinked }, actor });
  return emitChange(noted, { what: 'deleted', actor }, now);
}
