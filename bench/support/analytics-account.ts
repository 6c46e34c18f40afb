import { randomBytes, randomUUID } from 'node:crypto';
import { contributionOf } from '../../core/analytics/order-contribution.ts';
import { domainRows } from '../../core/domains/domain-table.ts';
import { itemId, orderId, type AccountId } from '../../core/ids.ts';
import type { Item } from '../../core/items/item.ts';
import { feeOre } from '../../core/orders/fee.ts';
import { countUncounted } from '../../store/items/inventory-counts.ts';
import { rowFromItem } from '../../store/items/item-row.ts';
import { itemCollection } from '../../store/items/items.ts';
import { orderSums, rowIdOf, slotOf, type OrderSumsRow } from '../../store/orders/order-sums.ts';
import { orderRows, type OrderRow } from '../../store/orders/orders.ts';
import { rebuildItemCounts, rebuildOrderSums } from '../../store/orders/rebuild-sums.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { settledItem } from './catalogue.ts';

const rowsAtOnce = 5_000;
const monthMs = 30.4375 * 86_400_000;
const statuses = ['active', 'active', 'active', 'sold', 'not_listed', 'draft', 'archived'] as const;

/** Items of all statuses and half as many orders over 24 months and all categories, as the product's own writes leave them. */
export async function fillAccount(store: StoreConnection, account: AccountId, itemCount: number): Promise<void> {
  // Reading a request takes longer than all the rest, and the text doesn't matter here.
  const template = settledItem(account, 'template');
  const sums = new Map<string, OrderSumsRow>();
  for (let from = 0; from < itemCount; from += rowsAtOnce) {
    const length = Math.min(rowsAtOnce, itemCount - from);
    await itemCollection(store).insertMany(
      Array.from({ length }, (_, n) => rowFromItem(anItemOf(template, from + n))),
      { ordered: false },
    );
    const orders = Array.from({ length: length / 2 }, (_, n) => anOrderOf(account, from / 2 + n));
    await orderRows(store).collection.insertMany(orders as unknown as { _id: never }[], { ordered: false });
    for (const order of orders) addUp(sums, order);
  }
  while (await countUncounted(store, { itemsMax: 500 }));
  await orderSums(store).insertMany([...sums.values()]);
  const check = { dryRun: true };
  const wrong = [await rebuildItemCounts(store, account, check), await rebuildOrderSums(store, account, check)];
  if (wrong.some((count) => count > 0))
    throw new Error(`the sums of the filled account are wrong: ${wrong.join(', ')}`);
}

/** In the rows in which transactions of the product would have left it. */
export function addUp(sums: Map<string, OrderSumsRow>, order: OrderRow): void {
  const place = contributionOf(order);
  if (place === null) return;
  const _id = rowIdOf(order.accountId, place, slotOf(order._id, place));
  const known = sums.get(_id) ?? { ...place, orders: 0, grossOre: 0, feeOre: 0 };
  const [orders, grossOre] = [known.orders + place.orders, known.grossOre + place.grossOre];
  sums.set(_id, { ...place, _id, accountId: order.accountId, orders, grossOre, feeOre: known.feeOre + place.feeOre });
}

function anItemOf(template: Item, n: number): Item {
  const serviceStatus = statuses[n % statuses.length] ?? 'active';
  const current = serviceStatus !== 'archived';
  return { ...template, id: itemId(randomUUID()), externalId: `known-${n}`, serviceStatus, current };
}

/** One of 24 months, of any category; every tenth is pending. */
export function anOrderOf(account: AccountId, n: number): OrderRow {
  const at = new Date(Date.now() - ((n * 7_919) % 100_000) * ((24 * monthMs) / 100_000));
  const row = domainRows[n % domainRows.length];
  const amountOre = 1_000 + ((n * 104_729) % 500_000);
  const state = n % 10 === 0 ? 'pending' : 'completed';
  const completedAt = state === 'completed' ? at : null;
  return {
    ...{ _id: orderId(`ord_${randomBytes(12).toString('hex')}`), accountId: account, itemId: itemId(randomUUID()) },
    ...{ externalId: `known-${n}`, platform: 'service', amountOre, feeBps: 500, feeOre: feeOre(amountOre, 500), state },
    ...{ domain: row?.slug ?? 'other', category: row?.analyticsName ?? '', dealId: null, commission: null, adId: null },
    ...{ paidAt: completedAt, completedAt, cancelledAt: null, soldAt: at, createdAt: at, updatedAt: at },
  };
}
