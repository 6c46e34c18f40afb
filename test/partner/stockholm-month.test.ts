import test from 'ava';
import { monthsUntil, stockholmMonth } from '../../features/partner/rules/months.ts';

for (const [at, month, what] of [
  ['2025-12-31T22:59:59.999Z', '2025-12', 'the last moment of a year in winter time'],
  ['2025-12-31T23:00:00.000Z', '2026-01', 'the first moment of a year, still the old one in UTC'],
  ['2026-03-31T21:59:59.999Z', '2026-03', 'the last moment of March, two days into summer time'],
  ['2026-03-31T22:00:00.000Z', '2026-04', 'the first moment of April in summer time'],
  ['2026-10-31T22:59:59.999Z', '2026-10', 'the last moment of October, back in winter time'],
  ['2026-10-31T23:00:00.000Z', '2026-11', 'the first moment of November in winter time'],
  ['2024-02-29T22:59:59.999Z', '2024-02', 'the last moment of a leap day'],
  ['2024-02-29T23:00:00.000Z', '2024-03', 'the first moment after a leap day'],
  // Summer time ended on a 31 October, an hour before the month did not change.
  ['2027-10-31T00:59:59.999Z', '2027-10', 'the last moment of a summer time that ends on 31 October'],
  ['2027-10-31T22:59:59.999Z', '2027-10', 'the last moment of that month, in winter time'],
] as const)
  // specification: monthlyrevenue-a-completed-order
  test(`${what} belongs to ${month}`, (t) => {
    t.is(stockholmMonth(new Date(at)), month);
  });

test('twelve months end with the given one and cross the year', (t) => {
  t.deepEqual(monthsUntil('2026-02', 12), [
    ...['2025-03', '2025-04', '2025-05', '2025-06', '2025-07', '2025-08'],
    ...['2025-09', '2025-10', '2025-11', '2025-12', '2026-01', '2026-02'],
  ]);
  t.deepEqual(monthsUntil('2026-12', 2), ['2026-11', '2026-12']);
});
