import test from 'ava';
import { until } from '../support/until.ts';
import { callAdmin, withWorld, type TestAccount, type World } from '../support/world.ts';

// The time-out of a delivery at its real length.

let world: World;
withWorld(test, (started) => (world = started));

/** The attempts of the account in order, when there are `count`. */
const untilLogged = (account: TestAccount, count: number): Promise<Record<string, unknown>[]> =>
  until(`${count} attempts`, async () => {
    const rows = await world.foundation.store.connection
      .collection('delivery_attempts')
      .find({ accountId: account.id })
      .sort({ attempt: 1 })
      .toArray();
    return rows.length >= count && rows;
  });

async function pushToSlowReceiver(delayMs: number): Promise<TestAccount> {
  const account = await world.account();
  const fault = { path: account.id, mode: 'delay', delayMs, times: 1 };
  await callAdmin(`${world.receiver.adminUrl}/faults`, 'POST', fault);
  await account.push('A1');
  return account;
}

// specification: webhook-time-out-10
test('an attempt that is not answered within 10 seconds has failed, and the next one is made', async (t) => {
  const [first, second] = await untilLogged(await pushToSlowReceiver(13_000), 2);
  t.like(first, { status: 'failed' });
  t.regex(String(first?.['errorMessage']), /did not answer within 10 seconds/);
  t.like(second, { status: 'success' });
});

// specification: webhook-time-out-10
test('an answer after 7 seconds is in time', async (t) => {
  const [first] = await untilLogged(await pushToSlowReceiver(7_000), 1);
  t.like(first, { status: 'success' });
});
