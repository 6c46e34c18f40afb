import { randomUUID } from 'node:crypto';
import test from 'ava';
import { storeOrder } from '../support/stored-orders.ts';
import { pino } from 'pino';
import { accountId, itemId, orderId } from '../../features/rules/ids.ts';
import type { SellerOrder } from '../../gateways/marketplace/port.ts';
import { findBuyer } from '../../features/orders/store/buyers.ts';
import { findOrder, noSteps, orderRows, type OrderRow } from '../../features/orders/store/orders.ts';
import { createOrderWork } from '../../features/orders/follow-marketplace-orders.ts';
import { later, noon } from '../support/an-item.ts';
import { withDatabase } from '../support/with-database.ts';

const store = withDatabase(test);
const dayMs = 86_400_000;
const address = { name: null, line1: null, line2: null, postalCode: null, city: null, country: null };

/** An account with orders of one auction, and what the marketplace says of it. */
async function aSeller(soldAfterMs: readonly number[], amountOre = 2_000) {
  const account = accountId(randomUUID());
  const ids = soldAfterMs.map(() => orderId(`ord_${randomUUID()}`));
  for (const [index, _id] of ids.entries()) {
    const at = later(soldAfterMs[index] ?? 0);
    const order: OrderRow = {
      _id,
      accountId: account,
      itemId: itemId('i1'),
      externalId: 'A1',
      platform: 'marketplace',
      amountOre,
      feeBps: 0,
      feeOre: 0,
      state: 'pending',
      domain: 'other',
      category: 'Other',
      dealId: null,
      commission: null,
      adId: '9001',
      soldAt: at,
      paidAt: null,
      completedAt: null,
      cancelledAt: null,
      createdAt: at,
      updatedAt: at,
      changedAt: at,
      ...noSteps,
      isBuyerAwaited: true,
    };
    await storeOrder(store(), order);
  }
  return { account, ids };
}

const told = (marketplaceOrderId: string, amountKronor = 20): SellerOrder => ({
  marketplaceOrderId,
  updatedAt: noon,
  isPaid: false,
  shippingKronor: 0,
  shippingMethod: null,
  lines: [{ adId: '9001', amountKronor }],
  buyer: { marketplaceUserId: marketplaceOrderId, alias: null, name: null, email: null, phone: null, address },
});

const look = (account: ReturnType<typeof accountId>, seen: SellerOrder[], now: Date) => {
  const marketplace = { readOrders: () => Promise.resolve(seen), markShipped: () => Promise.resolve() };
  const work = createOrderWork({
    store: store(),
    marketplace,
    buyerDataDays: 10,
    now: () => now,
    logger: pino({ level: 'silent' }),
  });
  const token = { reveal: () => 'token' };
  const seller = { accountId: account, marketplaceUserId: '1', isSandbox: false, token };
  return work.follow(seller, (make) => make());
};

const buyerOf = async (account: ReturnType<typeof accountId>, id: ReturnType<typeof orderId>) =>
  (await findBuyer(store(), account, { orderId: id, now: later(1) }))?.marketplaceUserId;

test('two buyers of one auction for the same amount, seen in one look, are those of two orders', async (t) => {
  const { account, ids } = await aSeller([0, 1]);
  const [first, second] = ids;
  if (first === undefined || second === undefined) return t.fail('no orders');
  for (let looks = 0; looks < 2; looks += 1) {
    await look(account, [told('71'), told('72')], later(1));
    t.deepEqual(await Promise.all([first, second].map((id) => buyerOf(account, id))), ['71', '72']);
  }
});

test('a buyer whose days are over is not stored, and its order is not changed by each look', async (t) => {
  const { account, ids } = await aSeller([0]);
  const [id] = ids;
  if (id === undefined) return t.fail('no order');
  const revision = async () => (await findOrder(store(), account, { orderId: id }))?.revision;
  await look(account, [told('71')], later(11 * dayMs));
  const once = await revision();
  await look(account, [told('71')], later(11 * dayMs));
  t.is(await revision(), once);
  t.is(await buyerOf(account, id), undefined);
});

test('an amount with öre is that of its order, however a computer writes it', async (t) => {
  const { account, ids } = await aSeller([0], 1_999);
  await look(account, [told('71', 19.99)], later(1));
  for (const id of ids) t.is(await buyerOf(account, id), '71');
});

test('an order that the marketplace is told of as sent is told once, and is another version afterwards', async (t) => {
  const { account, ids } = await aSeller([0]);
  const [id] = ids;
  if (id === undefined) return t.fail('no order');
  await look(account, [told('71')], later(1));
  const before = await findOrder(store(), account, { orderId: id });
  await orderRows(store()).updateOne({ _id: id }, { $set: { isShippingOwed: true } });
  await look(account, [told('71')], later(2));
  const after = await findOrder(store(), account, { orderId: id });
  t.like(after, { isShippingOwed: false, revision: (before?.revision ?? 0) + 1 });
  await look(account, [told('71')], later(3));
  t.deepEqual(await findOrder(store(), account, { orderId: id }), after);
});
