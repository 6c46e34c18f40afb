import { randomUUID } from 'node:crypto';
import test from 'ava';
import { until } from '../support/until.ts';
import { callAdmin, withWorld, type TestAccount, type World } from '../support/world.ts';
import { present } from '../support/clock.ts';

let world: World;
withWorld(test, (started) => (world = started));

const hangingCount = 5;
const burst = 10;
/** After one success a receiver has six slots. */
const hangingAtOnce = hangingCount * 6;
/** On a busy machine the first attempts may end before the last ones begin; who is really blocked never gets through. */
const triesMax = 3;

const collection = (name: string) => world.foundation.store.connection.collection<Record<string, unknown>>(name);

const countDeliveries = (account: TestAccount, filter: object): Promise<number> =>
  collection('deliveries').countDocuments({ accountId: account.id, ...filter });

/** Deliveries as a command leaves them: a relay has the workflow of their receiver started. */
async function sendAgain(account: TestAccount, count: number): Promise<void> {
  const delivered = await collection('deliveries').findOne({ accountId: account.id });
  const now = present();
  const again = { state: 'pending', attempts: 0, waits: true, retryAt: null, startAt: now };
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

/** The receivers of these accounts take requests and never answer them. */
async function hang(accounts: readonly TestAccount[]): Promise<void> {
  const path = `^/hooks/(${accounts.map(({ id }) => id).join('|')})$`;
  await callAdmin(`${world.receiver.adminUrl}/faults`, 'POST', { path, mode: 'delay', delayMs: 60_000 });
}

const countTogether = async (accounts: readonly TestAccount[], filter: object): Promise<number> => {
  const counts = await Promise.all(accounts.map((account) => countDeliveries(account, filter)));
  return counts.reduce((sum, count) => sum + count, 0);
};

/** Whether an account was served while every attempt of bursts to five others still hung. */
async function isServedMeanwhile(): Promise<boolean> {
  const hanging = await Promise.all(Array.from({ length: hangingCount }, () => world.account()));
  const other = await world.account();
  const all = [...hanging, other];
  await Promise.all(all.map((account) => account.push('first')));
  await Promise.all(all.map(becomeFast));
  await hang(hanging);
  await Promise.all(hanging.map((account) => sendAgain(account, burst)));
  const inFlight = { state: 'pending', attempts: 1, retryAt: null };
  const countEnded = (): Promise<number> =>
    collection('delivery_attempts').countDocuments({
      accountId: { $in: hanging.map(({ id }) => id) },
      status: 'failed',
    });
  await until(
    'the bursts hang',
    async () => (await countTogether(hanging, inFlight)) >= hangingAtOnce || (await countEnded()) > 0,
  );
  const before = await countDeliveries(other, { state: 'succeeded' });
  await sendAgain(other, 1);
  await until('delivered again', async () => (await countDeliveries(other, { state: 'succeeded' })) > before);
  const ended = await countEnded();
  await callAdmin(`${world.receiver.adminUrl}/faults`, 'DELETE');
  return ended === 0;
}

// specification: a-hanging-receiver-delays
test("bursts to five receivers that begin to hang together don't hold up another account's deliveries", async (t) => {
  t.timeout(180_000);
  let isServed = false;
  for (let tries = 0; tries < triesMax && !isServed; tries += 1) isServed = await isServedMeanwhile();
  t.true(isServed, 'the other account was only served after attempts of the bursts had ended');
});
