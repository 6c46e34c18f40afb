import test from 'ava';
import { describeAnalytics, noItems } from '../../features/partner/rules/analytics.ts';
import type { Contribution } from '../../features/partner/rules/revenue.ts';

const now = new Date('2026-11-21T12:00:00Z');
const described = (sums: readonly Contribution[], counts = noItems) => describeAnalytics(counts, sums, now);

const aSum = (change: Partial<Contribution> = {}): Contribution => ({
  month: '2026-11',
  category: 'Elektronik',
  orders: 1,
  grossOre: 10_000,
  feeOre: 500,
  ...change,
});

// specification: monthlyrevenue-up-to-12
test('there are twelve months, those without orders zero, ending with the present one', (t) => {
  const { monthlyRevenue } = described([aSum({ month: '2025-12' }), aSum({ month: '2025-11' })]);
  t.is(monthlyRevenue.length, 12);
  t.deepEqual(monthlyRevenue[0], { month: '2025-12', gross: 100, fee: 5, net: 95, orders: 1 });
  t.deepEqual(monthlyRevenue[11], { month: '2026-11', gross: 0, fee: 0, net: 0, orders: 0 });
});

// specification: monthlyrevenue-up-to-12
test('the present month is the one in Stockholm', (t) => {
  const { monthlyRevenue } = describeAnalytics(noItems, [], new Date('2026-12-31T23:00:00Z'));
  t.is(monthlyRevenue.at(-1)?.month, '2027-01');
});

// specification: monthlyrevenue-gross-fee-net
test('sums are exact where SEK added up would not be', (t) => {
  // 0.1 + 0.2 is 0.30000000000000004 in SEK, and 4.35 * 100 is 434.99999999999994.
  const sums = [aSum({ grossOre: 10, feeOre: 1 }), aSum({ category: 'Kläder', grossOre: 20, feeOre: 434 })];
  const { monthlyRevenue, revenueSummary } = described(sums);
  t.like(monthlyRevenue.at(-1), { gross: 0.3, fee: 4.35, net: -4.05 });
  t.deepEqual(revenueSummary, { totalGross: 0.3, totalFee: 4.35, totalNet: -4.05, totalPending: 0 });
});

// specification: revenuesummary-all-time
test('what no month shows any more still counts in the summary and in its category', (t) => {
  const { monthlyRevenue, categoryBreakdown, revenueSummary } = described([aSum({ month: '2024-01' })]);
  t.true(monthlyRevenue.every(({ orders }) => orders === 0));
  t.deepEqual(categoryBreakdown, [{ category: 'Elektronik', count: 1, revenue: 100 }]);
  t.is(revenueSummary.totalGross, 100);
});

// specification: revenuesummary-totalpending-orders-in
test('what is pending is in totalPending and nowhere else', (t) => {
  const { monthlyRevenue, categoryBreakdown, revenueSummary } = described([aSum({ month: null })]);
  t.true(monthlyRevenue.every(({ orders }) => orders === 0));
  t.deepEqual(categoryBreakdown, []);
  t.deepEqual(revenueSummary, { totalGross: 0, totalFee: 0, totalNet: 0, totalPending: 100 });
});

// specification: categorybreakdown-up-to-10
test('ten categories are shown, the most revenue first, equal ones by name', (t) => {
  const names = ['l', 'k', 'j', 'i', 'h', 'g', 'f', 'e', 'd', 'c', 'b', 'a'];
  const sums = names.map((category) => aSum({ category, grossOre: category === 'h' ? 2 : 1 }));
  const { categoryBreakdown } = described([...sums, aSum({ category: 'h', month: '2026-01', grossOre: 1 })]);
  t.deepEqual(
    categoryBreakdown.map(({ category }) => category),
    ['h', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'i', 'j'],
  );
  t.deepEqual(categoryBreakdown[0], { category: 'h', count: 2, revenue: 0.03 });
});

test('a place that orders have left is no category', (t) => {
  t.deepEqual(described([aSum({ orders: 0, grossOre: 0, feeOre: 0 })]).categoryBreakdown, []);
});

// specification: inventory-total-all-items
test('the total has items of all statuses, those taken down too, and no removed ones', (t) => {
  const counts = { draft: 1, active: 2, sold: 3, not_listed: 4, archived: 5 };
  t.deepEqual(described([], counts).inventory, { total: 15, active: 2, draft: 1, sold: 3, archived: 5 });
});
