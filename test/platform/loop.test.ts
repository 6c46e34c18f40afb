import test from 'ava';
import { pino } from 'pino';
import { startLoop, type RoundOutcome } from '../../platform/loop.ts';

test('every round of a loop is told with what it came to and how long it took', async (t) => {
  const rounds = [() => Promise.resolve(true), () => Promise.resolve(false), () => Promise.reject(new Error('away'))];
  const told: RoundOutcome[] = [];
  const all = new Promise<void>((resolve) => {
    const loop = startLoop(() => rounds.shift()?.() ?? Promise.resolve(false), {
      name: 'test',
      idleMs: 1,
      logger: pino({ level: 'silent' }),
      onRound: (outcome, seconds) => {
        t.true(seconds >= 0);
        told.push(outcome);
        if (told.length === 3) loop.stop().then(resolve, resolve);
      },
    });
  });
  await all;
  t.deepEqual(told, ['worked', 'idle', 'failed']);
});
