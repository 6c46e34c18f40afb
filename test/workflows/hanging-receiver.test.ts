import { randomUUID } from 'node:crypto';
import test from 'ava';
import { until } from '../support/until.ts';
import { callAdmin, startWorld, type TestAccount, type World } from '../support/world.ts';

let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after.always(async () => {
  await world.stop();
});

/** More than a worker has slots for first attempts of whatever kind. */
const burst = 60;

const collection = (name: string) => world.foundation.store.connection.collection<Record<string, unknown>>(name);

const countDeliveries = (account: TestAccount, filter: object): Promise<number> =>
  collection('deliveries').countDocuments({ accountId: account.id, ...filter });

/** Deliveries as events leave them when their starts got lost: the sweep starts them all at once. */
async function sendAgain(account: TestAccount, count: number): Promise<void> {
  const delivered = await collection('deliveries').findOne({ accountId: account.id });
  const now = new Date();
  const again = { state: 'pending', attempts: 0, inFlightSince: null, retryAt: null, nextAttemptAt: now };
  const rows = Array.from({ length: count }, () => ({ ...delivered, ...again, _id: `dlv_${randomUUID()}` }));
  await collection('deliveries').insertMany(rows as never);
}

/** Delivers until the last answer came within a second, which is what makes the next attempts cheap. */
async function becomeFast(account: TestAccount): Promise<void> {
  for (let sent = 1; ; sent += 1) {
    await until('delivered', async () => (await countDeliveries(account, { state: 'succeeded' })) === sent);
    const last = await collection('delivery_attempts').findOne({ accountId: account.id }, { sort: { createdAt: -1 } });
    if (Number(last?.['durationMs']) <= 1_000) return;
    await sendAgain(account, 1);
  }
}

test("a burst to a receiver that begins to hang doesn't hold up another account's deliveries", async (t) => {
  const [hanging, other] = [await world.account(), await world.account()];
  await Promise.all([hanging.push('first'), other.push('first')]);
  await Promise.all([becomeFast(hanging), becomeFast(other)]);
  const fault = { path: `^/hooks/${hanging.id}$`, mode: 'delay', delayMs: 60_000 };
  await callAdmin(`${world.receiver.adminUrl}/faults`, 'POST', fault);
  await sendAgain(hanging, burst);
  await until('the burst hangs', async () => (await countDeliveries(hanging, { inFlightSince: { $ne: null } })) >= 40);
  const before = await countDeliveries(other, { state: 'succeeded' });
  await sendAgain(other, 1);
  await until('delivered again', async () => (await countDeliveries(other, { state: 'succeeded' })) > before);
  const ended = await collection('delivery_attempts').countDocuments({ accountId: hanging.id, status: 'failed' });
  t.is(ended, 0, 'the other account was served while every attempt of the burst still hung');
  await callAdmin(`${world.receiver.adminUrl}/faults`, 'DELETE');
});
