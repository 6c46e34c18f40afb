import test from 'ava';
import { DatabaseClock, readDatabaseTime } from '../../platform/database/connection.ts';
import { whileMachineShows } from '../support/clock.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';

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

test('a process that was paused while it asked keeps the time that it had', (t) => {
  const clock = new DatabaseClock();
  const told = new Date('2026-11-21T12:00:00Z');
  clock.learn(told, performance.now() - 20);
  clock.learn(told, performance.now() - 40_000);
  const aheadMs = clock.now().getTime() - told.getTime();
  t.true(aheadMs >= 9 && aheadMs < 200, `${aheadMs}`);
});

test('a network that has become slow is learned from, once what was known before is old', (t) => {
  const clock = new DatabaseClock();
  const told = new Date('2026-11-21T12:00:00Z');
  const later = new Date('2026-11-21T13:00:00Z');
  const original = performance.now.bind(performance);
  let at = 0;
  performance.now = () => at;
  try {
    clock.learn(told, -2);
    at = 60_000;
    clock.learn(later, at - 400);
    t.is(clock.now().getTime(), later.getTime() + 200);
  } finally {
    // At once: other tests run beside this one.
    performance.now = original;
  }
});

test('between two answers time only goes forward, however the machine’s clock is set', (t) => {
  const clock = new DatabaseClock();
  clock.learn(new Date(0), performance.now());
  const times = [1e12, 2e12, 0].map((machineMs) => whileMachineShows(machineMs, () => clock.now().getTime()));
  t.deepEqual(
    times,
    times.toSorted((one, other) => one - other),
  );
  t.true((times.at(-1) ?? Infinity) < 10_000);
});
