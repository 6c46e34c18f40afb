import test from 'ava';
import { createKeyedMutex } from '../../platform/concurrency/keyed-mutex.ts';

test('work under one key runs one after the other, in the order given, also after a failure', async (t) => {
  const runExclusive = createKeyedMutex();
  const steps: string[] = [];
  const work = (name: string) => async () => {
    steps.push(`${name} begins`);
    await Promise.resolve();
    steps.push(`${name} ends`);
    if (name === 'b') throw new Error('b fails');
    return name;
  };
  const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => runExclusive('key', work(name))));
  t.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  t.deepEqual(
    steps,
    ['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
});

test('work under another key does not wait', async (t) => {
  const runExclusive = createKeyedMutex();
  let release = (): void => undefined;
  const held = runExclusive('one', () => new Promise<void>((resolve) => (release = resolve)));
  t.is(await runExclusive('other', () => Promise.resolve('done')), 'done');
  release();
  await held;
});
