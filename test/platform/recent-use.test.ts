import test from 'ava';
import { RecentUse } from '../../platform/concurrency/recent-use.ts';

test('use counts in its period and in the next one', (t) => {
  let now = 1_000;
  const use = new RecentUse(60, () => now);
  use.add('a', 3);
  use.add('a', 4);
  t.deepEqual([use.of('a'), use.of('b')], [7, 0]);
  now += 60;
  use.add('b', 1);
  t.deepEqual([use.of('a'), use.of('b')], [7, 1]);
  now += 60;
  t.deepEqual([use.of('a'), use.of('b')], [0, 1]);
  now += 120;
  t.is(use.of('b'), 0);
});
