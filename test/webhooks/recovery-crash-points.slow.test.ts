import test, { type ExecutionContext } from 'ava';
import { ok } from '../support/delivery-life.ts';
import type { Around } from '../support/around-store.ts';
import { recoveryLives } from '../support/open-recovery-life.ts';
import { answered, names, type RecoveryLife, type RecoveryProcess } from '../support/recovery-life.ts';

// A run of four events, of which the third is refused, is stopped at every point there is; another process goes on with what is in
// the database.

const openLife = recoveryLives(test);

class Crash extends Error {}
const events = names('item', 4);
const refused = 'item002';
const gotThrough = events.filter((name) => name !== refused);

async function openRun(t: ExecutionContext): Promise<RecoveryLife> {
  const life = await openLife(t, { autoRecover: true, isCrash: (error) => error instanceof Crash });
  // Refused for good: 410 ends a delivery with its first attempt.
  life.answer = (name) => (name === refused ? answered(410) : ok);
  const process = life.process();
  await process.change({ active: false });
  await life.happen(events);
  await process.change({ active: true });
  await process.sweep();
  return life;
}

/** What another process makes of the run that this one leaves behind. */
async function runWith(life: RecoveryLife, dying: RecoveryProcess, isDead: () => boolean): Promise<void> {
  const sound = life.process();
  // Long enough for whatever was interrupted, and short of the next automatic run.
  const { recoverAt } = await life.row();
  if (recoverAt !== null) throw new Error('another run is planned');
  for (let second = 0; second < 120 && (await life.recoveries())[0]?.state === 'running'; second += 1)
    await life.pass(1_000, () => (isDead() ? sound : dying));
}

async function assertEnd(t: ExecutionContext, life: RecoveryLife): Promise<void> {
  t.like(await life.recoveries(), [{ state: 'finished', total: 4, sent: 3, failed: 1, current: null }]);
  t.deepEqual(
    (await life.deliveries({ missed: true })).map(({ externalId }) => externalId),
    [refused],
  );
  t.is((await life.deliveries({ purpose: 'recovery' })).length, 4, 'one delivery for each, none left behind');
  t.deepEqual(await life.deliveries({ state: 'pending' }), []);
  t.like(await life.row(), { failCount: 0, active: true });
  t.true((await life.row()).recoverAt !== null, 'what is still missed is tried again');
}

const inOrder = (arrived: readonly { name: string }[]): string[] => [...new Set(arrived.map(({ name }) => name))];

// One to take each event, one for its outcome, one to count it, and the end.
const transactions = 3 * events.length + 1;
for (let nth = 1; nth <= transactions; nth += 1) {
  for (const point of ['before', 'commit', 'after'] as const) {
    test.serial(`stopped ${point} transaction ${nth} of ${transactions} of a run`, async (t) => {
      const life = await openRun(t);
      const seen = { before: 0, commit: 0, after: 0 };
      let isDead = false;
      const dying = life.process({
        tap: (at) => {
          seen[at] += 1;
          if (at !== point || seen[at] !== nth) return;
          isDead = true;
          throw new Crash();
        },
      });
      await runWith(life, dying, () => isDead);
      t.true(isDead);
      await assertEnd(t, life);
      const isOutcomeLost = nth % 3 === 2 && point !== 'after';
      const extra = isOutcomeLost ? 1 : 0;
      t.is(life.arrived.length, events.length + extra, 'only what was sent without an outcome comes again');
      t.deepEqual(inOrder(life.arrived), events);
    });
  }
}

for (const point of ['before', 'after'] as const) {
  for (const n of events.keys()) {
    test.serial(`stopped ${point} the request of event ${n + 1} of a run`, async (t) => {
      const life = await openRun(t);
      let isDead = false;
      const dying = life.process({ around: dyingAt(point, n, () => (isDead = true)) });
      await runWith(life, dying, () => isDead);
      t.true(isDead);
      await assertEnd(t, life);
      t.is(life.arrived.length, events.length + (point === 'after' ? 1 : 0));
      t.deepEqual(inOrder(life.arrived), events);
      t.deepEqual([...new Set(life.got())], gotThrough);
    });
  }
}

function dyingAt(point: 'before' | 'after', nth: number, die: () => void): Around {
  let count = 0;
  return async (step, take) => {
    const isTheOne = step === 'send' && count === nth;
    if (step === 'send') count += 1;
    if (isTheOne) die();
    if (isTheOne && point === 'before') throw new Crash();
    const result = await take();
    if (isTheOne) throw new Crash();
    return result;
  };
}

test.serial('two processes in the same run at once: every event once and in order, and counted once', async (t) => {
  const life = await openRun(t);
  const work = async (): Promise<void> => {
    const process = life.process();
    while ((await process.sendMissed()) !== 'none') await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await Promise.all([work(), work(), work()]);
  await assertEnd(t, life);
  t.deepEqual(
    life.arrived.map(({ name }) => name),
    events,
  );
});

test.serial('a process that counts an outcome late, after another one has gone on, counts nothing', async (t) => {
  const life = await openRun(t);
  const sound = life.process();
  let count = 0;
  const slow = life.process({
    tap: async (at) => {
      if (at !== 'before') return;
      count += 1;
      if (count === 3) await sound.sendMissed();
    },
  });
  await slow.workReceiver(false);
  await assertEnd(t, life);
  t.is(life.arrived.length, events.length);
});
