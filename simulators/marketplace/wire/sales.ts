import type { Transaction } from '../records/model.ts';
import type { World } from '../records/world.ts';
import { personNamed, userOnWire, type Person } from './people.ts';
import { sellerAsPerson } from './seller.ts';
import { wireTime } from './wire-time.ts';

/** `bare`: without buyer and item, as the answer to a change of its status. */
export function transactionOnWire(world: World, transaction: Transaction, form: 'whole' | 'bare'): unknown {
  const { transactionId, itemId, amount, buyerAlias, soldAt, updatedAt } = transaction;
  const listing = world.listings.listing(itemId);
  const item = { id: itemId, type: 1, title: listing?.title ?? null, ownReferences: listing?.ownReferences ?? null };
  return {
    id: transactionId,
    date: wireTime(soldAt, world.switches),
    amount,
    lastUpdatedDate: wireTime(updatedAt, world.switches),
    isMarkedAsPaidConfirmed: transaction.isPaidConfirmed,
    isMarkedAsShipped: transaction.isShipped,
    isShippingBooked: transaction.isShippingBooked,
    isFeedbackLeftByBuyer: false,
    isFeedbackLeftBySeller: false,
    buyer: form === 'bare' ? null : userOnWire(personNamed(buyerAlias), 'whole'),
    item: form === 'bare' ? null : item,
  };
}

/** An auction's order: no address of delivery, no shipping; payments only when the buyer paid by the marketplace. */
export function orderOnWire(world: World, sales: readonly [Transaction, ...Transaction[]]): unknown {
  const [{ orderId, userId, buyerAlias }] = sales;
  const payments = sales.flatMap((sale) => (sale.paidAt === null ? [] : [paymentOnWire(world, sale, sale.paidAt)]));
  return {
    orderId,
    createdDate: wireTime(createdAt(sales), world.switches),
    expiresDate: null,
    lastUpdatedDate: wireTime(changedAt(sales), world.switches),
    subTotal: sales.reduce((sum, { amount }) => sum + amount, 0),
    buyer: partyOnWire(personNamed(buyerAlias)),
    seller: partyOnWire(sellerAsPerson(world, userId)),
    shipTo: null,
    items: sales.map((sale) => lineOnWire(world, sale)),
    sellerOrderPayments: payments.length === 0 ? null : payments,
    shippingType: null,
    shippingCost: 0,
    shippingWeight: null,
    purchaseOrderId: `00000000-0000-4000-8000-${String(orderId).padStart(12, '0')}`,
  };
}

export const createdAt = (sales: readonly Transaction[]): number => Math.min(...sales.map(({ soldAt }) => soldAt));
export const changedAt = (sales: readonly Transaction[]): number => Math.max(...sales.map((sale) => sale.updatedAt));

/** The seller's orders, each with its sales, the oldest first. */
export function ordersOf({ listings }: World, userId: string): (readonly [Transaction, ...Transaction[]])[] {
  const orders = new Map<number, [Transaction, ...Transaction[]]>();
  for (const sale of listings.transactionsOf(userId)) {
    const order = orders.get(sale.orderId);
    if (order === undefined) orders.set(sale.orderId, [sale]);
    else order.push(sale);
  }
  return [...orders.values()];
}

function lineOnWire({ listings }: World, { itemId, amount }: Transaction): unknown {
  const listing = listings.listing(itemId);
  return {
    itemId,
    type: 1,
    title: listing?.title ?? null,
    quantity: 1,
    unitPrice: amount,
    vatRate: listing?.vat ?? 0,
    ownReferences: listing?.ownReferences ?? null,
    merchantPartNumber: null,
  };
}

function paymentOnWire({ switches }: World, { transactionId, amount }: Transaction, paidAt: number): unknown {
  const parts = { paymentType: 'Card', reference: `P${transactionId}`, amount, paymentCost: 0 };
  return { ...parts, paidDate: wireTime(paidAt, switches), additionalInfo: null };
}

function partyOnWire({ number, address, ...person }: Person): unknown {
  return { userId: number, ...person, addressLine1: address, addressLine2: null };
}

/** `payment`: the order has one. `mark`: the seller confirmed it. The real marketplace does one, or both. */
export const paidBy = ['both', 'payment', 'mark'] as const;

export function markPaid(
  { listings }: World,
  transaction: Transaction,
  { by, now }: { readonly by: (typeof paidBy)[number]; readonly now: number },
): Transaction {
  const paidAt = by === 'mark' ? transaction.paidAt : now;
  const isPaidConfirmed = by === 'payment' ? transaction.isPaidConfirmed : true;
  const paid = { ...transaction, paidAt, isPaidConfirmed, updatedAt: now };
  listings.putTransaction(paid);
  return paid;
}

/** The sales become one order, as when a buyer has several items sent together. */
export function combine({ listings }: World, sales: readonly Transaction[], now: number): void {
  const [first] = sales;
  if (first === undefined) return;
  for (const sale of sales) listings.putTransaction({ ...sale, orderId: first.orderId, updatedAt: now });
}
