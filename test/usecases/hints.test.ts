import test from 'ava';
import { OrchestratorUnavailable } from '../../gateways/orchestrator/port.ts';
import { createLogger } from '../../platform/logger.ts';
import { createHints, hintAll } from '../../usecases/hints.ts';

const silent = createLogger('test', 'silent');

test('hints with the same key that wait together are sent once', async (t) => {
  const hints = createHints(silent);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const sent: string[] = [];
  for (const blocker of ['a', 'b', 'c', 'd']) hints.send(blocker, () => held);
  for (let n = 0; n < 100; n += 1) {
    hints.send('item', async () => {
      sent.push('item');
    });
  }
  release();
  await hints.drain();
  t.deepEqual(sent, ['item']);
});

test('a hint that comes while the same one is being sent is sent again: it may tell of a later write', async (t) => {
  const hints = createHints(silent);
  let count = 0;
  const hint = async (): Promise<void> => {
    count += 1;
    if (count === 1) hints.send('item', hint);
  };
  hints.send('item', hint);
  await hints.drain();
  await hints.drain();
  t.is(count, 2);
});

test('a lost hint harms nobody', async (t) => {
  const hints = createHints(silent);
  hints.send('item', () => Promise.reject(new Error('engine away')));
  await t.notThrowsAsync(hints.drain());
});

test('hints that are left when the process stops are each counted as given up', async (t) => {
  const lost: string[] = [];
  // None of them is ever sent, however long the wait is.
  const hints = createHints(silent, (how) => lost.push(how), { drainMaxMs: 50 });
  for (let n = 0; n < 6; n += 1) hints.send(`item ${n}`, () => new Promise(() => undefined));
  await hints.drain();
  t.deepEqual(lost, Array(6).fill('given_up'));
});

test('a sweep gives back only the rows whose hint certainly was not taken', async (t) => {
  const outcomes: Record<string, Error | undefined> = {
    taken: undefined,
    late: new Error('deadline exceeded'),
    away: new OrchestratorUnavailable(new Error('no connection')),
  };
  const lost = await hintAll(Object.keys(outcomes), async (row) => {
    const outcome = outcomes[row];
    if (outcome !== undefined) throw outcome;
  });
  t.deepEqual(lost, ['away']);
});
