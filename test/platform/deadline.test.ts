import test from 'ava';
import { startDeadline } from '../../platform/concurrency/deadline.ts';

const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', resolve));

test('a deadline aborts when its time is up and says that it was the time', async (t) => {
  const deadline = startDeadline(5);
  await aborted(deadline.signal);
  t.true(deadline.hasExpired());
});

test('the caller may give up earlier, which is no expiry', (t) => {
  const caller = new AbortController();
  const deadline = startDeadline(60_000, caller.signal);
  caller.abort();
  t.true(deadline.signal.aborted);
  t.false(deadline.hasExpired());
  deadline.stop();
});

test('a caller who gave up before is heard at once', (t) => {
  const deadline = startDeadline(60_000, AbortSignal.abort());
  t.true(deadline.signal.aborted);
  deadline.stop();
});

test('a stopped deadline never fires and no longer listens to the caller', (t) => {
  const caller = new AbortController();
  const deadline = startDeadline(60_000, caller.signal);
  deadline.stop();
  caller.abort();
  t.false(deadline.signal.aborted);
});

test('the time stands still during other work, and goes on afterwards', async (t) => {
  const deadline = startDeadline(30);
  await deadline.without(() => aborted(startDeadline(60).signal));
  t.false(deadline.hasExpired());
  await aborted(deadline.signal);
  t.true(deadline.hasExpired());
});

test('a deadline that stood still until it was stopped never fires', async (t) => {
  const caller = new AbortController();
  const deadline = startDeadline(5, caller.signal);
  await t.throwsAsync(
    deadline.without(async () => {
      await aborted(startDeadline(10).signal);
      throw new Error('no room');
    }),
  );
  deadline.stop();
  await aborted(startDeadline(10).signal);
  t.false(deadline.hasExpired());
});
