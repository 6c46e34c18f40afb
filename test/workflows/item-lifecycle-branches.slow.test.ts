import test from 'ava';
import type { Advance } from '../../features/items/advance-item.ts';
import { until } from '../support/until.ts';
import { heldBack, inTurn, outcomes, outOfReach } from './support/calls.ts';
import { createScripts } from './support/scripted-item.ts';
import { eventsOf, startTimeSkipping, timersMs, type TimeSkipping } from './support/time-skipping.ts';

// Which step follows which, what a failing one does and how the workflow waits. Signals, new runs and operators are in
// item-lifecycle-branches-runs.test.ts.

const scripts = createScripts();
let world: TimeSkipping;
test.before(async () => {
  const kinds = ['items', 'images', 'enrichment', 'marketplace'] as const;
  world = await startTimeSkipping({ kinds, activities: scripts.activities });
});
test.after.always(() => world.stop());

const settled: Advance = { kind: 'settled' };
const goLive: Advance = { kind: 'go-live', publication: 1 };
const takeDown: Advance = { kind: 'take-down', publication: 1 };
const firstWait = { kind: 'wait', since: null, attempts: 0 } as const;
const waitFor = (waitingFor: string, forMs: number, lastError: string | null = null): Advance => {
  return { ...firstWait, waitingFor, forMs, lastError };
};
const done = (): Promise<void> => Promise.resolve();
const timersOf = (item: { workflowId: string }): Promise<number[]> => timersMs(world.client, item.workflowId);

const steps = [
  { step: { kind: 'process-images' }, activity: 'processImages', queue: 'images' },
  { step: { kind: 'enrich' }, activity: 'enrichItem', queue: 'enrichment' },
  { step: { kind: 'prepare-listing', publication: 3 }, activity: 'prepareListing', queue: 'marketplace' },
  { step: { kind: 'go-live', publication: 4 }, activity: 'goLive', queue: 'marketplace' },
  { step: { kind: 'send-price', publication: 5 }, activity: 'sendPrice', queue: 'marketplace' },
  { step: { kind: 'take-down', publication: 6 }, activity: 'takeDown', queue: 'marketplace' },
] as const;

test.serial(
  'each kind of step is one call on the queue of its kind, with the item and the publication meant',
  async (t) => {
    const item = scripts.item(world, {
      advanceItem: inTurn<Advance>(...steps.map(({ step }) => step), settled),
      ...Object.fromEntries(steps.map(({ activity }) => [activity, done])),
    });
    await item.signal();
    await item.ended();
    t.deepEqual(
      item.calls.filter(({ activity }) => activity !== 'advanceItem'),
      steps.map(({ step, ...call }) => {
        const argument = 'publication' in step ? { ...item.named, publication: step.publication } : item.named;
        return { ...call, attempt: 1, argument };
      }),
    );
    t.deepEqual(await timersOf(item), [], 'nothing is waited for between steps');
  },
);

test.serial(
  'the document is looked at in the workflow’s own worker, once before each step and once after the last',
  async (t) => {
    const item = scripts.item(world, {
      advanceItem: inTurn<Advance>(goLive, takeDown, settled),
      goLive: done,
      takeDown: done,
    });
    await item.signal();
    await item.ended();
    t.deepEqual(item.names(), ['advanceItem', 'goLive', 'advanceItem', 'takeDown', 'advanceItem']);
    t.true(item.calls.every(({ activity, queue }) => (activity === 'advanceItem') === (queue === 'local')));
  },
);

test.serial('a worker that has many items of the account at hand is asked again, at growing intervals', async (t) => {
  const answers = ['crowded', 'crowded', 'done'] as const;
  const item = scripts.item(world, {
    advanceItem: inTurn<Advance>({ kind: 'process-images' }, settled),
    processImages: inTurn<(typeof answers)[number]>(...answers),
  });
  await item.signal();
  await item.ended();
  t.deepEqual(item.names(), ['advanceItem', 'processImages', 'processImages', 'processImages', 'advanceItem']);
  t.deepEqual(await timersOf(item), [2_000, 4_000]);
});

test.serial('an item that owes nothing ends after one look, although the signal came with its start', async (t) => {
  const item = scripts.item(world, { advanceItem: inTurn<Advance>(settled) });
  await item.signal();
  await item.ended();
  t.is(item.count('advanceItem'), 1);
});

for (const { step, activity, queue } of steps) {
  test.serial(
    `${activity} that fails is tried once, and the next look decides what comes after a second`,
    async (t) => {
      const item = scripts.item(world, {
        advanceItem: inTurn<Advance>(step, step, settled),
        [activity]: outcomes(outOfReach(), 'done'),
      });
      await item.signal();
      await item.ended();
      t.deepEqual(item.names(), ['advanceItem', activity, 'advanceItem', activity, 'advanceItem']);
      t.deepEqual(
        item.calls.filter((call) => call.queue === queue).map(({ attempt }) => attempt),
        [1, 1],
        'never repeated without a look at the document',
      );
      t.deepEqual(await timersOf(item), [1_000]);
    },
  );
}

for (const { step, activity } of steps.filter(({ queue }) => queue !== 'marketplace')) {
  test.serial(`a take-down does not wait for ${activity}, which goes on and is not begun a second time`, async (t) => {
    const slow = heldBack(undefined);
    const item = scripts.item(world, {
      advanceItem: inTurn<Advance>(step, takeDown, step, settled),
      [activity]: slow.answer,
      takeDown: done,
    });
    await item.signal();
    await slow.arrived();
    await item.signal();
    await until('taken down meanwhile', () => Promise.resolve(item.count('takeDown') === 1));
    // A look is part of a workflow task, so what ends after it has begun is seen after its result.
    await until('looked at again', () => Promise.resolve(item.count('advanceItem') === 3));
    slow.release();
    await item.ended();
    t.deepEqual(
      item.names().filter((name) => name !== 'advanceItem'),
      [activity, 'takeDown'],
    );
  });
}

test.serial('failures in a row double the wait from 1 s up to 60 s, and a success begins anew', async (t) => {
  const failed = Array.from({ length: 9 }, () => outOfReach());
  const item = scripts.item(world, {
    advanceItem: inTurn<Advance>(...Array.from({ length: 12 }, () => goLive), settled),
    goLive: outcomes(...failed, 'done', outOfReach(), 'done'),
  });
  await item.signal();
  await item.ended();
  const seconds = (await timersOf(item)).map((ms) => ms / 1_000);
  t.deepEqual(seconds, [1, 2, 4, 8, 16, 32, 60, 60, 60, 1]);
  t.is(item.count('advanceItem'), 13);
});

test.serial('after a failure the document decides: what is no longer wanted is not tried again', async (t) => {
  const item = scripts.item(world, {
    advanceItem: inTurn<Advance>(goLive, takeDown, settled),
    goLive: outcomes(outOfReach()),
    takeDown: done,
  });
  await item.signal();
  await item.ended();
  t.deepEqual(item.names(), ['advanceItem', 'goLive', 'advanceItem', 'takeDown', 'advanceItem']);
});

test.serial(
  'while a failed step is waited for, the operator reads what failed, how often and when it goes on',
  async (t) => {
    const item = scripts.item(world, {
      advanceItem: inTurn<Advance>(goLive, goLive, settled),
      goLive: outcomes(outOfReach(), 'done'),
    });
    await item.signal();
    await until('it pauses', async () => (await timersOf(item)).length === 1);
    t.regex(await item.details(), /^Putting publication 1 up .* It failed, 1 in a row; looking again in 1 s\.$/);
    await item.ended();
  },
);

test.serial(
  'a step whose process died is noticed by its missing heartbeat, and the document is looked at again',
  async (t) => {
    const lost = heldBack(undefined);
    const item = scripts.item(world, {
      advanceItem: inTurn<Advance>(goLive, goLive, settled),
      goLive: outcomes(lost.answer, 'done'),
    });
    await item.signal();
    await lost.arrived();
    await world.pass(8_100);
    await until('it pauses', async () => (await timersOf(item)).length === 1);
    await item.ended();
    lost.release();
    t.deepEqual(item.names(), ['advanceItem', 'goLive', 'advanceItem', 'goLive', 'advanceItem']);
  },
);

test.serial('a look that fails is repeated until the database answers, and never fails the workflow', async (t) => {
  const item = scripts.item(world, {
    advanceItem: inTurn<Advance>(new Error('no primary'), new Error('no primary'), goLive, settled),
    goLive: done,
  });
  await item.signal();
  await item.ended();
  t.deepEqual(item.names(), ['advanceItem', 'advanceItem', 'advanceItem', 'goLive', 'advanceItem']);
  t.deepEqual(
    item.calls.map(({ attempt }) => attempt),
    [1, 2, 3, 1, 1],
  );
});

test.serial('a wait ends at the exact time that the document asks for, and not before', async (t) => {
  const item = scripts.item(world, { advanceItem: inTurn<Advance>(waitFor('marketplace_token', 3_600_123), settled) });
  await item.signal();
  await until('it waits', async () => (await timersOf(item)).length === 1);
  await world.pass(3_590_000);
  t.is(item.count('advanceItem'), 1);
  await item.ended();
  t.is(item.count('advanceItem'), 2);
  t.deepEqual(await timersOf(item), [3_600_123]);
});

test.serial(
  'a wait that is over already is a short timer: the workflow neither spins nor sleeps for ever',
  async (t) => {
    const item = scripts.item(world, { advanceItem: inTurn<Advance>(waitFor('marketplace', 0), settled) });
    await item.signal();
    await item.ended();
    t.deepEqual(await timersOf(item), [1]);
  },
);

test.serial('a signal ends a wait at once', async (t) => {
  const item = scripts.item(world, { advanceItem: inTurn<Advance>(waitFor('marketplace_token', 86_400_000), settled) });
  await item.signal();
  await until('it waits', async () => (await timersOf(item)).length === 1);
  const before = await world.now();
  await item.signal();
  await until('it looked again', async () => item.count('advanceItem') === 2);
  t.true((await world.now()) - before < 60_000, 'a day was not waited for');
  await item.ended();
});

// specification: stage-and-blocked-reason
test.serial('a long wait can be found and read by an operator, and no longer once it is over', async (t) => {
  const step = heldBack(undefined);
  const item = scripts.item(world, {
    advanceItem: inTurn<Advance>(waitFor('marketplace_token', 600_000, 'the token has expired'), goLive, settled),
    goLive: step.answer,
  });
  await item.signal();
  await until('it waits', async () => (await timersOf(item)).length === 1);
  t.like(await item.attributes(), { stage: 'waiting', blockedReason: 'marketplace_token' });
  t.regex(
    await item.details(),
    /^\*\*Waiting for marketplace token\*\*[^]* UTC at the latest[^]* `the token has expired`\n/,
  );
  await item.signal();
  await step.arrived();
  t.like(await item.attributes(), { stage: 'working', blockedReason: undefined });
  t.regex(await item.details(), /^Putting publication 1 up for sale/);
  step.release();
  await item.ended();
});

test.serial('a wait of a few seconds is told in the details only and costs no search attribute', async (t) => {
  const item = scripts.item(world, { advanceItem: inTurn<Advance>(waitFor('marketplace', 5_000), settled) });
  await item.signal();
  await until('it waits', async () => (await timersOf(item)).length === 1);
  t.regex(await item.details(), /^\*\*Waiting for the marketplace to respond\*\*/);
  await item.ended();
  const events = await eventsOf(world.client, item.workflowId);
  t.false(events.some(({ upsertWorkflowSearchAttributesEventAttributes: upsert }) => upsert != null));
});

// specification: stage-and-blocked-reason
test.serial(
  'a step that fails three times in a row can be found and read, and no longer once it succeeds',
  async (t) => {
    const step = heldBack(undefined);
    const item = scripts.item(world, {
      advanceItem: inTurn<Advance>(goLive, goLive, goLive, goLive, goLive, settled),
      goLive: outcomes(outOfReach(), outOfReach(), outOfReach(), 'done', step.answer),
    });
    await item.signal();
    await until('it pauses for the third time', async () => {
      await world.pass(10);
      return (await timersOf(item)).length === 3;
    });
    t.like(await item.attributes(), { stage: 'failing', blockedReason: 'failing_step' });
    t.regex(await item.details(), /^Putting publication 1 up[^]*\(`failing_step`\)[^]*\*\*Tries:\*\* 3\n/);
    await world.pass(5_000);
    await step.arrived();
    t.like(await item.attributes(), { stage: 'working', blockedReason: undefined });
    step.release();
    await item.ended();
  },
);

// specification: stage-and-blocked-reason
test.serial(
  'an item that came to rest in trouble stays running, found and read, until a write that mends it',
  async (t) => {
    const blocked = { reason: 'images', lastError: 'IMAGES_FAILED: none' };
    const item = scripts.item(world, {
      advanceItem: inTurn<Advance>({ kind: 'settled', blocked }, { kind: 'settled', blocked }, settled),
    });
    await item.signal();
    await until('it rests', async () => (await timersOf(item)).length === 1);
    t.like(await item.attributes(), { stage: 'resting', blockedReason: 'images' });
    t.regex(await item.details(), /^\*\*Came to rest, and needs new images/);
    await world.pass(86_400_000);
    await until('it rests on', async () => (await timersOf(item)).length === 2);
    t.like(await item.attributes(), { stage: 'resting', blockedReason: 'images' });
    await item.signal();
    await item.ended();
    t.deepEqual(item.names(), ['advanceItem', 'advanceItem', 'advanceItem']);
    t.like(await item.attributes(), { stage: 'working', blockedReason: undefined });
  },
);

test.serial('a retry of an item at rest is written to the item before it is looked at', async (t) => {
  const blocked = { reason: 'registry_silent', lastError: null };
  const item = scripts.item(world, {
    advanceItem: inTurn<Advance>({ kind: 'settled', blocked }, { kind: 'enrich' }, settled),
    retryItem: () => Promise.resolve('retried'),
    enrichItem: done,
  });
  await item.signal();
  await until('it rests', async () => (await timersOf(item)).length === 1);
  await item.retry();
  await item.ended();
  t.deepEqual(item.names(), ['advanceItem', 'retryItem', 'advanceItem', 'enrichItem', 'advanceItem']);
});

test.serial('a retry that finds nothing to try again is answered in the details', async (t) => {
  const blocked: Advance = { kind: 'settled', blocked: { reason: 'plate_unknown', lastError: null } };
  const item = scripts.item(world, {
    advanceItem: inTurn<Advance>(blocked, blocked, settled),
    retryItem: () => Promise.resolve('nothing_to_retry'),
  });
  await item.signal();
  await until('it rests', async () => (await timersOf(item)).length === 1);
  t.notRegex(await item.details(), /Retry/);
  await item.retry();
  await until('it rests again', async () => (await timersOf(item)).length === 2);
  t.regex(await item.details(), /\*\*Retry:\*\* there was nothing/);
  await item.signal();
  await item.ended();
});

test.serial('a retry ends the pause after a failure at once', async (t) => {
  const step = heldBack(undefined);
  const item = scripts.item(world, {
    advanceItem: inTurn<Advance>(goLive, goLive, goLive, goLive, settled),
    retryItem: () => Promise.resolve('nothing_to_retry'),
    goLive: outcomes(outOfReach(), outOfReach(), outOfReach(), step.answer),
  });
  await item.signal();
  await until('it pauses for the third time', async () => {
    await world.pass(10);
    return (await timersOf(item)).length === 3;
  });
  const before = await world.now();
  await item.retry();
  await step.arrived();
  t.true((await world.now()) - before < 4_000, 'four seconds were not waited for');
  step.release();
  await item.ended();
});

// specification: stage-and-blocked-reason
test.serial('a look that fails again and again can be found and read, and no longer once it succeeds', async (t) => {
  const step = heldBack(undefined);
  const refused = Array.from({ length: 9 }, () => new Error('Document failed validation'));
  const item = scripts.item(world, {
    advanceItem: inTurn<Advance>(...refused, goLive, settled),
    goLive: step.answer,
  });
  await item.signal();
  await until('it pauses for the third time', async () => {
    await world.pass(10);
    return (await timersOf(item)).length === 3;
  });
  t.like(await item.attributes(), { stage: 'failing', blockedReason: 'failing_step' });
  t.regex(await item.details(), /^Looking at what[^]*\(`failing_step`\)[^]*`Document failed validation`/);
  await world.pass(5_000);
  await step.arrived();
  t.like(await item.attributes(), { stage: 'working', blockedReason: undefined });
  step.release();
  await item.ended();
});

// specification: stage-and-blocked-reason
test.serial('a run without trouble sets no search attribute, whatever it does', async (t) => {
  const item = scripts.item(world, {
    advanceItem: inTurn<Advance>(goLive, goLive, settled),
    goLive: outcomes(outOfReach(), 'done'),
  });
  await item.signal();
  await item.ended();
  const events = await eventsOf(world.client, item.workflowId);
  t.false(events.some(({ upsertWorkflowSearchAttributesEventAttributes: upsert }) => upsert != null));
  t.like(await item.attributes(), { stage: 'working', blockedReason: undefined });
});
