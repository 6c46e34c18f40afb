import test from 'ava';
import { attemptFigures } from '../../features/webhooks/rules/attempt-figures.ts';

const anAttempt = (durationMs: number, httpStatus: number | null = 200) => ({
  durationMs,
  httpStatus,
  status: httpStatus === 200 ? ('success' as const) : ('failed' as const),
});

test('of a hundred answers half are within the median, and 95 within p95, in any order', (t) => {
  const attempts = Array.from({ length: 100 }, (_, n) => anAttempt(((n * 37) % 100) + 1));
  t.deepEqual(attemptFigures(attempts), { attempts: 100, succeeded: 100, successRate: 1, medianMs: 50, p95Ms: 95 });
});

test('what was not answered counts as failed, and has no response time', (t) => {
  const figures = attemptFigures([anAttempt(20), anAttempt(40, 500), anAttempt(1, null), anAttempt(10_000, null)]);
  t.deepEqual(figures, { attempts: 4, succeeded: 1, successRate: 0.25, medianMs: 20, p95Ms: 40 });
});

test('no attempt has no rate and no times', (t) => {
  const nothing = { attempts: 0, succeeded: 0, successRate: null, medianMs: null, p95Ms: null };
  t.deepEqual(attemptFigures([]), nothing);
});
