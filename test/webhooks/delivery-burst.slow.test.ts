import test, { type ExecutionContext } from 'ava';
import { disableAfterFailures } from '../../features/webhooks/rules/disable-after-failures.ts';
import { attemptBounds } from '../../features/webhooks/rules/attempt-bounds.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { aGate } from '../support/a-gate.ts';
import { withDatabase } from '../support/with-database.ts';
import { until } from '../support/until.ts';
import { ok, refusal, startDeliveryLife, type DeliveryLife, type DeliveryProcess } from '../support/delivery-life.ts';

// Five thousand events at once for one receiver, stored as fifty large writes.

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

const [count, together] = [5_000, 100] as const;

async function openLife(t: ExecutionContext): Promise<{ life: DeliveryLife; process: DeliveryProcess }> {
  t.timeout(300_000);
  const life = await startDeliveryLife(store);
  t.teardown(() => life.close());
  return { life, process: life.process() };
}

const nameOf = (n: number): string => `A${String(n).padStart(4, '0')}`;
const all = Array.from({ length: count }, (_, n) => nameOf(n));

async function burst(life: DeliveryLife, process: DeliveryProcess): Promise<void> {
  for (let n = 0; n < count; n += together) {
    await process.happen(...all.slice(n, n + together));
    life.pass(together);
  }
}

const countOf = async (life: DeliveryLife, filter: object): Promise<number> =>
  store.connection.collection('deliveries').countDocuments({ accountId: life.account, ...filter });

/** The workflow of the receiver works on until all are delivered. */
async function workUntilDelivered(life: DeliveryLife, process: DeliveryProcess): Promise<void> {
  await until(
    'all are delivered',
    async () => {
      await process.work();
      return (await countOf(life, { state: 'succeeded' })) === count;
    },
    250_000,
  );
}

const slowly = { ...ok, durationMs: 900 };
const hanging = { ...refusal, durationMs: 10_000, httpStatus: null };

test.serial('a receiver that answers slowly gets each event once, and no workflow is started for any', async (t) => {
  const { life, process } = await openLife(t);
  life.answer = () => slowly;
  await burst(life, process);
  await workUntilDelivered(life, process);
  t.deepEqual(life.arrived.toSorted(), all);
  t.deepEqual(life.started, []);
});

test.serial('a receiver that hangs keeps the rest waiting, untried; when it answers again, all arrive', async (t) => {
  const { life, process } = await openLife(t);
  const gate = aGate();
  life.answer = () => gate.opened.then(() => hanging);
  await burst(life, process);
  const begun = await countOf(life, { waits: false });
  t.true(begun <= 4, `${begun} were begun at a receiver that nothing is known of`);
  gate.open();
  await process.work();
  t.like(await life.target(), { queue: true });
  const tried = life.started.length;
  t.true(tried <= disableAfterFailures, `${tried} are between two attempts`);
  t.is(await countOf(life, { waits: true }), count - tried);
  life.answer = () => ok;
  for (const { _id } of await life.deliveries({ waits: false, state: 'pending' })) await process.attempt(_id);
  await workUntilDelivered(life, process);
  t.deepEqual([...new Set(life.arrived)].toSorted(), all);
});

test.serial(
  'a receiver that dies in the middle costs fifteen workflows at most, beside what was under way',
  async (t) => {
    const { life, process } = await openLife(t);
    // What is under way when it dies; and as much of a transaction that has read the target before the first failure was stored.
    const { sound } = attemptBounds.perReceiverMax;
    life.answer = () => (life.arrived.length > 1_000 ? refusal : ok);
    await burst(life, process);
    await process.work();
    await until(
      'what was under way is recorded',
      async () => (await countOf(life, { attempts: 1, retryAt: null, waits: false })) === 0,
    );
    await process.work();
    const failed = await countOf(life, { waits: false, state: 'pending' });
    t.true(failed <= disableAfterFailures + 2 * sound, `${failed} are between two attempts`);
    t.log(`${failed} are between two attempts`);
    t.is((await countOf(life, { waits: true })) + failed + (await countOf(life, { state: 'succeeded' })), count);
    life.answer = () => ok;
    for (const { _id } of await life.deliveries({ waits: false, state: 'pending' })) await process.attempt(_id);
    await workUntilDelivered(life, process);
    t.deepEqual([...new Set(life.arrived)].toSorted(), all);
  },
);
