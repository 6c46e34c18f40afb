import test from 'ava';
import { batchReads } from '../../platform/database/batch.ts';
import { aGate } from '../support/a-gate.ts';

/** A damaged row is an Error among the answers, and one group can't be read at all. */
function aReader() {
  const asked: string[] = [];
  const read = batchReads<string, string>((group, keys) => {
    asked.push(`${group}: ${keys.join(' ')}`);
    if (group === 'broken') return Promise.reject(new Error('no answer'));
    const rows = keys.filter((key) => key !== 'nobody');
    return Promise.resolve(
      new Map(rows.map((key) => [key, key === 'damaged' ? new Error('damaged') : `${key} of ${group}`])),
    );
  });
  return { asked, read };
}

test('what is asked at once is one query for each group, and each caller gets the answer of its own group', async (t) => {
  const { asked, read } = aReader();
  const wishes = [
    ['a', 'A1'],
    ['b', 'A1'],
    ['a', 'A2'],
    ['a', 'A1'],
    ['b', 'nobody'],
  ] as const;
  const answers = await Promise.all(wishes.map(([group, key]) => read(group, key)));
  t.deepEqual(answers, ['A1 of a', 'A1 of b', 'A2 of a', 'A1 of a', undefined]);
  t.deepEqual(asked, ['a: A1 A2', 'b: A1 nobody']);
});

test('a row that is damaged and a group that can’t be read fail those who asked for them alone', async (t) => {
  const { read } = aReader();
  const [damaged, sound, broken, other] = await Promise.allSettled([
    read('a', 'damaged'),
    read('a', 'A1'),
    read('broken', 'A1'),
    read('b', 'A1'),
  ]);
  t.like(damaged, { status: 'rejected', reason: { message: 'damaged' } });
  t.like(broken, { status: 'rejected', reason: { message: 'no answer' } });
  t.deepEqual(
    [sound, other].map((one) => one?.status),
    ['fulfilled', 'fulfilled'],
  );
});

test('nobody is answered from a query that began before the call', async (t) => {
  let stored = 'old';
  const [begun, answered] = [aGate(), aGate()];
  const read = batchReads<string, string>(async (_group, keys) => {
    const seen = stored;
    begun.open();
    await answered.opened;
    return new Map(keys.map((key) => [key, seen]));
  });
  const before = read('a', 'A1');
  await begun.opened;
  stored = 'new';
  const after = read('a', 'A1');
  answered.open();
  t.deepEqual(await Promise.all([before, after]), ['old', 'new']);
});
