import test from 'ava';
import { createThrottle } from '../../platform/concurrency/throttle.ts';

/** Work that takes its time by a clock of the test's own, and what was seen of it. */
function aProcess() {
  let nowMs = 0;
  let running = 0;
  let most = 0;
  const rests: number[] = [];
  const throttle = createThrottle({
    clock: () => nowMs,
    rest: (ms) => {
      rests.push(ms);
      return Promise.resolve();
    },
  });
  const work = async (): Promise<string> => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    nowMs += 100;
    running -= 1;
    return 'done';
  };
  return { throttle, work, rests, most: () => most, pass: (ms: number) => (nowMs += ms) };
}

const eight = Array.from({ length: 8 });

test('while nothing is urgent four are worked on at once, without a rest', async (t) => {
  const { throttle, work, rests, most } = aProcess();
  t.deepEqual(new Set(await Promise.all(eight.map(() => throttle.pass(work)))), new Set(['done']));
  t.is(most(), 4);
  t.deepEqual(rests, []);
});

test('while something is urgent it is one after the other, each with a rest of three times its length', async (t) => {
  const { throttle, work, rests, most } = aProcess();
  throttle.notice();
  await Promise.all(eight.map(() => throttle.pass(work)));
  t.is(most(), 1);
  t.deepEqual(
    rests,
    eight.map(() => 300),
  );
});

test('what becomes urgent while four are at work has them rest, and those behind come one after the other', async (t) => {
  const { throttle, work, rests } = aProcess();
  const begun = eight.map(() => throttle.pass(work));
  throttle.notice();
  const one = throttle.pass(work);
  await Promise.all([...begun, one]);
  t.is(rests.length, 9);
});

test('15 s after the last of it the other work goes on as before', async (t) => {
  const { throttle, work, rests, most, pass } = aProcess();
  throttle.notice();
  pass(14_999);
  t.true(throttle.isPressed());
  pass(1);
  t.false(throttle.isPressed());
  await Promise.all(eight.map(() => throttle.pass(work)));
  t.is(most(), 4);
  t.deepEqual(rests, []);
});

test('work that fails fails its caller and keeps no other waiting; a long one rests for 1 s', async (t) => {
  const { throttle, work, rests, pass } = aProcess();
  throttle.notice();
  const failing = throttle.pass(() => Promise.reject(new Error('no')));
  const long = throttle.pass(() => {
    pass(14_000);
    return work();
  });
  await t.throwsAsync(failing, { message: 'no' });
  t.is(await long, 'done');
  t.deepEqual(rests, [1_000]);
});
