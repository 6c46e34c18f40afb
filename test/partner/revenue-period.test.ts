import test from 'ava';
import {
  describePeriod,
  monthAround,
  planPeriod,
  type DaySums,
  type RevenuePeriod,
} from '../../features/partner/rules/revenue-period.ts';

const now = new Date('2026-11-26T12:00:59.999Z');
const plan = (name: RevenuePeriod, at = now) => planPeriod(name, at);
const aDay = (day: string, grossOre: number): DaySums => ({ day, orders: 1, grossOre, feeOre: 100 });
const aMonth = (month: string | null, grossOre: number) => ({ month, category: '', orders: 1, grossOre, feeOre: 100 });
const none = { sums: [], days: [], daysBefore: [] };

test('thirty days end today; the thirty before end at the same minute of the day before the first', (t) => {
  t.deepEqual(plan('last_30_days'), {
    name: 'last_30_days',
    unit: 'day',
    days: { from: '2026-10-28', to: '2026-11-26' },
    before: { from: '2026-09-28', to: '2026-10-27' },
    read: { from: new Date('2026-10-27T23:00:00Z'), to: new Date('2026-11-26T23:00:00Z') },
    // Before the end of summer time midnight was an hour earlier in UTC, and so was one o'clock.
    readBefore: { from: new Date('2026-09-27T22:00:00Z'), to: new Date('2026-10-27T12:00:00Z') },
  });
});

test('a day is a day in Stockholm, also on the nights when the clocks change', (t) => {
  const spring = plan('last_30_days', new Date('2026-03-28T23:30:00Z'));
  t.is(spring.days.to, '2026-03-29');
  const parts = describePeriod(plan('last_90_days', new Date('2026-11-01T12:00:00Z')), none).parts;
  t.is(parts.length, 90);
  t.is(new Set(parts.map(({ begins }) => begins)).size, 90);
  t.is(plan('last_30_days', new Date('2026-11-23T12:00:00Z')).read?.from.toISOString(), '2026-10-24T22:00:00.000Z');
});

test('a month begins and ends at midnight in Stockholm, whatever the clocks do meanwhile', (t) => {
  const shown = (at: string) => Object.values(monthAround(new Date(at))).map((time: Date) => time.toISOString());
  t.deepEqual(shown('2026-11-30T23:30:00Z'), ['2026-11-30T23:00:00.000Z', '2026-12-31T23:00:00.000Z']);
  t.deepEqual(shown('2026-03-10T12:00:00Z'), ['2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z']);
  t.deepEqual(shown('2028-01-31T12:00:00Z'), ['2027-12-31T23:00:00.000Z', '2028-01-31T23:00:00.000Z']);
});

test('months are compared with the same months a year earlier, the last one up to the same time', (t) => {
  t.like(plan('last_12_months'), {
    days: { from: '2025-12-01', to: '2026-11-26' },
    before: { from: '2024-12-01', to: '2025-11-26' },
    read: null,
    readBefore: { from: new Date('2025-10-31T23:00:00Z'), to: new Date('2025-11-26T12:00:00Z') },
  });
  t.like(plan('this_year'), {
    days: { from: '2026-01-01', to: '2026-11-26' },
    before: { from: '2025-01-01', to: '2025-11-26' },
  });
  t.like(plan('this_year', new Date('2028-02-29T12:00:00Z')), { before: { from: '2027-01-01', to: '2027-02-28' } });
});

test('a period by days has each of them, and a sum to the öre; so has the one before', (t) => {
  const days = [aDay('2026-11-26', 1_990), aDay('2026-11-01', 10)];
  const daysBefore = [aDay('2026-10-01', 500), aDay('2026-10-02', 500)];
  const found = describePeriod(plan('last_30_days'), { ...none, days, daysBefore });
  t.is(found.parts.length, 30);
  t.deepEqual(found.parts.at(-1), { begins: '2026-11-26', gross: 19.9, fee: 1, net: 18.9, orders: 1 });
  t.deepEqual(found.parts.at(0), { begins: '2026-10-28', gross: 0, fee: 0, net: 0, orders: 0 });
  t.deepEqual(found.total, { gross: 20, fee: 2, net: 18, orders: 2 });
  t.deepEqual(found.before, { from: '2026-09-28', to: '2026-10-27', gross: 10, fee: 2, net: 8, orders: 2 });
});

test('months are those of the sums; before them count whole months, and of the last one its days', (t) => {
  const sums = [
    aMonth('2026-11', 1_000),
    aMonth('2026-11', 500),
    aMonth('2025-12', 100),
    aMonth(null, 9_900),
    // A year earlier: the first month and the last whole one, and two that do not count.
    aMonth('2024-12', 1_000),
    aMonth('2025-10', 2_000),
    aMonth('2025-11', 9_900),
    aMonth('2024-11', 9_900),
  ];
  const daysBefore = [aDay('2025-11-26', 300)];
  const found = describePeriod(plan('last_12_months'), { ...none, sums, daysBefore });
  t.deepEqual(
    found.parts.filter(({ orders }) => orders > 0).map(({ begins, gross }) => [begins, gross]),
    [
      ['2025-12-01', 1],
      ['2026-11-01', 15],
    ],
  );
  t.is(found.parts.length, 12);
  t.like(found.total, { gross: 16, orders: 3 });
  t.like(found.before, { gross: 33, orders: 3 });
  t.is(describePeriod(plan('this_year'), none).parts.length, 11);
});
