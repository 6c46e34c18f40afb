import test from 'ava';
import { firstDayOf, periodOf } from '../../web/dashboard/src/period/recent-days.ts';

/** Half past midnight in Sweden, the day before in UTC. */
const now = Date.parse('2026-11-21T23:30:00Z');

test('the last days are Swedish ones, today included', (t) => {
  t.is(firstDayOf('1', now), '2026-11-22');
  t.is(firstDayOf('7', now), '2026-11-16');
  t.is(firstDayOf('30', now), '2026-10-24');
});

test('a span is counted in days also over the night in which clocks change', (t) => {
  t.is(firstDayOf('7', Date.parse('2026-10-27T12:00:00Z')), '2026-10-21');
});

test('two days of an address are called by the span that they mean today', (t) => {
  t.is(periodOf('', '', now), '');
  t.is(periodOf('2026-11-16', '', now), '7');
  t.is(periodOf('2026-11-15', '', now), 'own');
  t.is(periodOf('2026-11-16', '2026-11-18', now), 'own');
  t.is(periodOf('', '2026-11-18', now), 'own');
});
