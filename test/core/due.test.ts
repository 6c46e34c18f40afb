import test from 'ava';
import { dueFrom, retryPauseMs } from '../../core/due.ts';

test('lost starts are tried again after 2 s, twice as long each time, never more than 10 minutes apart', (t) => {
  t.deepEqual([0, 1, 2, 3, 8, 9, 20, 1_000].map(retryPauseMs), [
    ...[2_000, 4_000, 8_000, 16_000, 512_000, 600_000, 600_000, 600_000],
  ]);
});

test('work begins untried, and has no trace where none is collected', (t) => {
  const at = new Date(0);
  t.deepEqual(dueFrom('worker', at), { by: 'worker', at, tries: 0 });
  t.deepEqual(dueFrom('backlog', at, { traceparent: 'x' }), {
    ...{ by: 'backlog', at, tries: 0 },
    trace: { traceparent: 'x' },
  });
});
