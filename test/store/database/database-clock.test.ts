import test from 'ava';
import { DatabaseClock } from '../../../store/database/database-clock.ts';
import { readDatabaseTime } from '../../../store/database/connection.ts';
import { closeTestStore, openTestStore } from '../../support/open-test-store.ts';

test('a process whose own clock is wrong has the database’s time, to half the time that the question took', async (t) => {
  const store = await openTestStore();
  t.teardown(() => closeTestStore(store));
  const wrong = new DatabaseClock(performance.timeOrigin + 3_600_000);
  const askedAt = performance.now();
  const told = await readDatabaseTime({ ...store, clock: wrong });
  const tookMs = performance.now() - askedAt;
  t.true(Math.abs(wrong.now().getTime() - told.getTime()) <= tookMs + 1);
});

test('what the database told is taken for its time in the middle between question and answer', (t) => {
  const clock = new DatabaseClock();
  const told = new Date('2026-11-21T12:00:00Z');
  clock.learn(told, performance.now() - 1_000);
  const aheadMs = clock.now().getTime() - told.getTime();
  t.true(aheadMs >= 499 && aheadMs < 700, `${aheadMs}`);
});

test('between two answers time only goes forward, however the machine’s clock is set', (t) => {
  const clock = new DatabaseClock();
  clock.learn(new Date(0), performance.now());
  const original = Date.now;
  t.teardown(() => {
    Date.now = original;
  });
  const times: number[] = [];
  for (const machine of [1e12, 2e12, 0]) {
    Date.now = () => machine;
    times.push(clock.now().getTime());
  }
  t.deepEqual(
    times,
    times.toSorted((one, other) => one - other),
  );
  t.true((times.at(-1) ?? Infinity) < 10_000);
});
