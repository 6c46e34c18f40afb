import test from 'ava';
import { cpuCases, median, percentile, toCase } from '../../bench/support/result.ts';

test('a goal is met only by the ratio as measured, not by the rounded one', (t) => {
  t.true(toCase({ name: 'a', value: 800, unit: '1/s', floor: 1000, goal: 0.8 }).met);
  const missed = toCase({ name: 'a', value: 799.99, unit: '1/s', floor: 1000, goal: 0.8 });
  t.is(missed.ratio, 0.8);
  t.false(missed.met);
});

test('a case without a floor or a goal claims nothing', (t) => {
  t.like(toCase({ name: 'a', value: 1, unit: 'ms' }), { floor: null, ratio: null, goal: null, met: null });
  t.like(toCase({ name: 'a', value: 1, unit: 'ms', floor: 2 }), { ratio: 0.5, goal: null, met: null });
});

test('of time and memory a goal is the most that is allowed, and a target binds the value itself', (t) => {
  t.true(toCase({ name: 'a', value: 14, unit: 'ms', floor: 10, goal: 1.5 }).met);
  t.false(toCase({ name: 'a', value: 16, unit: 'ms', floor: 10, goal: 1.5 }).met);
  t.false(toCase({ name: 'a', value: 14, unit: 'ms', floor: 10, goal: 1.5, target: 4.4 }).met);
  t.true(toCase({ name: 'a', value: 4, unit: 'ms', target: 4.4 }).met);
  t.false(toCase({ name: 'a', value: 900, unit: '1/s', target: 1_500 }).met);
});

test('CPU time is compared process by process, and alone where the floor has no such process', (t) => {
  const cases = cpuCases('x', { own: [{ cpuMsEachOf: { api: 2, mongod: 3 } }], floor: [{ cpuMsEachOf: { api: 1 } }] });
  t.deepEqual(
    cases.map(({ name, value, floor }) => ({ name, value, floor })),
    [
      { name: 'x, CPU each', value: 5, floor: 1 },
      { name: 'x, CPU each: api', value: 2, floor: 1 },
      { name: 'x, CPU each: mongod', value: 3, floor: null },
    ],
  );
});

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
