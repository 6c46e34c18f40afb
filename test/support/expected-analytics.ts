import type { AccountId } from '../../features/rules/ids.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';

// What the specification says of an account's analytics, computed from all of its rows: slow, with nothing of the product's own
// code but the form of the rows. Money is BigInt, and Stockholm's clock is written out from the rule of the European Union.

interface StoredItem {
  readonly removedAt: Date | null;
  readonly serviceStatus: string;
  readonly listings: readonly { readonly state: string }[];
}

interface StoredOrder {
  readonly state: string;
  readonly amountOre: number;
  readonly feeOre: number;
  readonly category: string;
  readonly completedAt: Date | null;
}

export async function expectedAnalytics(store: StoreConnection, account: AccountId, now: Date): Promise<object> {
  const mine = { accountId: account };
  const [items, orders] = await Promise.all([
    store.connection.collection<StoredItem>('items').find(mine).toArray(),
    store.connection.collection<StoredOrder>('orders').find(mine).toArray(),
  ]);
  return { inventory: inventoryOf(items), ...revenueOf(orders, now) };
}

function inventoryOf(rows: readonly StoredItem[]): object {
  const items = rows.filter((item) => item.removedAt === null);
  const isUp = (item: StoredItem): boolean => item.listings.some(({ state }) => ['live', 'leaving'].includes(state));
  const isDone = (item: StoredItem): boolean => ['sold', 'archived'].includes(item.serviceStatus);
  const active = items.filter((item) => item.serviceStatus === 'active' || (isUp(item) && !isDone(item)));
  const others = items.filter((item) => !active.includes(item));
  const count = (status: string): number => others.filter((item) => item.serviceStatus === status).length;
  return {
    total: items.length,
    active: active.length,
    draft: count('draft'),
    sold: count('sold'),
    archived: count('archived'),
  };
}

function revenueOf(orders: readonly StoredOrder[], now: Date): object {
  const completed = orders.filter((order) => order.state === 'completed');
  const monthOf = ({ completedAt }: StoredOrder): string => monthInStockholm(completedAt ?? new Date(Number.NaN));
  const names = [...new Set(completed.map((order) => order.category))];
  const categories = names
    .map((category) => ({ category, orders: completed.filter((order) => order.category === category) }))
    .map((found) => ({ ...found, ore: sum(found.orders, 'amountOre') }))
    .sort((a, b) => (a.ore === b.ore ? (a.category < b.category ? -1 : 1) : a.ore > b.ore ? -1 : 1));
  const pending = orders.filter((order) => order.state === 'pending');
  return {
    monthlyRevenue: lastTwelve(now).map((month) => {
      const inMonth = completed.filter((order) => monthOf(order) === month);
      const [gross, fee] = [sum(inMonth, 'amountOre'), sum(inMonth, 'feeOre')];
      return { month, gross: sek(gross), fee: sek(fee), net: sek(gross - fee), orders: inMonth.length };
    }),
    categoryBreakdown: categories
      .slice(0, 10)
      .map((found) => ({ category: found.category, count: found.orders.length, revenue: sek(found.ore) })),
    revenueSummary: {
      totalGross: sek(sum(completed, 'amountOre')),
      totalFee: sek(sum(completed, 'feeOre')),
      totalNet: sek(sum(completed, 'amountOre') - sum(completed, 'feeOre')),
      totalPending: sek(sum(pending, 'amountOre')),
    },
  };
}

const sum = (orders: readonly StoredOrder[], field: 'amountOre' | 'feeOre'): bigint =>
  orders.reduce((total, order) => total + BigInt(order[field]), 0n);

/** By its decimal text, so that no arithmetic with fractions is done. */
function sek(ore: bigint): number {
  const digits = String(ore < 0n ? -ore : ore).padStart(3, '0');
  return Number(`${ore < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`);
}

const hourMs = 3_600_000;

/** One hour ahead of UTC; two from the last Sunday of March to the last one of October, 01:00 UTC both. */
function monthInStockholm(at: Date): string {
  const year = at.getUTCFullYear();
  const isSummer = at >= lastSunday(year, 2) && at < lastSunday(year, 9);
  return new Date(at.getTime() + (isSummer ? 2 : 1) * hourMs).toISOString().slice(0, 7);
}

function lastSunday(year: number, month: number): Date {
  const last = new Date(Date.UTC(year, month + 1, 0, 1));
  return new Date(last.getTime() - last.getUTCDay() * 24 * hourMs);
}

function lastTwelve(now: Date): string[] {
  const [year = 0, month = 0] = monthInStockholm(now).split('-').map(Number);
  return Array.from({ length: 12 }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 15)).toISOString().slice(0, 7),
  ).reverse();
}
