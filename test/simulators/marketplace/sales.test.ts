import test from 'ava';
import { sellerOf, type TestSeller } from '../support/seller.ts';
import { present } from '../../support/clock.ts';

interface Sale {
  readonly id: number;
  readonly amount: number;
  readonly isMarkedAsPaidConfirmed: boolean;
  readonly buyer: unknown;
  readonly item: { readonly id: number } | null;
}

interface Order {
  readonly orderId: number;
  readonly subTotal: number;
  readonly items: { itemId: number }[];
  readonly sellerOrderPayments: { amount: number }[] | null;
}

const salesOf = ({ read }: TestSeller, query = '') => read<Sale[]>(`/v4/listings/seller-transactions${query}`);
const ordersOf = ({ read }: TestSeller, query = '') => read<Order[]>(`/v4/orders?queryDateMode=1${query}`);
const inDays = (days: number): string => present(days * 24 * 3_600_000).toISOString();

test('a sale is a transaction and an order, with the buyer and without an address of delivery', async (t) => {
  const seller = await sellerOf(t);
  const { itemId } = await seller.sold(725, { vat: 25 });
  const [sale] = await salesOf(seller);
  t.like(sale, {
    amount: 725,
    isMarkedAsPaidConfirmed: false,
    item: { id: itemId, ownReferences: ['A1', 'item-1', 'item-1:1'] },
  });
  t.like(sale?.buyer, { alias: 'kim', firstName: 'Kim' });
  const [order] = await ordersOf(seller);
  t.like(order, { subTotal: 725, shipTo: null, sellerOrderPayments: null, shippingType: null, shippingCost: 0 });
  t.like(order, {
    buyer: { alias: 'kim', city: 'Umeå', addressLine1: 'Storgatan 1' },
    items: [{ itemId, quantity: 1, unitPrice: 725, vatRate: 25, type: 1 }],
  });
});

for (const [by, confirmed, payments] of [
  ['both', true, 1],
  ['payment', false, 1],
  ['mark', true, 0],
] as const)
  test(`a sale that is paid by ${by} is marked ${confirmed}, with ${payments} payments in its order`, async (t) => {
    const seller = await sellerOf(t);
    await seller.sold(725);
    const [sale] = await salesOf(seller);
    t.like((await seller.admin('POST', `/transactions/${sale?.id}/pay`, { by })).json(), { paid: true, amount: 725 });
    t.is((await salesOf(seller))[0]?.isMarkedAsPaidConfirmed, confirmed);
    t.is((await ordersOf(seller))[0]?.sellerOrderPayments?.length ?? 0, payments);
  });

test('the seller marks a sale; the answer has neither buyer nor item, and no mark is a 400', async (t) => {
  const seller = await sellerOf(t);
  await seller.sold();
  const [sale] = await salesOf(seller);
  const mark = (body: object) =>
    seller.wire('PUT', '/v4/listings/transaction-status', { transactionId: sale?.id, ...body });
  t.like((await mark({ markAsPaidConfirmed: true })).json(), {
    isMarkedAsPaidConfirmed: true,
    buyer: null,
    item: null,
  });
  t.is((await mark({})).status, 400);
  t.true((await salesOf(seller))[0]?.isMarkedAsPaidConfirmed);
  await seller.actAs('88');
  t.is((await mark({ markedAsShipped: true })).status, 404);
});

test('orders are found by creation, by last change and by id; never another seller’s', async (t) => {
  const seller = await sellerOf(t);
  await seller.sold();
  const [sale] = await salesOf(seller);
  await seller.advance(3 * 24 * 3600);
  await seller.admin('POST', `/transactions/${sale?.id}/pay`);
  const [order] = await ordersOf(seller);
  const from = `&fromDate=${inDays(1)}&toDate=${inDays(9)}`;
  t.is((await ordersOf(seller, from)).length, 1);
  t.deepEqual(await seller.read(`/v4/orders?queryDateMode=0${from}`), []);
  t.deepEqual(await ordersOf(seller, `&toDate=${inDays(1)}`), []);
  const byId = `/v4/orders/1,${order?.orderId}`;
  t.is((await seller.read<Order[]>(byId)).length, 1);
  await seller.actAs('88');
  t.deepEqual(await seller.read(byId), []);
  t.is((await seller.wire('POST', `/v4/orders/${order?.orderId}/ship`)).status, 404);
});

test('transactions are found by their day, with filter 4 by their last change', async (t) => {
  const seller = await sellerOf(t);
  await seller.sold();
  const [sale] = await salesOf(seller);
  await seller.advance(3 * 24 * 3600);
  await seller.admin('POST', `/transactions/${sale?.id}/pay`);
  const from = `?minTransactionDate=${inDays(1)}`;
  t.deepEqual(await salesOf(seller, from), []);
  t.is((await salesOf(seller, `${from}&filter=4`)).length, 1);
  t.deepEqual(await salesOf(seller, `${from}&filter=2`), []);
});

test('one order may hold several items, and is shipped as one', async (t) => {
  const seller = await sellerOf(t);
  await seller.sold(500);
  await seller.sold(600);
  const transactionIds = (await salesOf(seller)).map(({ id }) => id);
  t.is((await seller.admin('POST', '/orders/combine', { transactionIds })).status, 204);
  const orders = await ordersOf(seller);
  t.is(orders.length, 1);
  t.is(orders[0]?.subTotal, 1100);
  t.is(orders[0]?.items.length, 2);
  const orderId = orders[0]?.orderId;
  t.deepEqual((await seller.wire('POST', `/v4/orders/${orderId}/ship`)).json(), { orderId });
  for (const sale of await salesOf(seller)) t.like(sale, { isMarkedAsShipped: true });
});

test('the sandbox sells for the least bid that wins', async (t) => {
  const seller = await sellerOf(t);
  const [plain, reserved] = [await seller.live(), await seller.live({ reservePrice: 600 })];
  await seller.bid(plain.itemId, 500);
  for (const { itemId } of [plain, reserved])
    t.is((await seller.wire('POST', `/v4/sandbox/items/${itemId}/end`, { sell: true })).status, 204);
  t.deepEqual(
    (await salesOf(seller)).map(({ amount }) => amount),
    [520, 600],
  );
});

test('the sandbox makes a user by name, ends an auction by a last bid, and pays', async (t) => {
  const seller = await sellerOf(t);
  const made = (await seller.wire('POST', '/v4/sandbox/users', { name: 'sandbox-1' })).json<{
    userId: number;
    authToken: string;
  }>();
  t.true(Number.isInteger(made.userId));
  const again = (await seller.wire('POST', '/v4/sandbox/users', { name: 'sandbox-1' })).json();
  t.is(again['userId'], made.userId, 'the same name is the same user');
  seller.useHeaders({ 'x-user-id': String(made.userId), 'x-user-token': made.authToken });
  const { itemId } = await seller.live();
  t.is((await seller.wire('POST', `/v4/sandbox/items/${itemId}/end`, { bid: 900 })).status, 204);
  const [sale] = await salesOf(seller);
  t.is(sale?.amount, 900);
  t.is((await seller.wire('POST', `/v4/sandbox/transactions/${sale?.id}/pay`)).status, 204);
  t.true((await salesOf(seller))[0]?.isMarkedAsPaidConfirmed);
});
