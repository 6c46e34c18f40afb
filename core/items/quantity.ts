import { emitChange } from '../events/item-changed.ts';
import { withdraw } from '../listings/publication.ts';
import { acceptWrite, idle } from './accept-write.ts';
import { newestListing, notRelisted, type Item, type Listing } from './item.ts';
import type { Actor } from './journal.ts';
import { note } from './note.ts';
import { isUnready, publicationAskedFor, statusOnSale } from './publish-item.ts';
import { serviceStatusAfter } from './transitions.ts';

/** More than one auction after the other sells in a hundred years. */
export const quantityMax = 10_000;

/**
 * PATCH quantity: how many are left now, the one in the running auction among them. Returns the item unchanged when it has that
 * number. Every sale raises the revision, so a caller's `If-Match` finds one that it has not heard of.
 */
export function changeQuantity(item: Item, quantity: number, { now, actor }: { now: Date; actor: Actor }): Item {
  if (item.quantityLeft === quantity && item.content.quantity === quantity) return item;
  const changed = withQuantity({ ...item, content: { ...item.content, quantity } }, quantity, now);
  const details = { from: item.quantityLeft, to: quantity };
  const noted = note(acceptWrite(changed, now), { at: now, kind: 'quantity_changed', details, actor });
  if (item.quantityLeft === quantity) return noted;
  const isOffSale = quantity === 0 && changed.serviceStatus !== item.serviceStatus;
  return emitChange(noted, { what: isOffSale ? 'taken_down' : 'quantity', actor }, now);
}

/** None left takes the auction down, and more of what was sold out goes on sale again. */
export function withQuantity(item: Item, quantity: number, now: Date): Item {
  const counted = { ...item, quantityLeft: quantity };
  if (quantity > 0) return counted.serviceStatus === 'sold' ? restock(counted, now) : counted;
  if (counted.serviceStatus !== 'active') return counted;
  const off = withdraw(counted, now);
  // A wish for a first auction that has not begun is kept for the restocking.
  const wantedPublication = Math.max(off.wantedPublication, Math.min(item.wantedPublication, 1));
  return { ...off, wantedPublication, serviceStatus: serviceStatusAfter('sellOut', counted.serviceStatus) };
}

/** It is put up again only if its owner ever asked for an auction of it. */
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

/** What is left after a sale; null for an item that is one thing. */
export const leftAfterSale = ({ quantityLeft }: Item): number | null =>
  quantityLeft === null ? null : Math.max(0, quantityLeft - 1);

/**
 * What is left after a winning bid. An auction sells one: another buyer in place of the first takes no second one.
 */
export const leftAfterBid = (item: Item, { orderIds }: Listing): number | null =>
  orderIds.length === 0 ? leftAfterSale(item) : item.quantityLeft;

/** What item.sold says of it: nothing of an item that is one thing. */
export const toldLeft = ({ quantityLeft }: Item): { readonly quantityLeft?: number } =>
  quantityLeft === null ? {} : { quantityLeft };
