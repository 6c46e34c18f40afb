import test from 'ava';
import { BufferPool } from '../../platform/buffer-pool.ts';

test('a buffer that was given back is taken again by what needs about as much', (t) => {
  const pool = new BufferPool();
  const [first, second] = [pool.take(2_500_000), pool.take(2_500_000)];
  t.true(first.length >= 2_500_000);
  t.not(first, second);
  pool.giveBack(first);
  t.is(pool.take(2_900_000), first);
  t.not(pool.take(2_900_000), first);
  t.true(pool.take(30_000_000).length >= 30_000_000);
});

test('no more than 64 MB lie unused, and the size that was used last is kept', (t) => {
  const pool = new BufferPool();
  const large = Array.from({ length: 4 }, () => pool.take(20_000_000));
  const small = Array.from({ length: 30 }, () => pool.take(1_000_000));
  for (const buffer of [...large, ...small]) pool.giveBack(buffer);
  t.true(Array.from({ length: 30 }, () => pool.take(1)).every((buffer) => small.includes(buffer)));
  const takenAgain = Array.from({ length: 4 }, () => pool.take(20_000_000)).filter((buffer) => large.includes(buffer));
  t.is(takenAgain.length, 1);
});
