import { slugOf } from '../../rules/domains.ts';
import { itemSoldId } from '../../webhooks/rules/event-types.ts';
import { emit, emitOrder } from '../../webhooks/rules/event-data.ts';
import type { OrderId } from '../../rules/ids.ts';
import { withdraw } from '../../listings/rules/publication.ts';
import type { DirectPlatform } from '../../orders/rules/order.ts';
import { acceptWrite } from './owed-work.ts';
import { describeStatus } from './describe-item.ts';
import { hasKnownBids, isUp, type Item } from './item.ts';
import type { Actor } from './journal.ts';
import { note } from './note.ts';
import { leftAfterSale, toldLeft } from './change-quantity.ts';
import { serviceStatusAfter } from './transitions.ts';

/** A sale that the partner made outside the marketplace. */
export interface DirectSale {
  readonly orderId: OrderId;
  readonly platform: DirectPlatform;
  readonly amountOre: number;
  /** The platform's fee in force, in hundredths of a per cent. */
  readonly feeBps: number;
  readonly isPaid: boolean;
}

/** Why an item can't be sold directly now, in words for the partner; null when it can (protocol 6). */
export function whyNotForSale({ serviceStatus, openOrderIds, listings, quantityLeft }: Item): string | null {
  const isOneThing = quantityLeft === null;
  if (isOneThing && openOrderIds.length > 0) return `An order of this item is in progress: ${openOrderIds.join(', ')}`;
  if (serviceStatus === 'sold')
    return 'The item is sold already; set its status to not_listed first if it is for sale again';
  if (quantityLeft === 0) return 'None of this item is left; set its quantity first if there are more';
  // With several pieces left, one of them is in the auction.
  const isLast = isOneThing || quantityLeft === 1;
  if (isLast && listings.some((listing) => isUp(listing) && hasKnownBids(listing)))
    return 'The auction of this item has bids and runs to its end';
  return null;
}

const timesPrice = 10;
const plainOre = 1_000_000;

/**
 * Whether an amount is so far above the item's price that it may be a slip, such as öre for kronor: ten times the price, from
 * 10,000 SEK on. An auction that starts at 1 SEK says nothing of a smaller one.
 */
export const isFarAbovePrice = ({ content }: Pick<Item, 'content'>, amountOre: number): boolean =>
  amountOre >= Math.max(plainOre, timesPrice * content.priceOre);

/**
 * Sells the item in one write with its order and event. A live or requested auction is taken down, as after PATCH
 * `sold`, unless more pieces are left than the one in it. If that auction has unknown bids, its winner makes a second
 * order (docs/protocol.md 6). Returns the item unchanged when this sale is already recorded. Call {@link whyNotForSale}
 * first.
 */
export function sellDirectly(item: Item, sale: DirectSale, { now, actor }: { now: Date; actor: Actor }): Item {
  if (item.openOrderIds.includes(sale.orderId)) return item;
  const { orderId, platform, amountOre, feeBps, isPaid } = sale;
  const domain = slugOf(item.content.domain);
  const order = { orderId, platform, amountOre, feeBps, isPaid, domain, adId: null, soldAt: now };
  const quantityLeft = leftAfterSale(item);
  const rest = (quantityLeft ?? 0) > 0 ? item : soldOut(item, now);
  const sold: Item = {
    ...rest,
    quantityLeft,
    openOrderIds: [...item.openOrderIds, orderId],
    pendingOrders: [...item.pendingOrders, order],
  };
  const details = { orderId, adId: null, price: amountOre / 100, otherOrderIds: [] };
  const told = emit(note(sold, { at: now, kind: 'sold', details, actor }), {
    eventId: itemSoldId(item.id, orderId),
    type: 'item.sold',
    occurredAt: now,
    platform,
    salePrice: amountOre / 100,
    extra: { marketplaceAdId: shownAdId(sold), orderId, ...toldLeft(sold) },
  });
  return acceptWrite(isPaid ? emitOrder(told, { orderId, what: 'paid', platform, adId: null }, now) : told, now);
}

const soldOut = (item: Item, now: Date): Item => ({
  ...withdraw(item, now),
  serviceStatus: serviceStatusAfter('directSale', item.serviceStatus),
});

/** Ad id of the auction that the status shows; null while the status shows a placeholder. */
function shownAdId(item: Item): string | null {
  const { marketplaceAdId, marketplaceAdUrl } = describeStatus(item);
  return marketplaceAdUrl === null ? null : marketplaceAdId;
}
