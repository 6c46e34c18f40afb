import test from 'ava';
import { WorkflowFailedError } from '@temporalio/client';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { until } from '../support/until.ts';
import { outcomes } from './support/calls.ts';
import {
  accepted,
  createDeliveryScripts,
  refused,
  type DeliveryScript,
  type ScriptedDelivery,
} from './support/scripted-delivery.ts';
import { startTimeSkipping, type TimeSkipping } from './support/time-skipping.ts';

let store: StoreConnection;
let scripts: ReturnType<typeof createDeliveryScripts>;
let world: TimeSkipping;
test.before(async () => {
  store = await openTestStore();
  scripts = createDeliveryScripts(store);
  world = await startTimeSkipping({ kinds: ['deliveries', 'attempts'], activities: scripts.activities });
});
test.after.always(async () => {
  await world.stop();
  await closeTestStore(store);
});

const aDelivery = (script: DeliveryScript): Promise<ScriptedDelivery> => scripts.delivery(world, script);
const down = (): Error => new Error('no primary');
const all = (status: string, ...attempts: number[]): [number, string][] => attempts.map((n) => [n, status]);

// specification: webhook-attempts-5-after
test.serial(
  'a receiver that always fails gets five attempts, at 0, 1, 3, 7 and 15 s, and then the delivery is given up',
  async (t) => {
    const delivery = await aDelivery({ answers: Array.from({ length: 6 }, () => refused()) });
    await delivery.start();
    await delivery.ended();
    t.is(await delivery.state(), 'given_up');
    t.deepEqual(await delivery.log(), all('failed', 1, 2, 3, 4, 5));
    const [first = 0] = delivery.sentAt;
    const after = delivery.sentAt.map((at) => at - first);
    t.is(after.length, 5);
    for (const [n, ms] of [0, 1_000, 3_000, 7_000, 15_000].entries()) {
      t.true((after[n] ?? -1) >= ms && (after[n] ?? 0) < ms + 5_000, `attempt ${n + 1} came after ${after[n]} ms`);
    }
  },
);

test.serial('each attempt is made on the fair queue, by an activity of its own', async (t) => {
  const delivery = await aDelivery({ answers: [refused(), refused(), accepted] });
  await delivery.start();
  await delivery.ended();
  t.is(await delivery.state(), 'succeeded');
  t.deepEqual(
    delivery.calls.map(({ queue, attempt }) => [queue, attempt]),
    [1, 2, 3].map(() => ['attempts', 1]),
  );
});

test.serial('410 gives a delivery up without another attempt', async (t) => {
  const delivery = await aDelivery({ answers: [refused(410)] });
  await delivery.start();
  await delivery.ended();
  t.is(await delivery.state(), 'given_up');
  t.is(delivery.calls.length, 1);
});

for (const [endpoint, state] of [
  ['gone', 'stopped'],
  ['disabled', 'held'],
] as const) {
  test.serial(`an endpoint that is ${endpoint} is sent nothing, and the delivery ends as ${state}`, async (t) => {
    const delivery = await aDelivery({ answers: [], endpoint });
    await delivery.start();
    await delivery.ended();
    t.is(await delivery.state(), state);
    t.deepEqual(delivery.sentAt, []);
  });
}

test.serial(
  'an attempt whose outcome could not be written counts: it is logged as failed and the next number goes on',
  async (t) => {
    const delivery = await aDelivery({
      answers: [accepted, accepted],
      beforeRecord: outcomes(down(), 'done', 'done'),
    });
    await delivery.start();
    await delivery.ended();
    t.deepEqual(await delivery.log(), [...all('failed', 1), ...all('success', 2)]);
    const [first = 0, second = 0] = delivery.sentAt;
    const waitMs = second - first;
    t.true(waitMs >= 15_000 && waitMs < 25_000, `another may be at it as long as an attempt can take: ${waitMs} ms`);
  },
);

test.serial('outcomes that are lost each time never make a sixth request', async (t) => {
  let writes = 0;
  const everyOther = (): Promise<void> => ((writes += 1) % 2 === 1 ? Promise.reject(down()) : Promise.resolve());
  const delivery = await aDelivery({
    answers: Array.from({ length: 10 }, () => accepted),
    beforeRecord: everyOther,
  });
  await delivery.start();
  await delivery.ended();
  t.is(await delivery.state(), 'given_up');
  t.is(delivery.sentAt.length, 5);
  t.deepEqual(await delivery.log(), all('failed', 1, 2, 3, 4, 5));
});

test.serial(
  'while the database is away, attempts are neither made nor used up, and the workflow does not fail',
  async (t) => {
    const delivery = await aDelivery({
      answers: [accepted],
      beforeFind: outcomes(down(), down(), down(), 'done'),
    });
    await delivery.start();
    await delivery.ended();
    t.deepEqual(
      delivery.calls.map(({ queue, attempt }) => [queue, attempt]),
      [1, 2, 3, 4].map((n) => ['attempts', n]),
    );
    t.deepEqual(await delivery.log(), all('success', 1));
  },
);

for (const [what, stop] of Object.entries({
  cancelled: (workflowId: string) => world.client.workflow.getHandle(workflowId).cancel(),
  terminated: (workflowId: string) => world.client.workflow.getHandle(workflowId).terminate('by an operator'),
})) {
  test.serial(
    `${what} by an operator, a delivery started again goes on with the next number, not before its time`,
    async (t) => {
      const delivery = await aDelivery({ answers: [refused(), refused(), refused(), accepted] });
      await delivery.start();
      await until('it has failed twice and waits', async () => {
        if (delivery.sentAt.length === 1) await world.pass(1_000);
        return (await delivery.log()).length === 2;
      });
      await stop(delivery.workflowId);
      await t.throwsAsync(delivery.ended(), { instanceOf: WorkflowFailedError });
      await delivery.start();
      await delivery.ended();
      t.deepEqual(await delivery.log(), [...all('failed', 1, 2, 3), ...all('success', 4)]);
      const [, second = 0, third = 0] = delivery.sentAt;
      t.true(third - second >= 2_000, `the third came ${third - second} ms after the second`);
    },
  );
}

test.serial(
  'a delivery that is started twice is one workflow, and started after its end it sends nothing',
  async (t) => {
    const delivery = await aDelivery({ answers: [refused(), accepted] });
    await delivery.start();
    await until('it waits', async () => (await delivery.log()).length === 1);
    await delivery.start();
    await delivery.ended();
    await delivery.start();
    await delivery.ended();
    t.is(delivery.sentAt.length, 2);
    t.deepEqual(
      delivery.calls.map(({ attempt }) => attempt),
      [1, 1, 1],
    );
  },
);
