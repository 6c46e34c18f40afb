import test from 'ava';
import { waitingDeliveries } from '../../features/webhooks/store/make-deliveries.ts';
import { accountId } from '../../features/rules/ids.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { insertDeliveries } from '../../features/webhooks/store/deliveries.ts';
import { insertEvents } from '../../features/webhooks/store/events.ts';
import { findTargets } from '../../features/webhooks/store/webhook-targets.ts';
import { aDueEvent } from '../support/stored-events.ts';
import { ok } from '../support/delivery-life.ts';
import { minuteMs, missedOf, recoveryLives } from '../support/open-recovery-life.ts';
import { addMember, answered, names, removeMember } from '../support/recovery-life.ts';

// Which events a recovery sends, in which order, and what it passes over. One life at a time: the sweeps see all that is due.

const openLife = recoveryLives(test);

const hourMs = 60 * minuteMs;

for (const [when, isEnabledFirst] of [
  ['before the run looks again', true],
  ['after the run has stopped', false],
] as const) {
  test.serial(
    `disabled at a run's last event, 40 events held, enabled ${when}: all 40 are sent by themselves`,
    async (t) => {
      const life = await openLife(t, { autoRecover: true });
      const sound = life.process();
      const [few, many] = [names('few', 3), names('many', 40)];
      await sound.change({ active: false });
      await life.happen(few);
      await sound.change({ active: true });
      let isDone = false;
      const process = life.process({
        pause: async () => {
          if (isDone || life.got().length < few.length) return;
          isDone = true;
          await sound.change({ active: false });
          await life.happen(many);
          if (isEnabledFirst) await sound.change({ active: true });
        },
      });
      await life.pass(2_000, () => process);
      t.true(isDone);
      if (!isEnabledFirst) {
        t.is(await missedOf(life), 40);
        await sound.change({ active: true });
      }
      await life.pass(5 * minuteMs);
      t.deepEqual(life.got(), [...few, ...many]);
      t.is(await missedOf(life), 0);
      t.like(await life.row(), { recoverAt: null, enabledAt: null, failCount: 0 });
    },
  );
}

test.serial(
  'an event whose retry is held back, because the endpoint was disabled in between, is sent after enabling',
  async (t) => {
    const life = await openLife(t, { autoRecover: true });
    const process = life.process();
    life.answer = () => answered(500);
    await life.happen(['early']);
    await life.pass(500);
    await process.change({ active: false });
    life.answer = () => ok;
    await life.pass(hourMs);
    t.like(await life.deliveries(), [{ state: 'held', attempts: 1, missed: true }]);
    await process.change({ active: true });
    await life.pass(5 * minuteMs);
    t.deepEqual(life.got(), ['early']);
    t.is(await missedOf(life), 0);
  },
);

test.serial(
  'an event that is held back a moment after a run of a just enabled endpoint is looked for once more',
  async (t) => {
    const life = await openLife(t, { autoRecover: true });
    const process = life.process();
    await process.change({ active: false });
    await life.happen(['first']);
    await process.change({ active: true });
    await life.pass(10_000);
    t.deepEqual(life.got(), ['first']);
    // Its transaction read the endpoint before it was enabled.
    const at = new Date(life.clock.ms);
    const { planDeliveries } = waitingDeliveries();
    await inTransaction(life.store, async (session) => {
      const targetsOf = await findTargets(life.store, [life.account], session);
      const targets = targetsOf(life.account).map((target) => ({ ...target, active: false }));
      const events = await insertEvents(life.store, [aDueEvent(life.account, 'late')], { now: at, session });
      const held = events.flatMap((event) => planDeliveries(event, targets, at));
      await insertDeliveries(life.store, held, session);
    });
    await life.pass(2 * minuteMs);
    t.deepEqual(life.got(), ['first', 'late']);
  },
);

test.serial('an event that is given up while a run goes on is not forgotten when the run ends', async (t) => {
  const life = await openLife(t, { autoRecover: true });
  const sound = life.process();
  await sound.change({ active: false });
  await life.happen(['held']);
  await sound.change({ active: true, autoRecover: false });
  // Longer than a late event could take: nothing looks again because of the enabling.
  await life.pass(10 * minuteMs);
  await sound.change({ autoRecover: true });
  let isDone = false;
  const process = life.process({
    pause: async () => {
      if (isDone) return;
      isDone = true;
      life.answer = () => answered(410);
      await life.happen(['fresh']);
      const [fresh] = await life.deliveries({ externalId: 'fresh' });
      if (fresh !== undefined) await sound.attempt(fresh._id, 1);
      life.answer = () => ok;
    },
  });
  await life.pass(1_000, () => process);
  t.true(isDone);
  t.like(await life.recoveries(), [{ state: 'finished', sent: 1 }]);
  await life.pass(5 * minuteMs);
  t.deepEqual(life.got(), ['held', 'fresh']);
});

test.serial(
  'a test to a members endpoint is sent, with the reference of a member, and can be sent again',
  async (t) => {
    const life = await openLife(t, { scope: 'members' });
    const process = life.process();
    const made = await process.sendTest();
    await life.pass(minuteMs);
    t.like(life.arrived, [{ succeeded: true, account: { memberExternalId: 'itembridge-test' } }]);
    await process.redeliver(made.deliveryId);
    await life.pass(minuteMs);
    t.like(life.arrived, { length: 2 });
    t.like(await life.deliveries(), [{ state: 'succeeded' }, { state: 'succeeded', purpose: 'test', ordinal: 2 }]);
  },
);

test.serial(
  'three events at the head that are answered 400 hold nothing up: the first run sends all behind them',
  async (t) => {
    const life = await openLife(t, { autoRecover: true });
    const process = life.process();
    const [bad, good] = [names('bad', 3), names('good', 20)];
    life.answer = (name) => (name.startsWith('bad') ? answered(400) : ok);
    await process.change({ active: false });
    await life.happen([...bad, ...good]);
    await process.change({ active: true });
    await life.pass(2 * minuteMs);
    t.deepEqual(life.got(), good);
    const [run] = await life.recoveries();
    t.like(run, { state: 'finished', sent: 20, failed: 3 });
  },
);

test.serial(
  'ten events at the head that always fail are passed over some day, long before the others are too old',
  async (t) => {
    const life = await openLife(t, { autoRecover: true });
    const process = life.process();
    const good = names('good', 20);
    life.answer = (name) => (name.startsWith('bad') ? answered(500) : ok);
    await process.change({ active: false });
    await life.happen([...names('bad', 10), ...good]);
    await process.change({ active: true });
    await life.pass(15 * minuteMs);
    t.deepEqual(life.got(), good);
    t.deepEqual(
      (await life.recoveries()).slice(0, 3).map(({ failedInARowMax, state, sent }) => [failedInARowMax, state, sent]),
      [
        [3, 'stopped', 0],
        [6, 'stopped', 0],
        [12, 'finished', 20],
      ],
    );
    // Five attempts each at three, six and ten of them.
    const lastGood = life.arrived.findLastIndex(({ succeeded }) => succeeded);
    t.is(life.arrived.slice(0, lastGood).filter(({ succeeded }) => !succeeded).length, 5 * (3 + 6 + 10));
  },
);

test.serial('what always fails is tried ever more rarely, and no more after 72 hours', async (t) => {
  const life = await openLife(t, { autoRecover: true });
  const process = life.process();
  life.answer = () => answered(500);
  await process.change({ active: false });
  await life.happen(['bad']);
  await process.change({ active: true });
  await life.pass(6 * hourMs);
  const count = life.arrived.length;
  // At once, after 30 s, 1, 2, 4, 8, 16 and 32 min, then each hour.
  t.is(count, 5 * (8 + 4));
  t.like(await life.row(), { failCount: 0, recoverTries: 12 });
  life.clock.ms += 67 * hourMs;
  await life.pass(3 * hourMs);
  t.is(life.arrived.length, count);
  t.like(await life.row(), { recoverAt: null, failCount: 0 });
  t.is(await missedOf(life), 1, 'a recovery by hand may still send it');
});

test.serial('events of a member that has left are passed over: no failure, and missed no more', async (t) => {
  const life = await openLife(t, { scope: 'members' });
  const process = life.process();
  const [gone, stays] = [await addMember(life, 'gone'), await addMember(life, 'stays')];
  await process.change({ active: false });
  await life.happen(names('gone', 30), gone);
  life.clock.ms += 1_000;
  await life.happen(['valid'], stays);
  await removeMember(life, gone);
  await process.change({ active: true });
  t.is(await missedOf(life), 31);
  await process.recover();
  await life.pass(minuteMs);
  t.deepEqual(life.got(), ['valid']);
  t.like(await life.recoveries(), { length: 1, 0: { state: 'finished', sent: 1, failed: 0, failedInARow: 0 } });
  t.is((await life.deliveries({ purpose: 'recovery' })).length, 1);
  t.is(await missedOf(life), 0);
  t.like(await life.row(), { failCount: 0, lastError: null });
});

test.serial(
  'workers whose clocks differ: events of an account never go back in time, and are recovered as they were accepted',
  async (t) => {
    const life = await openLife(t);
    const process = life.process();
    await process.change({ active: false });
    const order = names('item', 10);
    const began = life.clock.ms;
    for (const [n, name] of order.entries()) {
      life.clock.ms += n % 2 === 0 ? 10_000 : -10_000;
      await life.happen([name], life.account, new Date(began + n * 50));
    }
    life.clock.ms += 20_000;
    const stored = (await life.deliveries()).toSorted((a, b) => a.eventAt.getTime() - b.eventAt.getTime());
    t.deepEqual(
      stored.map(({ externalId }) => externalId),
      order,
    );
    const times = stored.map(({ eventAt }) => eventAt.getTime());
    t.deepEqual(times, times.toSorted());
    await process.change({ active: true });
    await process.recover();
    await life.pass(minuteMs);
    t.deepEqual(life.got(), order);
  },
);

// specification: 12-told-of-are
test.serial('a recovery counts from when an event was accepted, not from when it was fanned out', async (t) => {
  const life = await openLife(t);
  const process = life.process();
  const accepted = new Date(life.clock.ms);
  await process.change({ active: false });
  life.clock.ms += hourMs;
  await life.happen(['fanned out late'], life.account, accepted);
  await life.happen(['since'], life.account, new Date(life.clock.ms));
  await process.change({ active: true });
  await process.recover(new Date(life.clock.ms - minuteMs));
  await life.pass(minuteMs);
  t.deepEqual(life.got(), ['since']);
  await process.recover(accepted);
  await life.pass(minuteMs);
  t.deepEqual(life.got(), ['since', 'fanned out late']);
});

test.serial('nobody else gets what one endpoint missed, and an account that is no member is not told of', async (t) => {
  const life = await openLife(t, { scope: 'members' });
  const process = life.process();
  await process.change({ active: false });
  await life.happen(['foreign'], accountId('00000000-0000-4000-8000-0000000000ff'));
  await process.change({ active: true });
  await process.recover();
  await life.pass(minuteMs);
  t.deepEqual(life.arrived, []);
});
