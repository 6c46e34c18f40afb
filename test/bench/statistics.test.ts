import test from 'ava';
import { median, percentile } from '../../bench/support/statistics.ts';

test('the median is the middle value, or the mean of the two in the middle', (t) => {
  t.is(median([9, 1, 5]), 5);
  t.is(median([4, 1, 3, 2]), 2.5);
});

test('a percentile is a value that was measured: the smallest that so many are not above', (t) => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index);
  t.is(percentile(values, 50), 100);
  t.is(percentile(values, 99), 198);
  t.is(percentile([7], 99), 7);
});

test('nothing measured is an error, never a zero', (t) => {
  t.throws(() => median([]));
  t.throws(() => percentile([], 50));
});
