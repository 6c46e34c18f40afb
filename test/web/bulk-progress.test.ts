import test from 'ava';
import {
  addSample,
  doneOf,
  paceOf,
  roundDuration,
  type Sample,
} from '../../web/dashboard/src/pages/bulk-syncs/bulk-progress.ts';

const samples = (...looks: readonly (readonly [seconds: number, done: number])[]): readonly Sample[] =>
  looks.reduce<readonly Sample[]>((all, [seconds, done]) => addSample(all, { at: seconds * 1_000, done }), []);

test('a line is done whatever came of it', (t) => {
  t.is(doneOf({ created: 1, updated: 2, unchanged: 3, failed: 4 }), 10);
});

test('pace and time left come from what got done between the looks', (t) => {
  t.deepEqual(paceOf(samples([0, 0], [10, 200]), 1_000), { perSecond: 20, secondsLeft: 40 });
});

test('the pace is that of the last half minute', (t) => {
  t.is(paceOf(samples([0, 0], [100, 1_000], [110, 2_000], [120, 3_000]), 10_000)?.perSecond, 100);
});

test('two looks are kept however far apart they are', (t) => {
  t.is(paceOf(samples([0, 0], [3_600, 7_200]), 10_000)?.perSecond, 2);
});

test('nothing is said of the pace after one look, without progress, or by a clock that went back', (t) => {
  t.is(paceOf(samples([0, 0]), 10), undefined);
  t.is(paceOf(samples([0, 5], [10, 5]), 10), undefined);
  t.is(paceOf(samples([10, 0], [5, 5]), 10), undefined);
  t.is(paceOf([], 10), undefined);
});

test('a duration is told in one unit, at least 1', (t) => {
  t.deepEqual(roundDuration(0), { unit: 'second', count: 1 });
  t.deepEqual(roundDuration(59.4), { unit: 'second', count: 59 });
  t.deepEqual(roundDuration(59.6), { unit: 'minute', count: 1 });
  t.deepEqual(roundDuration(170), { unit: 'minute', count: 3 });
  t.deepEqual(roundDuration(3_580), { unit: 'hour', count: 1 });
  t.deepEqual(roundDuration(7_300), { unit: 'hour', count: 2 });
});
