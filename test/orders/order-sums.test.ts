import { randomUUID } from 'node:crypto';
import test from 'ava';
import { anOrder, storeOrder } from '../support/stored-orders.ts';
import { accountId, type AccountId } from '../../features/rules/ids.ts';
import { moveOrder } from '../../features/orders/rules/order.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { readOrderSums } from '../../features/orders/store/order-sums.ts';
import { writeOrder, type OrderRow } from '../../features/orders/store/orders.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { noon } from '../support/an-item.ts';
import { withDatabase } from '../support/with-database.ts';

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

const anAccount = (): AccountId => accountId(randomUUID());

const shown = async (account: AccountId): Promise<object[]> =>
  (await readOrderSums(store, [account]))
    .map(({ month, category, orders, grossOre, feeOre }) => [month, category, orders, grossOre, feeOre])
    .sort();

const move = (before: OrderRow, after: OrderRow): Promise<void> =>
  inTransaction(store, (session) => writeOrder(store, { before, after }, session));

function moved(order: OrderRow, state: OrderRow['state'], now = noon): OrderRow {
  const after = moveOrder(order, state, now);
  if (after === null) throw new Error(`${order.state} does not become ${state}`);
  return after;
}

// specification: monthlyrevenue-a-completed-order, revenuesummary-totalpending-orders-in
test('an order is pending, then nowhere, then in the month of its completion', async (t) => {
  const account = anAccount();
  const order = anOrder(account);
  await storeOrder(store, order);
  t.deepEqual(await shown(account), [[null, '', 1, 10_010, 501]]);
  const paid = moved(order, 'paid');
  await move(order, paid);
  t.deepEqual(await shown(account), []);
  await move(paid, moved(paid, 'completed', new Date('2026-12-31T23:00:00Z')));
  t.deepEqual(await shown(account), [['2027-01', 'Elektronik', 1, 10_010, 501]]);
});

// specification: sums-are-exact-at
test('fifty sales of one account at once all count, whatever their categories are called', async (t) => {
  const account = anAccount();
  const names = ['Elektronik', 'a.b', '$inc', 'a/b'];
  const completed = { state: 'completed', completedAt: noon } as const;
  const sales = Array.from({ length: 50 }, (_, n) =>
    anOrder(account, {
      category: names[n % 2] ?? '',
      ...(n % 5 === 0 && { ...completed, category: names[n % 4] ?? '' }),
    }),
  );
  await Promise.all([...sales, anOrder(anAccount())].map((sale) => storeOrder(store, sale)));
  t.deepEqual(await shown(account), [
    [null, '', 40, 400_400, 20_040],
    ...['$inc', 'Elektronik', 'a.b', 'a/b'].map((name) => {
      const count = sales.filter(({ state, category }) => state === 'completed' && category === name).length;
      return ['2026-11', name, count, count * 10_010, count * 501];
    }),
  ]);
});
