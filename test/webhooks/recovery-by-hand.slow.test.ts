import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { Refusal } from '../../features/rules/errors.ts';
import { aGate } from '../support/a-gate.ts';
import { recoveryId } from '../../features/rules/ids.ts';
import { until } from '../support/until.ts';
import { ok } from '../support/delivery-life.ts';
import { minuteMs, missedOf, recoveryLives } from '../support/open-recovery-life.ts';
import { answered, firstOf, names, type LifeWish, type RecoveryLife } from '../support/recovery-life.ts';

// What people do beside a recovery: redeliver, ask twice, switch things off; and what the engine's absence does to it.

const openLife = recoveryLives(test);

/** An endpoint that is enabled and missed these. */
async function openMissed(t: ExecutionContext, missed: readonly string[], wish?: LifeWish): Promise<RecoveryLife> {
  const life = await openLife(t, wish);
  const process = life.process();
  await process.change({ active: false });
  await life.happen(missed);
  await process.change({ active: true });
  return life;
}

const isConflict = (error: unknown): boolean => error instanceof Refusal && error.code === 'CONFLICT';

/** Lets everybody on when so many have come. */
function meeting(count: number): () => Promise<void> {
  let come = 0;
  const gate = aGate();
  return () => {
    come += 1;
    if (come === count) gate.open();
    return gate.opened;
  };
}

test.serial('a recovery passes over an event that is being redelivered: it is sent once', async (t) => {
  const life = await openMissed(t, ['one', 'two']);
  const process = life.process();
  await process.redeliver(await firstOf(life, 'one'));
  const { total } = await process.recover();
  t.is(total, 2);
  await process.workReceiver(false);
  t.deepEqual(life.got(), ['two']);
  await life.pass(minuteMs);
  t.deepEqual(life.got(), ['two', 'one']);
  t.like(await life.recoveries(), [{ state: 'finished', sent: 1, failed: 0 }]);
  t.is(await missedOf(life), 0);
});

test.serial('two redeliveries of one event at once: one is made, the other is refused', async (t) => {
  const life = await openMissed(t, ['one']);
  const met = meeting(2);
  const first = await firstOf(life, 'one');
  const caller = () => life.process({ tap: (at) => (at === 'before' ? met() : undefined) });
  const both = await Promise.allSettled([caller().redeliver(first), caller().redeliver(first)]);
  t.is(both.filter(({ status }) => status === 'fulfilled').length, 1);
  t.true(both.some((end) => end.status === 'rejected' && isConflict(end.reason)));
  await life.pass(minuteMs);
  t.deepEqual(life.got(), ['one']);
});

test.serial('a redelivery and a recovery of one event at the same moment: it is sent once', async (t) => {
  const life = await openMissed(t, ['one']);
  const met = meeting(2);
  const first = await firstOf(life, 'one');
  await life.process().recover();
  const racer = () => life.process({ tap: (at) => (at === 'before' ? met() : undefined) });
  await Promise.allSettled([racer().redeliver(first), racer().sendMissed()]);
  await life.pass(minuteMs);
  t.deepEqual(life.got(), ['one']);
});

test.serial('an event whose redelivery fails stays missed, and the next run sends it', async (t) => {
  const life = await openMissed(t, ['one']);
  const process = life.process();
  life.answer = () => answered(500);
  await process.redeliver(await firstOf(life, 'one'));
  await life.pass(minuteMs);
  t.is(life.arrived.length, 5);
  t.is(await missedOf(life), 1);
  t.like(await life.row(), { failCount: 0 });
  life.answer = () => ok;
  await process.recover();
  await life.pass(minuteMs);
  t.deepEqual(life.got(), ['one']);
});

test.serial(
  'a delivery that is closed by one worker after another has begun its attempt goes on, and is logged',
  async (t) => {
    const life = await openLife(t);
    const [closing, mayClose, sent, mayAnswer] = [aGate(), aGate(), aGate(), aGate()];
    const sound = life.process();
    await life.happen(['one']);
    await sound.change({ active: false });
    const slow = life.process({
      around: async (step, take) => {
        if (step === 'updateOne deliveries') {
          closing.open();
          await mayClose.opened;
        }
        return take();
      },
    });
    const id = await firstOf(life, 'one');
    const closed = slow.attempt(id, 1);
    await closing.opened;
    await sound.change({ active: true });
    life.answer = async () => {
      sent.open();
      await mayAnswer.opened;
      return ok;
    };
    const attempt = sound.attempt(id, 1);
    await sent.opened;
    mayClose.open();
    await closed;
    t.like(await life.deliveries(), [{ state: 'pending', attempts: 1 }]);
    mayAnswer.open();
    await attempt;
    t.like(await life.deliveries(), [{ state: 'succeeded', attempts: 1, missed: false }]);
    const log = life.store.connection.collection('delivery_attempts');
    t.like(await log.find({ accountId: life.account }).toArray(), { length: 1, 0: { attempt: 1, status: 'success' } });
  },
);

test.serial('a late close does not undo an attempt that has already failed and waits for its next', async (t) => {
  const life = await openLife(t);
  const sound = life.process();
  await life.happen(['one']);
  const id = await firstOf(life, 'one');
  await sound.change({ active: false });
  life.answer = () => answered(500);
  const slow = life.process({
    around: async (step, take) => {
      if (step === 'updateOne deliveries') {
        await sound.change({ active: true });
        await sound.attempt(id, 1);
      }
      return take();
    },
  });
  await slow.attempt(id, 1);
  t.like(await life.deliveries(), [{ state: 'pending', attempts: 1 }]);
});

test.serial('autoRecover that is switched off before a run begins: it does not begin', async (t) => {
  const life = await openMissed(t, ['one'], { autoRecover: true });
  await life.process().change({ autoRecover: false });
  await life.pass(5 * minuteMs);
  t.deepEqual(await life.recoveries(), []);
});

test.serial('autoRecover that is switched off while a sweep looks: the run does not begin', async (t) => {
  const life = await openMissed(t, ['one'], { autoRecover: true });
  const sound = life.process();
  let isOff = false;
  const sweeping = life.process({
    tap: async (at) => {
      if (at !== 'before' || isOff) return;
      isOff = true;
      await sound.change({ autoRecover: false });
    },
  });
  await sweeping.sweep();
  t.true(isOff);
  t.deepEqual(await life.recoveries(), []);
});

test.serial('autoRecover that is switched off while a run goes on: it stops and says so', async (t) => {
  const missed = names('item', 5);
  const life = await openMissed(t, missed, { autoRecover: true });
  const sound = life.process();
  life.answer = async (name) => {
    if (name === missed[1]) await sound.change({ autoRecover: false });
    return ok;
  };
  await life.pass(5 * minuteMs);
  t.deepEqual(life.got(), missed.slice(0, 2));
  t.like(await life.recoveries(), [{ state: 'stopped', stoppedBecause: 'autoRecover was switched off', sent: 2 }]);
  t.is(await missedOf(life), 3);
});

test.serial('a run that somebody asked for goes on when autoRecover is switched off', async (t) => {
  const missed = names('item', 5);
  const life = await openMissed(t, missed);
  const sound = life.process();
  life.answer = async (name) => {
    if (name === missed[1]) await sound.change({ autoRecover: false });
    return ok;
  };
  await sound.recover();
  await life.pass(minuteMs);
  t.deepEqual(life.got(), missed);
});

test.serial('an endpoint whose run cannot begin does not keep the others from theirs', async (t) => {
  const lives = [
    await openMissed(t, ['a'], { autoRecover: true }),
    await openMissed(t, ['b'], { autoRecover: true }),
    await openMissed(t, ['c'], { autoRecover: true }),
  ];
  const [first, ...others] = lives;
  if (first === undefined) throw new Error('no life');
  let count = 0;
  const broken = first.process({
    tap: (at) => {
      if (at !== 'before') return;
      count += 1;
      if (count === 1) throw new Error('its record is broken');
    },
  });
  await t.throwsAsync(broken.sweep(), { message: 'its record is broken' });
  const begun = await Promise.all(lives.map((life) => life.recoveries()));
  t.is(begun.flat().length, 2);
  // The relay of the first has taken their starts with it, and another one looks after them. Each relay sees the rows of all, so
  // their clocks agree.
  let { ms } = first.clock;
  for (const life of others) {
    life.clock.ms = ms;
    await life.pass(120_000);
    ({ ms } = life.clock);
  }
  t.deepEqual(
    others.map((life) => life.got()),
    [['b'], ['c']],
  );
});

test.serial('while the engine is away, the starts of runs are tried again every 2 s', async (t) => {
  const life = await openMissed(t, ['one'], { autoRecover: true });
  await life.process().sweep();
  life.engine.isAway = true;
  life.clock.ms += 120_000;
  await life.process().sweep();
  const dueIn = async (): Promise<number> => ((await life.row()).startAt?.getTime() ?? 0) - life.clock.ms;
  await t.notThrowsAsync(until('the start is due again', async () => (await dueIn()) === 2_000, 5_000));
  await life.pass(minuteMs);
  t.deepEqual(life.arrived, []);
  life.engine.isAway = false;
  await life.pass(2_000);
  t.deepEqual(life.got(), ['one']);
});

test.serial('a recovery by hand whose start was lost is started by the sweep', async (t) => {
  const life = await openMissed(t, ['one']);
  life.engine.isAway = true;
  await life.process().recover();
  life.engine.isAway = false;
  await life.pass(3_000);
  t.deepEqual(life.got(), ['one']);
});

test.serial('two calls with the same reserved id at once begin one run, and both are told of it', async (t) => {
  const life = await openMissed(t, ['one']);
  const reserved = recoveryId(randomUUID());
  const met = meeting(2);
  const caller = () => life.process({ newId: () => reserved, tap: (at) => (at === 'before' ? met() : undefined) });
  const [one, other] = await Promise.all([caller().recover(), caller().recover()]);
  t.is(one.id, reserved);
  t.is(other.id, reserved);
  t.is((await life.recoveries()).length, 1);
});

test.serial('a call with the same reserved id that comes late, when the run has ended: the same run', async (t) => {
  const life = await openMissed(t, ['one']);
  const reserved = recoveryId(randomUUID());
  const late = life.process({
    newId: () => reserved,
    tap: async (at) => {
      if (at !== 'before' || (await life.recoveries()).length > 0) return;
      await life.process({ newId: () => reserved }).recover();
      await life.pass(minuteMs);
    },
  });
  t.is((await late.recover()).id, reserved);
  t.is((await life.recoveries()).length, 1);
});

test.serial('a redelivery to an endpoint that has another scope now is refused', async (t) => {
  const life = await openMissed(t, ['one']);
  const set = { $set: { scope: 'members' } };
  await life.store.connection.collection('webhook_endpoints').updateOne({ accountId: life.account }, set);
  const error = await t.throwsAsync(life.process().redeliver(await firstOf(life, 'one')));
  t.true(isConflict(error));
  t.regex(error?.message ?? '', /another scope/);
});

test.serial(
  'a redelivery that gets through to a disabled endpoint changes neither failCount nor the reason',
  async (t) => {
    const life = await openLife(t, { autoRecover: true });
    life.answer = () => answered(410);
    await life.happen(names('item', 15));
    await life.pass(minuteMs);
    const before = await life.row();
    t.like(before, { active: false, failCount: 15, recoverAt: null });
    t.regex(String(before.disabledReason), /15 deliveries/);
    life.answer = () => ok;
    await life.process().redeliver(await firstOf(life, 'item000'));
    await life.pass(minuteMs);
    t.deepEqual(life.got(), ['item000']);
    t.deepEqual({ ...(await life.row()), startAt: null }, { ...before, startAt: null });
    t.deepEqual(await life.recoveries(), []);
    t.is(await missedOf(life), 14);
  },
);

test.serial(
  'a delivery of an event that ends well after the endpoint was disabled leaves its count and reason alone',
  async (t) => {
    const life = await openLife(t, { autoRecover: true });
    life.answer = () => answered(410);
    await life.happen(names('item', 15));
    const [slow] = await life.deliveries({ externalId: 'item000' });
    if (slow === undefined) throw new Error('no delivery');
    const mayAnswer = aGate();
    const sent = aGate();
    life.answer = async (name) => {
      if (name !== 'item000') return answered(410);
      sent.open();
      await mayAnswer.opened;
      return ok;
    };
    const attempt = life.process().attempt(slow._id, 1);
    await sent.opened;
    await life.happen(['item015']);
    await life.pass(1_000);
    const before = await life.row();
    t.like(before, { active: false, failCount: 15 });
    mayAnswer.open();
    await attempt;
    t.deepEqual(life.got(), ['item000']);
    t.deepEqual(await life.row(), before);
  },
);
