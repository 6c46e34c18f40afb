import test from 'ava';
import { LaneQueue } from '../../usecases/deliveries/lane-queue.ts';

function filled(...entries: readonly (readonly [target: string, entry: number])[]): LaneQueue<number> {
  const queue = new LaneQueue<number>();
  for (const [target, entry] of entries) queue.add(target, entry);
  return queue;
}

test('each target’s come in their order, and a target that had its turn comes after all others', (t) => {
  const queue = filled(['a', 1], ['a', 2], ['b', 3], ['a', 4], ['c', 5]);
  const taken: (number | undefined)[] = [];
  while (queue.size > 0) taken.push(queue.takeOne(queue.targets()[0] ?? ''));
  t.deepEqual(taken, [1, 3, 5, 2, 4]);
  t.deepEqual(queue.targets(), []);
});

test('a whole line is taken at once, and others stay', (t) => {
  const queue = filled(['a', 1], ['b', 2], ['a', 3]);
  t.deepEqual(queue.takeAll('a'), [1, 3]);
  t.deepEqual([queue.size, queue.targets()], [1, ['b']]);
});

test('of a target that has no line nothing is taken', (t) => {
  const queue = filled(['a', 1]);
  t.is(queue.takeOne('b'), undefined);
  t.deepEqual(queue.takeAll('b'), []);
  t.is(queue.size, 1);
});
