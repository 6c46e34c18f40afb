import test from 'ava';
import { createSharedReads } from '../../platform/concurrency/shared-reads.ts';

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
