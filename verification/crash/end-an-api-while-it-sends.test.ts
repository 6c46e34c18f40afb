import test, { type ExecutionContext } from 'ava';
import pLimit from 'p-limit';
import { attemptLeaseMs } from '../../features/webhooks/rules/retry-schedule.ts';
import { setUpAccount, type ApiAccount } from '../../test/support/set-up-account.ts';
import { until } from '../../test/support/until.ts';
import { assertLog } from './support/assert-deliveries.ts';
import { startDeliveryReceivers, type DeliveryReceivers } from './support/delivery-receivers.ts';
import { startSystem, type System } from './support/system.ts';

// An API makes first attempts at a receiver that takes 0.9 s for each answer: some are under way, others are stored as begun and
// wait for a slot. Then it ends, by SIGTERM or by SIGKILL.

const eventCount = 300;
/** A relay looks every 2 s, and the machine is busy. */
const slackMs = 6_000;

interface Scene {
  readonly system: System;
  readonly receivers: DeliveryReceivers;
  readonly account: ApiAccount;
}

async function openScene(t: ExecutionContext): Promise<Scene> {
  t.timeout(400_000);
  const receivers = await startDeliveryReceivers();
  t.teardown(() => receivers.close());
  const system = await startSystem();
  t.teardown(() => system.stop());
  const account = await setUpAccount(system.foundation, { webhookUrl: `${receivers.url}/late` });
  return { system, receivers, account };
}

const collection = ({ system }: Scene, name: string) => system.foundation.store.connection.collection(name);

async function put({ system: { apiUrl }, account: { headers } }: Scene, externalId: string): Promise<boolean> {
  const body = JSON.stringify({ title: 'En sak', price: 100, imageUrls: [], domain: { domain: 'toys' } });
  const url = `${apiUrl}/integration/v1/items/${externalId}`;
  return fetch(url, { method: 'PUT', headers, body }).then(
    async (answer) => (await answer.arrayBuffer(), answer.status === 202),
    () => false,
  );
}

/** An address begins as unproven, with a queue. When it has answered, the API sends at once, and learns how fast it is. */
async function warmUp(scene: Scene): Promise<number> {
  const isFree = { accountId: scene.account.id, isProven: true, queue: false };
  const sendOne = async (n: number): Promise<void> => {
    await until('a PUT is accepted', () => put(scene, `warm-${n}`));
    await until(
      'it is delivered',
      async () => (await collection(scene, 'deliveries').countDocuments({ state: 'succeeded' })) === n,
    );
  };
  await sendOne(1);
  await until(
    'nothing is left in the queue',
    async () => (await collection(scene, 'webhook_endpoints').countDocuments(isFree)) === 1,
  );
  await sendOne(2);
  return 2;
}

/** As an ERP does: what was not answered is pushed again. */
function burst(scene: Scene): { done: Promise<unknown>; repeated: number } {
  const limit = pLimit(8);
  const load = { done: Promise.resolve() as Promise<unknown>, repeated: 0 };
  const one = (n: number): Promise<unknown> =>
    until(`PUT ${n} is accepted`, async () => {
      const isAccepted = await put(scene, `burst-${n}`);
      if (!isAccepted) load.repeated += 1;
      return isAccepted;
    });
  load.done = Promise.all(Array.from({ length: eventCount }, (_, n) => limit(() => one(n))));
  load.done.catch(() => undefined);
  return load;
}

/** Events whose first attempt is stored as begun, and of which the receiver has seen nothing. */
async function begunUnsent(scene: Scene): Promise<string[]> {
  const arrived = new Set(scene.receivers.arrivals.map(({ eventId }) => eventId));
  const begun = { state: 'pending', waits: false, attempts: 1, retryAt: null };
  const rows = await collection(scene, 'deliveries').find(begun).project<{ eventId: string }>({ eventId: 1 }).toArray();
  return rows.map(({ eventId }) => eventId).filter((id) => !arrived.has(id));
}

interface End {
  /** When it was signalled. */
  readonly endedAt: number;
  /** Stored as begun right before the end, and not sent then. */
  readonly left: readonly string[];
  readonly interrupted: readonly { readonly createdAt: Date }[];
}

async function endInTheMiddle(t: ExecutionContext, scene: Scene, end: () => Promise<unknown>): Promise<End> {
  const warm = await warmUp(scene);
  const load = burst(scene);
  const begun = await until('attempts wait for a slot', async () => {
    const ids = await begunUnsent(scene);
    return ids.length >= 10 && ids;
  });
  const endedAt = Date.now();
  await end();
  const sent = new Set(scene.receivers.arrivals.filter(({ at }) => at < endedAt).map(({ eventId }) => eventId));
  const left = begun.filter((id) => !sent.has(id));
  await scene.system.api.start();
  await load.done;
  const { attempts } = await assertLog(t, scene.system, warm + eventCount);
  const arrivals = new Set(scene.receivers.arrivals.map(({ eventId }) => eventId));
  t.is(arrivals.size, warm + eventCount, 'every event has arrived');
  t.is(await collection(scene, 'deliveries').countDocuments({ state: { $ne: 'succeeded' } }), 0);
  t.is(await collection(scene, 'deliveries').countDocuments({ startAt: { $ne: null } }), 0, 'nothing is owed');
  const lastMs = Math.max(...scene.receivers.arrivals.map(({ at }) => at)) - endedAt;
  const twice = scene.receivers.arrivals.length - arrivals.size;
  const interrupted = attempts.filter(({ errorMessage }) => errorMessage?.startsWith('interrupted') === true);
  t.log(
    `${load.repeated} PUTs repeated; ${left.length} begun and not sent; ${interrupted.length} interrupted; ${twice} twice; at rest after ${lastMs} ms`,
  );
  return { endedAt, left, interrupted };
}

/** How long after the end each of the events came. */
const arrivedAfterMs = ({ receivers }: Scene, ids: readonly string[], endedAt: number): number[] =>
  ids.map((id) => (receivers.arrivals.find(({ eventId }) => eventId === id)?.at ?? Infinity) - endedAt);

test.serial(
  'an API that is told to stop gives back what it has not begun: it goes at once, nothing is interrupted',
  async (t) => {
    const scene = await openScene(t);
    const stop = async (): Promise<void> => {
      const began = performance.now();
      await scene.system.api.stop();
      const tookMs = performance.now() - began;
      t.log(`stopped within ${Math.round(tookMs)} ms`);
      t.true(tookMs < 14_000, 'it waits for its attempts under way, and not for the others');
      const own = {
        state: 'pending',
        waits: false,
        attempts: 1,
        retryAt: null,
        updatedAt: { $lt: new Date(Date.now() - 10_000) },
      };
      t.is(await collection(scene, 'deliveries').countDocuments(own), 0);
    };
    const { endedAt, left, interrupted } = await endInTheMiddle(t, scene, stop);
    t.deepEqual(interrupted, []);
    const afterMs = arrivedAfterMs(scene, left, endedAt);
    t.log(`what was begun and not sent came ${Math.min(...afterMs)} to ${Math.max(...afterMs)} ms after the end`);
    t.true(left.length > 0, 'it stopped in the middle');
    t.true(Math.max(...afterMs) < attemptLeaseMs, 'nothing waited for its lease');
  },
);

test.serial(
  'an API that is killed while it sends: each event arrives, and nothing waits longer than its lease',
  async (t) => {
    const scene = await openScene(t);
    const { endedAt, left, interrupted } = await endInTheMiddle(t, scene, () => scene.system.api.kill9());
    t.true(interrupted.length > 0, 'the kill came in the middle');
    const recordedMs = interrupted.map(({ createdAt }) => createdAt.getTime() - endedAt);
    const afterMs = arrivedAfterMs(scene, left, endedAt);
    t.log(
      `taken over ${Math.min(...recordedMs)} to ${Math.max(...recordedMs)} ms after the kill; unsent ones came ${Math.min(...afterMs)} to ${Math.max(...afterMs)} ms after it`,
    );
    t.true(Math.max(...recordedMs) < attemptLeaseMs + slackMs, 'no longer than the lease');
  },
);
