import { Refusal } from '../kit/fields.ts';
import type { ListingBook } from './listing-book.ts';
import type { Transaction } from './model.ts';

/**
 * An offset, so that order numbers and transaction numbers can't be confused. Each sale is an order of its own: the
 * simulated buyers never buy two items together.
 */
const orderIdOffset = 5_000_000;
const ordersMax = 500;

/** Orders changed at `since` or later, oldest change first. */
export function readOrders(book: ListingBook, userId: string, since: number): unknown[] {
  return book
    .transactionsOf(userId)
    .filter((transaction) => transaction.updatedAt >= since)
    .slice(0, ordersMax)
    .map((transaction) => describeOrder(book, transaction));
}

/** Marks an order of the seller as sent. Throws a 404 for another seller's order. */
export function shipOrder(book: ListingBook, { userId, now }: { userId: string; now: number }, orderId: number): void {
  const transaction = book.transaction(orderId - orderIdOffset);
  if (transaction?.userId !== userId) throw new Refusal(404, 'NotFound', `there is no order ${orderId}`);
  if (transaction.shipped !== true) book.putTransaction({ ...transaction, shipped: true, updatedAt: now });
}

function describeOrder(book: ListingBook, transaction: Transaction): unknown {
  const { transactionId, itemId, amount, buyerAlias, soldAt, updatedAt, paid } = transaction;
  const listing = book.listing(itemId);
  const address = { addressLine1: 'Storgatan 1', addressLine2: null, zipCode: '903 26', city: 'Umeå' };
  const lastName = `${buyerAlias}sson`;
  return {
    orderId: transactionId + orderIdOffset,
    createdDate: new Date(soldAt).toISOString(),
    lastUpdatedDate: new Date(updatedAt).toISOString(),
    subTotal: amount,
    buyer: {
      ...{ userId: userIdOf(buyerAlias), alias: buyerAlias, firstName: 'Kim', lastName },
      // 070-1740605 is one of the numbers reserved for examples.
      ...{ email: `${buyerAlias}@buyers.example`, phone: '070-174 06 05', countryName: 'Sverige', ...address },
    },
    shipTo: { name: `Kim ${lastName}`, countryName: 'Sverige', ...address },
    items: [{ itemId, type: 1, title: listing?.title ?? null, quantity: 1, unitPrice: amount, vatRate: 0 }],
    sellerOrderPayments: paid ? [{ paymentType: 'Card', amount, paidDate: new Date(updatedAt).toISOString() }] : [],
    shippingType: 'PostNord',
    shippingCost: listing?.shippingOptions[0]?.cost ?? 0,
    shippingWeight: listing?.weightKg ?? null,
  };
}

/** Always the same number for the same name. */
const userIdOf = (alias: string): number =>
  100_000 + [...alias].reduce((hash, character) => (hash * 31 + character.charCodeAt(0)) % 899_999, 7);
