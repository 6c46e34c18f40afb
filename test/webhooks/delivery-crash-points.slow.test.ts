import test, { type ExecutionContext } from 'ava';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { createMortal, Died } from '../support/around-store.ts';
import { withDatabase } from '../support/with-database.ts';
import {
  interrupted,
  refusal,
  startDeliveryLife,
  type DeliveryLife,
  type DeliveryProcess,
} from '../support/delivery-life.ts';

// Protocol 10 to 17: a process is killed before and after each single step between the accepted write and the end of a delivery, and
// a fresh one goes on with what is in the database.

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

interface Story {
  /** What a sound process writes, sends and starts, in this order. */
  readonly steps: readonly string[];
  /** Before the process that is killed begins. */
  readonly prepare: (life: DeliveryLife) => Promise<unknown>;
  readonly play: (life: DeliveryLife, process: DeliveryProcess) => Promise<unknown>;
  /** What a sender does that has got no answer. */
  readonly again?: (process: DeliveryProcess) => Promise<unknown>;
  readonly assertEnd: (t: ExecutionContext, life: DeliveryLife, point: Point) => Promise<void>;
}

/** After so many of the story's steps were taken it was killed. */
interface Point {
  readonly taken: number;
  readonly steps: readonly string[];
}

/** A push, whose transaction stores the first attempt as begun. */
const accepting = [
  ...['bulkWrite items', 'insertMany events', 'insertMany deliveries', 'insertMany journal', 'commit'],
];
const recording = ['insertMany delivery_attempts', 'bulkWrite deliveries'];
const furtherAttempt = ['updateOne deliveries', 'send'];
const endingOf = (...changes: string[]): string[] => [
  ...['transaction', 'updateOne deliveries', 'insertMany delivery_attempts', ...changes, 'commit'],
];

/** The failure is counted, the target marked, and its workflow owed a look. */
const counting = [
  ...['transaction', 'updateOne deliveries'],
  ...['updateOne webhook_endpoints', 'updateOne webhook_endpoints', 'updateOne webhook_endpoints', 'commit'],
];

async function assertOneEvent(t: ExecutionContext, life: DeliveryLife): Promise<void> {
  t.deepEqual(
    (await life.events()).map(({ type, sequence }) => ({ type, sequence })),
    [{ type: 'item.created', sequence: 1 }],
  );
}

/** Whether the first attempt was reserved but not sent, or has arrived but nothing knows of it: both are made again. */
function lostAt({ taken, steps }: Point, known: string): { unsent: boolean; unknown: boolean } {
  const sentAt = steps.indexOf('send');
  return { unsent: taken === sentAt, unknown: taken > sentAt && taken <= steps.indexOf(known, sentAt) };
}

/** Delivered once, or twice where nothing says that it has arrived. */
const assertDelivered =
  (known: string): Story['assertEnd'] =>
  async (t, life, point) => {
    const { unsent, unknown } = lostAt(point, known);
    const isAgain = unsent || unknown;
    await assertOneEvent(t, life);
    t.like(await life.deliveries(), [{ state: 'succeeded', attempts: isAgain ? 2 : 1, startAt: null }]);
    t.deepEqual(await life.log(), isAgain ? [`1 ${interrupted}`, '2 success'] : ['1 success']);
    t.is(life.arrived.length, unknown ? 2 : 1);
    const isUnfinished = point.taken > point.steps.indexOf(known) && point.taken < point.steps.length;
    t.is(life.started.length > 0, isAgain || isUnfinished, 'what gets through at once needs no workflow');
    t.is(await life.failCount(), 0);
  };

/** A push without an answer is repeated by its sender. */
const pushAgain = (process: DeliveryProcess): Promise<unknown> => process.push('A1');
const noPreparation = (): Promise<void> => Promise.resolve();
const pushAndWork = async (_life: DeliveryLife, process: DeliveryProcess): Promise<void> => {
  await process.push('A1');
  await process.work();
};
const waitInLine = (life: DeliveryLife): Promise<void> => life.process({ isCommand: true }).happen('A1');
const work = (_life: DeliveryLife, process: DeliveryProcess): Promise<void> => process.work();

const stories: Readonly<Record<string, Story>> = {
  'an event that gets through at once': {
    steps: [...accepting, 'send', ...recording],
    prepare: noPreparation,
    play: pushAndWork,
    again: pushAgain,
    assertEnd: assertDelivered('insertMany delivery_attempts'),
  },
  'an event that waited in its queue': {
    steps: ['updateMany deliveries', 'send', ...recording],
    prepare: waitInLine,
    play: work,
    assertEnd: assertDelivered('insertMany delivery_attempts'),
  },
  'a success after deliveries that were given up': {
    steps: ['updateMany deliveries', 'send', ...endingOf('updateOne webhook_endpoints')],
    prepare: async (life) => {
      await life.changeTarget({ failCount: 14 });
      await waitInLine(life);
    },
    play: work,
    assertEnd: assertDelivered('commit'),
  },
  'an event that is refused five times': {
    steps: [
      ...[...accepting, 'send', ...endingOf('updateOne webhook_endpoints'), 'start', 'updateOne webhook_endpoints'],
      ...[2, 3, 4, 5].flatMap(() => [...furtherAttempt, ...recording]),
      ...counting,
    ],
    prepare: async (life) => {
      life.answer = () => refusal;
    },
    again: pushAgain,
    play: async (life, process) => {
      await pushAndWork(life, process);
      for (const waitMs of [1_000, 2_000, 4_000, 8_000]) {
        life.pass(waitMs);
        await process.attempt();
      }
    },
    assertEnd: async (t, life) => {
      await assertOneEvent(t, life);
      t.like(await life.deliveries(), [{ state: 'given_up', attempts: 5, missed: true, startAt: null }]);
      const log = await life.log();
      t.deepEqual(
        log.map((line) => Number(line[0])),
        [1, 2, 3, 4, 5],
      );
      const unsentMax = log.filter((line) => line.endsWith(interrupted)).length;
      t.true(unsentMax <= 1, 'one process was killed, so at most one attempt has no outcome');
      t.true(life.arrived.length <= 5 && life.arrived.length >= 5 - unsentMax, `${life.arrived.length} requests`);
      t.is(await life.failCount(), 1, 'it counts once');
      t.truthy((await life.target())?.['troubleSince']);
    },
  },
  'the queue of an endpoint that was disabled': {
    // The second look finds that nothing is left.
    steps: ['updateMany deliveries', 'updateMany deliveries'],
    prepare: async (life) => {
      await waitInLine(life);
      await life.changeTarget({ active: false });
    },
    play: work,
    assertEnd: async (t, life) => {
      t.like(await life.deliveries(), [{ state: 'held', missed: true, attempts: 0, startAt: null }]);
      t.deepEqual(life.arrived, []);
    },
  },
  'the last looks at a receiver that was in trouble': {
    // Each look holds the row first. One takes the queue's mark off, the last one says that nothing is owed.
    steps: Array.from({ length: 4 }, () => 'updateOne webhook_endpoints'),
    prepare: (life) => life.changeTarget({ queue: true, troubleSince: life.now(), startAt: life.now() }),
    play: async (_life, process) => {
      await process.lookAtReceiver();
      await process.lookAtReceiver(true);
    },
    assertEnd: async (t, life, { taken, steps }) => {
      life.pass(120_000);
      const fresh = life.process();
      await fresh.relay();
      t.is(life.receivers.length > 0, taken < steps.length, 'a relay has it looked at again, unless nothing is owed');
      await fresh.lookAtReceiver();
      t.is((await fresh.lookAtReceiver(true)).kind, 'ended');
      t.like(await life.target(), { queue: false, troubleSince: null, startAt: null });
    },
  },
  'a delivery whose endpoint was deleted': {
    steps: ['updateOne deliveries'],
    prepare: async (life) => {
      await waitInLine(life);
      await store.connection.collection('webhook_endpoints').deleteMany({ accountId: life.account });
    },
    play: work,
    assertEnd: async (t, life) => {
      t.like(await life.deliveries(), [{ state: 'stopped', missed: false, attempts: 0, startAt: null }]);
      t.deepEqual(life.arrived, []);
    },
  },
};

/** The next processes, and the engine's workflows for those deliveries that were started, until nothing is pending. */
async function goOn(life: DeliveryLife, { again }: Pick<Story, 'again'>): Promise<void> {
  const fresh = life.process();
  await again?.(fresh);
  for (let round = 0; round < 30; round += 1) {
    await fresh.work();
    const pending = await life.deliveries({ state: 'pending' });
    if (pending.length === 0) return;
    await fresh.relay();
    for (const { _id } of pending)
      if (life.started.some(({ deliveryId }) => deliveryId === _id)) await fresh.attempt(_id);
    life.pass(5_000);
  }
  throw new Error('a delivery is pending after 150 s');
}

/** What of a process is left once it was killed: nothing. */
async function playUntilDead(life: DeliveryLife, story: Story, dies: Parameters<typeof createMortal>[0]) {
  let isDoomed = false;
  const mortal = createMortal((step, nth) => {
    const when = dies(step, nth);
    isDoomed ||= when !== undefined;
    return when;
  });
  const dead = mortal.died.then(() => Promise.reject(new Died()));
  const dying = life.process({ around: mortal.around });
  const orDead = <Result>(act: Promise<Result>): Promise<Result> => Promise.race([act, dead]);
  const process = {
    ...dying,
    push: (name: string) => orDead(dying.push(name)),
    work: () => orDead(dying.work()),
    attempt: () => orDead(dying.attempt()),
    lookAtReceiver: (mayEnd?: boolean) => orDead(dying.lookAtReceiver(mayEnd)),
  };
  // What its last step has stored may be seen before its process has heard of it, and died.
  const error = await story
    .play(life, process)
    .then(() => (isDoomed ? dead : undefined))
    .then(
      () => null,
      (thrown: unknown) => thrown,
    );
  return { steps: mortal.steps, error };
}

for (const [name, story] of Object.entries(stories)) {
  const open = async (t: ExecutionContext): Promise<DeliveryLife> => {
    const life = await startDeliveryLife(store);
    t.teardown(() => life.close());
    await story.prepare(life);
    return life;
  };

  test.serial(`${name}: these are all its steps`, async (t) => {
    const life = await open(t);
    const { steps, error } = await playUntilDead(life, story, () => undefined);
    t.deepEqual(steps, story.steps);
    t.is(error, null);
    await story.assertEnd(t, life, { taken: story.steps.length, steps: story.steps });
  });

  for (const [index, step] of story.steps.entries())
    for (const [when, taken] of [
      ['before', index],
      ['after', index + 1],
    ] as const)
      // specification: 10-the-accepted-write
      // specification: 12-event-and-deliveries
      // specification: 14-a-start-that
      // specification: 15-reserved-before-it
      // specification: 15-final-state-log
      test.serial(`${name}: killed ${when} step ${index + 1} of ${story.steps.length}, ${step}`, async (t) => {
        const life = await open(t);
        const { error } = await playUntilDead(life, story, (_step, nth) => (nth === index + 1 ? when : undefined));
        t.true(error instanceof Died, String(error));
        await goOn(life, story);
        await story.assertEnd(t, life, { taken: countedOf(story.steps, taken, when), steps: story.steps });
      });
}

/** How many steps count: those of a transaction only once it is committed, and it ends with its commit. */
function countedOf(steps: readonly string[], taken: number, when: 'before' | 'after'): number {
  const begun = steps.slice(0, taken).lastIndexOf('transaction');
  if (begun === -1) return taken;
  const end = steps.indexOf('commit', begun) + 1;
  if (when === 'after' && begun === taken - 1) return end;
  return taken < end ? begun : taken;
}
