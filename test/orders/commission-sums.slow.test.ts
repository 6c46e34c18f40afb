import { randomUUID } from 'node:crypto';
import test from 'ava';
import { anOrder, storeOrder } from '../support/stored-orders.ts';
import { accountId, type AccountId } from '../../features/rules/ids.ts';
import { commissionOn } from '../../features/orders/rules/commission.ts';
import { moveOrder } from '../../features/orders/rules/order.ts';
import { readCommissionSums } from '../../features/orders/store/order-sums.ts';
import { confirmCommission } from '../../features/orders/store/confirm-commission.ts';
import { findOrder, orderRows, writeOrder, type OrderRow } from '../../features/orders/store/orders.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { noon } from '../support/an-item.ts';
import { withDatabase } from '../support/with-database.ts';

const store = withDatabase(test);
const anAccount = (): AccountId => accountId(randomUUID());

function aSale(account: AccountId, reseller: AccountId | null, change: Partial<OrderRow> = {}): OrderRow {
  const terms = reseller === null ? null : { resellerAccountId: reseller, agreementId: 'd1', commissionBps: 250 };
  const paid = { dealId: 'd2', commission: commissionOn(10_010, terms), state: 'paid', paidAt: noon } as const;
  return anOrder(account, { ...paid, ...change });
}

const complete = (id: OrderRow['_id'], account: AccountId): Promise<void> =>
  inTransaction(store(), async (session) => {
    const before = await findOrder(store(), account, { orderId: id, session });
    const after = before === null ? null : moveOrder(before, 'completed', noon);
    if (before === null || after === null) throw new Error('no order to complete');
    if (after !== before) await writeOrder(store(), { before, after }, session);
  });

const shown = async (reseller: AccountId): Promise<object[]> =>
  (await readCommissionSums(store(), reseller))
    .map((sum) => [sum.memberAccountId, sum.orders, sum.salesOre, sum.owedOre])
    .toSorted();

// specification: sums-stay-right-whoever
test('twenty orders of one member completed at once, each asked for twice, all count, once', async (t) => {
  const [reseller, member] = [anAccount(), anAccount()];
  const sales = Array.from({ length: 20 }, () => aSale(member, reseller));
  for (const sale of sales) await storeOrder(store(), sale);
  t.deepEqual(await shown(reseller), []);
  await Promise.all([...sales, ...sales].map(({ _id }) => complete(_id, member)));
  t.deepEqual(await shown(reseller), [[member, 20, 20 * 10_010, 20 * 250]]);
});

test('one member under two resellers, and two members under one: each order owes to its own', async (t) => {
  const [one, two, member, other] = [anAccount(), anAccount(), anAccount(), anAccount()];
  const done = { state: 'completed', completedAt: noon } as const;
  const sales = [
    aSale(member, one, done),
    aSale(member, two, done),
    aSale(member, null, done),
    aSale(other, one, done),
  ];
  for (const sale of sales) await storeOrder(store(), sale);
  t.deepEqual(
    await shown(one),
    [
      [member, 1, 10_010, 250],
      [other, 1, 10_010, 250],
    ].toSorted(),
  );
  t.deepEqual(await shown(two), [[member, 1, 10_010, 250]]);
});

test('more orders than one transaction may hold are confirmed all the same, by one call alone', async (t) => {
  const [reseller, member] = [anAccount(), anAccount()];
  const done = { state: 'completed', completedAt: noon } as const;
  const waiting = Array.from({ length: 2_500 }, () => {
    const sale = aSale(member, reseller, done);
    return { ...sale, commission: sale.commission && { ...sale.commission, confirmation: 'waiting' as const } };
  });
  await orderRows(store()).insertMany(waiting);
  const confirm = () =>
    confirmCommission(store(), reseller, {
      memberAccountId: member,
      orders: 2_500,
      salesOre: 2_500 * 10_010,
      audit: ({ orders, owedOre }) => {
        const actor = { kind: 'dashboard', accountId: reseller, keyId: null, requestId: null } as const;
        const details = { memberUserId: member, orders, sales: 1, owed: owedOre / 100 };
        return { accountId: reseller, actor, at: noon, kind: 'commission_confirmed', details };
      },
    });
  t.deepEqual((await Promise.all([confirm(), confirm()])).toSorted(), [false, true]);
  t.deepEqual(await readCommissionSums(store(), reseller), [
    { memberAccountId: member, isWaiting: false, orders: 2_500, salesOre: 2_500 * 10_010, owedOre: 2_500 * 250 },
  ]);
  t.false(await confirm());
});
