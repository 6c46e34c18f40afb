import { emitChange } from '../../webhooks/rules/event-data.ts';
import { withdraw } from '../../listings/rules/publication.ts';
import { newestListing, notRelisted, type Item, type Listing } from './item.ts';
import type { Actor } from './journal.ts';
import { note } from './note.ts';
import { acceptWrite, idle } from './owed-work.ts';
import { isUnready, publicationAskedFor, statusOnSale } from './publish-item.ts';
import { serviceStatusAfter } from './transitions.ts';

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
