import test from 'ava';
import { createSharedReads, keptMsOfSums } from '../../platform/concurrency/shared-reads.ts';
import { until } from '../support/until.ts';

test('calls that come during a reading share the next one, of the same key alone', async (t) => {
  const sharedRead = createSharedReads<number>();
  const ends: ((answer: number) => void)[] = [];
  const read = () => new Promise<number>((resolve) => void ends.push(resolve));
  const first = sharedRead('a', read);
  await Promise.resolve().then(() => undefined);
  const [second, third] = [sharedRead('a', read), sharedRead('a', read)];
  const other = sharedRead('b', read);
  await Promise.resolve().then(() => undefined);
  t.is(ends.length, 2);
  ends[0]?.(1);
  ends[1]?.(9);
  t.deepEqual(await Promise.all([first, other]), [1, 9]);
  await Promise.resolve().then(() => undefined);
  t.is(ends.length, 3);
  ends[2]?.(2);
  t.deepEqual(await Promise.all([second, third]), [2, 2]);
});

test('a reading that fails fails the calls that shared it, and no later one', async (t) => {
  const sharedRead = createSharedReads<number>();
  await t.throwsAsync(
    sharedRead('a', () => Promise.reject(new Error('out of reach'))),
    { message: 'out of reach' },
  );
  t.is(await sharedRead('a', () => Promise.resolve(1)), 1);
});

test('an answer is given again for as long as it says, and then read anew', async (t) => {
  const answers = { minute: 0, moment: 0, none: 0 };
  const sharedRead = createSharedReads<{ readonly key: keyof typeof answers; readonly count: number }>(
    ({ key }) => ({ minute: 60_000, moment: 1, none: 0 })[key],
  );
  const countOf = async (key: keyof typeof answers) =>
    (await sharedRead(key, () => Promise.resolve({ key, count: (answers[key] += 1) }))).count;
  for (const key of ['minute', 'moment', 'none'] as const) t.is(await countOf(key), 1);
  t.is(await countOf('minute'), 1);
  t.is(await countOf('none'), 2);
  await until('the moment is over', async () => (await countOf('moment')) > 1);
});

test('sums over few rows are never old, those over many by a minute at most', (t) => {
  t.deepEqual([0, 20_000, 100_000, 10_000_000].map(keptMsOfSums), [0, 0, 2_000, 60_000]);
});
