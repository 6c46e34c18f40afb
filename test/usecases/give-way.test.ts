import test from 'ava';
import { acceptWrite, inBacklog } from '../../core/items/accept-write.ts';
import { isPressing, takingShortWay } from '../../core/items/short-way.ts';
import { createGiveWay } from '../../usecases/items/give-way.ts';
import { anItem, later } from '../support/an-item.ts';

/** Work that takes its time by a clock of the test's own, and what was seen of it. */
function aProcess() {
  let nowMs = 0;
  let running = 0;
  let most = 0;
  const rests: number[] = [];
  const giveWay = createGiveWay({
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
  return { giveWay, work, rests, most: () => most, pass: (ms: number) => (nowMs += ms) };
}

const eight = Array.from({ length: 8 });

test('while nobody waits for a single write four are worked on at once, without a rest', async (t) => {
  const { giveWay, work, rests, most } = aProcess();
  t.deepEqual(new Set(await Promise.all(eight.map(() => giveWay.pass(work)))), new Set(['done']));
  t.is(most(), 4);
  t.deepEqual(rests, []);
});

test('while single writes are worked on it is one after the other, each with a rest of three times its length', async (t) => {
  const { giveWay, work, rests, most } = aProcess();
  giveWay.notice();
  await Promise.all(eight.map(() => giveWay.pass(work)));
  t.is(most(), 1);
  t.deepEqual(
    rests,
    eight.map(() => 300),
  );
});

test('15 s after the last of them it goes on as before', async (t) => {
  const { giveWay, work, rests, most, pass } = aProcess();
  giveWay.notice();
  pass(14_999);
  t.true(giveWay.isAsked());
  pass(1);
  t.false(giveWay.isAsked());
  await Promise.all(eight.map(() => giveWay.pass(work)));
  t.is(most(), 4);
  t.deepEqual(rests, []);
});

test('work that fails fails its caller and keeps nobody waiting; a long one rests for 1 s', async (t) => {
  const { giveWay, work, rests, pass } = aProcess();
  giveWay.notice();
  const failing = giveWay.pass(() => Promise.reject(new Error('no')));
  const long = giveWay.pass(() => {
    pass(14_000);
    return work();
  });
  await t.throwsAsync(failing, { message: 'no' });
  t.is(await long, 'done');
  t.deepEqual(rests, [1_000]);
});

test('a write that was nudged, or due, at once presses, what waits in the backlog or was swept does not', (t) => {
  const item = { ...anItem(), updatedAt: later(0) };
  t.true(isPressing(acceptWrite(item, later(0))));
  t.true(isPressing(takingShortWay(acceptWrite({ ...item, wantedPublication: 0 }, later(0)), later(0))));
  t.false(isPressing(inBacklog(acceptWrite(item, later(0)), later(0))));
  t.false(isPressing({ ...acceptWrite(item, later(0)), nextNudgeAt: later(10_000) }));
});
