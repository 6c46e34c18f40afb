import { pathNumber } from './check-request.ts';
import { isIn } from './read-handlers.ts';
import { badRequest, notFound } from './refusals.ts';
import { changedAt, createdAt, orderOnWire, ordersOf, transactionOnWire } from './sales.ts';
import type { WireHandler } from './wire-call.ts';

const newAndChanged = 4;
const byLastChange = 1;

export const orderHandlers = {
  /** By the day of the sale; with filter 4 by that of the last change. */
  readTransactions({ world, user, query }) {
    const isByChange = query.number('filter') === newAndChanged;
    const [from, to] = [query.time('minTransactionDate'), query.time('maxTransactionDate')];
    return world.listings
      .transactionsOf(user.userId)
      .filter(({ soldAt, updatedAt }) => isIn(isByChange ? updatedAt : soldAt, from, to))
      .map((transaction) => transactionOnWire(world, transaction, 'whole'));
  },
  setTransactionStatus({ world, user, now, body }) {
    const transaction = world.listings.transaction(body.number('transactionId'));
    if (transaction?.userId !== user.userId) throw notFound('such transaction');
    const marks = ['markAsPaidConfirmed', 'markedAsShipped', 'markShippingBooked'];
    const [isPaidConfirmed, isShipped, isShippingBooked] = marks.map((name) =>
      body.has(name) ? body.flag(name) : null,
    );
    if (!marks.some((name) => body.has(name))) throw badRequest(`one of ${marks.join(', ')} must be set`);
    const changed = {
      ...transaction,
      isPaidConfirmed: isPaidConfirmed ?? transaction.isPaidConfirmed,
      updatedAt: now,
      isShipped: isShipped ?? transaction.isShipped,
      isShippingBooked: isShippingBooked ?? transaction.isShippingBooked,
    };
    world.listings.putTransaction(changed);
    return transactionOnWire(world, changed, 'bare');
  },
  readOrders({ world, user, query }) {
    const to = query.time('toDate');
    if (to === undefined && world.switches.is('missingToDate', 'empty')) return [];
    const timeOf = query.number('queryDateMode') === byLastChange ? changedAt : createdAt;
    return ordersOf(world, user.userId)
      .filter((sales) => isIn(timeOf(sales), query.time('fromDate'), to))
      .map((sales) => orderOnWire(world, sales));
  },
  readOrdersById({ world, user, request }) {
    const ids = String(request.params['orderIds']).split(',');
    if (!ids.every((id) => /^\d{1,10}$/.test(id))) throw badRequest('orderIds must be numbers with commas between');
    return ordersOf(world, user.userId)
      .filter(([{ orderId }]) => ids.map(Number).includes(orderId))
      .map((sales) => orderOnWire(world, sales));
  },
  shipOrder({ world, user, request, now }) {
    const orderId = pathNumber(request, 'orderId');
    const sales = ordersOf(world, user.userId).find(([sale]) => sale.orderId === orderId);
    if (sales === undefined) throw notFound(`order ${orderId}`);
    for (const sale of sales)
      if (!sale.isShipped) world.listings.putTransaction({ ...sale, isShipped: true, updatedAt: now });
    return { orderId };
  },
} satisfies Record<string, WireHandler>;
