import test from 'ava';
import { retryPauseMs } from '../../features/rules/backoff.ts';

test('lost starts are tried again after 2 s, twice as long each time, never more than 10 minutes apart', (t) => {
  t.deepEqual([0, 1, 2, 3, 8, 9, 20, 1_000].map(retryPauseMs), [
    ...[2_000, 4_000, 8_000, 16_000, 512_000, 600_000, 600_000, 600_000],
  ]);
});
