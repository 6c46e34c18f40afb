import { randomUUID } from 'node:crypto';
import test from 'ava';
import { WorkflowFailedError } from '@temporalio/client';
import type { Advance } from '../../features/items/advance-item.ts';
import { itemLifecycleType, lookAgainSignalName, queueName } from '../../workflows/contracts/workflows.ts';
import { until } from '../support/until.ts';
import { heldBack, inTurn, outcomes, outOfReach } from './support/calls.ts';
import { changedBundle } from './support/changed-bundle.ts';
import { startTemporalWithShortHistories } from './support/own-temporal.ts';
import { createScripts, type ScriptedItem } from './support/scripted-item.ts';
import {
  eventsOf,
  newTaskQueue,
  startOnServer,
  startTimeSkipping,
  timersMs,
  type TimeSkipping,
} from './support/time-skipping.ts';

// Signals at awkward moments, new runs of a long life, and what an operator may do to a workflow without harm.

const scripts = createScripts();
const kinds = ['items', 'images', 'enrichment', 'marketplace'] as const;
let world: TimeSkipping;
test.before(async () => {
  world = await startTimeSkipping({ kinds, activities: scripts.activities });
});
test.after.always(async () => {
  await world.stop();
});

const settled: Advance = { kind: 'settled' };
const goLive: Advance = { kind: 'go-live', publication: 1 };
const anHour: Advance = {
  kind: 'wait',
  waitingFor: 'marketplace',
  lastError: null,
  forMs: 3_600_000,
  since: null,
  attempts: 0,
};
const done = (): Promise<void> => Promise.resolve();

const handleOf = ({ workflowId }: ScriptedItem) => world.client.workflow.getHandle(workflowId);
const untilPaused = (item: ScriptedItem): Promise<unknown> =>
  until('it waits', async () => (await timersMs(world.client, item.workflowId)).length > 0);

/** A document that says what it is like until the auction is up. */
function anUnpublishedItem(makeLive: () => Promise<unknown> = done): ScriptedItem {
  let isLive = false;
  return scripts.item(world, {
    advanceItem: () => Promise.resolve(isLive ? settled : goLive),
    goLive: async () => {
      await makeLive();
      isLive = true;
    },
  });
}

test.serial('a signal that comes while the last look is on its way is looked after before the life ends', async (t) => {
  const look = heldBack<Advance>(settled);
  const item = scripts.item(world, { advanceItem: inTurn<Advance>(look.answer, settled, settled) });
  await item.signal();
  await look.arrived();
  await item.signal();
  look.release();
  await item.ended();
  t.true(item.count('advanceItem') >= 2);
  const runs = (await eventsOf(world.client, item.workflowId)).filter(
    (event) => event.workflowExecutionStartedEventAttributes != null,
  );
  t.is(runs.length, 1);
});

test.serial(
  'a signal seen by the run before its last look has come back is looked after in the same run',
  async (t) => {
    const look = heldBack<Advance>(settled);
    const item = scripts.item(world, { advanceItem: inTurn<Advance>(look.answer, settled) });
    // A local activity that outlasts four fifths of this brings the signal into the run before its own result.
    await world.client.workflow.start(itemLifecycleType, {
      workflowId: item.workflowId,
      taskQueue: queueName(world.taskQueue, 'items'),
      args: [{ itemId: item.id, accountId: randomUUID() }],
      workflowTaskTimeout: '1 second',
    });
    await look.arrived();
    await handleOf(item).signal(lookAgainSignalName);
    const tasksDone = async (): Promise<number> =>
      (await eventsOf(world.client, item.workflowId)).filter(
        (event) => event.workflowTaskCompletedEventAttributes != null,
      ).length;
    await until('the run has seen the signal', async () => (await tasksDone()) >= 2);
    look.release();
    await item.ended();
    t.is(item.count('advanceItem'), 2);
  },
);

test.serial('any number of signals during a long step cost one more look, not one each', async (t) => {
  const step = heldBack(undefined);
  const item = scripts.item(world, { advanceItem: inTurn<Advance>(goLive, settled), goLive: step.answer });
  await item.signal();
  await step.arrived();
  for (let n = 0; n < 20; n += 1) await item.signal();
  step.release();
  await item.ended();
  t.deepEqual(item.names(), ['advanceItem', 'goLive', 'advanceItem']);
});

test.serial('a signal during the pause after a failure does not shorten it', async (t) => {
  const item = scripts.item(world, {
    advanceItem: inTurn<Advance>(goLive, goLive, settled),
    goLive: outcomes(outOfReach(), 'done'),
  });
  await item.signal();
  await untilPaused(item);
  await item.signal();
  await item.ended();
  t.deepEqual(await timersMs(world.client, item.workflowId), [1_000]);
  t.is(item.count('advanceItem'), 3);
});

test.serial('after its limit of signals a new run goes on with the same item and loses nothing', async (t) => {
  const few = { ...world, taskQueue: newTaskQueue() };
  await world.startWorkers(few.taskQueue, changedBundle('signals > signalsMax', 'signals > 10'));
  const step = heldBack(undefined);
  const item = scripts.item(few, { advanceItem: inTurn<Advance>(goLive, settled), goLive: step.answer });
  await item.signal();
  await step.arrived();
  const { runId } = await handleOf(item).describe();
  for (let n = 0; n < 10; n += 1) await item.signal();
  step.release();
  await item.ended();
  t.deepEqual(item.names(), ['advanceItem', 'goLive', 'advanceItem']);
  const last = (await eventsOf(world.client, item.workflowId, runId)).at(-1);
  t.truthy(last?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId);
  t.is((await item.attributes()).externalId, 'A1');
});

test.serial('an operator’s retry that comes right before a new run is done, once', async (t) => {
  const few = { ...world, taskQueue: newTaskQueue() };
  await world.startWorkers(few.taskQueue, changedBundle('signals > signalsMax', 'signals > 10'));
  const step = heldBack(undefined);
  const advanceItem = inTurn<Advance>(goLive, ...Array.from({ length: 3 }, () => settled));
  const retryItem = (): Promise<'retried'> => Promise.resolve('retried');
  const item = scripts.item(few, { advanceItem, retryItem, goLive: step.answer });
  await item.signal();
  await step.arrived();
  for (let n = 0; n < 10; n += 1) await item.signal();
  await item.retry();
  step.release();
  await item.ended();
  t.is(item.count('retryItem'), 1);
});

test.serial('a wait for a far time is cut into waits that the engine can count', async (t) => {
  const farOff: Advance = { ...anHour, waitingFor: 'start_time', forMs: 7_900 * 365 * 86_400_000 };
  const item = scripts.item(world, { advanceItem: inTurn<Advance>(farOff, settled) });
  await item.signal();
  await untilPaused(item);
  t.deepEqual(await timersMs(world.client, item.workflowId), [30 * 86_400_000]);
  t.is(
    (await item.attributes()).blockedReason,
    undefined,
    'a start that the partner chose is not in the list of what is stuck',
  );
  await item.ended();
});

test.serial('a history that grows too long is continued in new runs, every step once and in order', async (t) => {
  const server = await startTemporalWithShortHistories(40);
  const host = await startOnServer(server.address, { kinds, activities: scripts.activities });
  const steps = Array.from({ length: 10 }, (_, n): Advance => ({ kind: 'send-price', publication: n + 1 }));
  const item = scripts.item(host, { advanceItem: inTurn<Advance>(...steps, settled), sendPrice: done });
  try {
    await item.signal();
    await item.ended();
    const sent = item.calls.filter(({ activity }) => activity === 'sendPrice');
    t.deepEqual(
      sent.map(({ argument }) => argument),
      steps.map((_, n) => ({ ...item.named, publication: n + 1 })),
    );
    const events = await eventsOf(host.client, item.workflowId);
    t.truthy(events[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId);
    t.true(events.length < 80, `${events.length} events`);
    t.is((await item.attributes()).externalId, 'A1');
  } finally {
    await host.stop();
    await server.stop();
  }
});

test.serial(
  '"Request Cancellation" ends neither a wait nor a step: the item goes on where no list would lose it',
  async (t) => {
    const step = heldBack(undefined);
    const item = scripts.item(world, {
      advanceItem: inTurn<Advance>(anHour, goLive, settled),
      goLive: step.answer,
    });
    await item.signal();
    await untilPaused(item);
    await handleOf(item).cancel();
    t.like(await item.attributes(), { stage: 'waiting', blockedReason: 'marketplace' });
    await item.signal();
    await step.arrived();
    await handleOf(item).cancel();
    step.release();
    await item.ended();
    t.is((await handleOf(item).describe()).status.name, 'COMPLETED');
    t.deepEqual(item.names(), ['advanceItem', 'advanceItem', 'goLive', 'advanceItem']);
  },
);

const stop = (item: ScriptedItem): Promise<unknown> => handleOf(item).terminate('by an operator');

test.serial('terminated while it waits, the next signal takes the item up where the document stands', async (t) => {
  const item = scripts.item(world, { advanceItem: inTurn<Advance>(anHour, goLive, settled), goLive: done });
  await item.signal();
  await untilPaused(item);
  await stop(item);
  await t.throwsAsync(item.ended(), { instanceOf: WorkflowFailedError });
  await item.signal();
  await item.ended();
  t.deepEqual(item.names(), ['advanceItem', 'advanceItem', 'goLive', 'advanceItem']);
});

test.serial('terminated in the pause after a failure, the next signal takes the item up again', async (t) => {
  const item = anUnpublishedItem(outcomes(outOfReach(), 'done'));
  await item.signal();
  await untilPaused(item);
  await stop(item);
  await t.throwsAsync(item.ended(), { instanceOf: WorkflowFailedError });
  await item.signal();
  await item.ended();
  t.is(item.count('goLive'), 2);
});

test.serial(
  'terminated in a step that has its effect all the same, the next run sees it and does not repeat it',
  async (t) => {
    const step = heldBack(undefined);
    const item = anUnpublishedItem(step.answer);
    await item.signal();
    await step.arrived();
    await stop(item);
    step.release();
    await t.throwsAsync(item.ended(), { instanceOf: WorkflowFailedError });
    await until('the step has its effect', async () => (await item.look()).kind === 'settled');
    await item.signal();
    await item.ended();
    t.is(item.count('goLive'), 1);
  },
);
