import { createHmac } from 'node:crypto';
import test from 'ava';
import { endpointId } from '../../features/rules/ids.ts';
import { until } from '../support/until.ts';
import { callAdmin, withWorld, type TestAccount, type World } from '../support/world.ts';
import { rotateWebhookSecret } from '../../features/webhooks/manage-webhooks.ts';

let world: World;
withWorld(test, (started) => (world = started));

interface LogRow {
  readonly attempt: number;
  readonly status: string;
  readonly errorMessage: string | null;
  readonly httpStatus: number | null;
  readonly createdAt: Date;
}

const collection = (name: string) => world.foundation.store.connection.collection(name);

const logOf = (account: TestAccount): Promise<LogRow[]> =>
  collection('delivery_attempts').find<LogRow>({ accountId: account.id }).sort({ attempt: 1 }).toArray();

const untilState = (account: TestAccount, state: string): Promise<Record<string, unknown>> =>
  until(`the delivery is ${state}`, () => collection('deliveries').findOne({ accountId: account.id, state }));

const faultFor = (account: TestAccount, fault: object): Promise<unknown> =>
  callAdmin(`${world.receiver.adminUrl}/faults`, 'POST', { path: `^/hooks/${account.id}$`, ...fault });

const failCountOf = async (account: TestAccount): Promise<unknown> =>
  (await collection('webhook_endpoints').findOne({ accountId: account.id }))?.['failCount'];

// specification: x-service-signature-sha256, every-event-that-a
test('a delivery carries both signatures over its raw bytes', async (t) => {
  const account = await world.account();
  await account.push('A1');
  const [webhook] = await until('delivered', async () => {
    const received = await account.received();
    return received.length > 0 && received;
  });
  const raw = Buffer.from(webhook?.rawBase64 ?? '', 'base64');
  const expected = createHmac('sha256', account.secret).update(raw).digest('hex');
  t.is(webhook?.headers['x-service-signature'], `sha256=${expected}`);
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = webhook?.headers ?? {};
  const key = Buffer.from(account.secret.slice('whsec_'.length), 'base64');
  const standard = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(raw).digest('base64');
  t.is(webhook?.headers['webhook-signature'], `v1,${standard}`);
});

// specification: webhook-attempts-5-after
test('a receiver that fails twice gets the event with its third attempt, and every attempt is logged', async (t) => {
  const account = await world.account();
  await faultFor(account, { mode: 'status', status: 503, times: 2 });
  await account.push('A1');
  await untilState(account, 'succeeded');
  const log = await logOf(account);
  t.deepEqual(
    log.map(({ attempt, status, httpStatus }) => [attempt, status, httpStatus]),
    [
      [1, 'failed', 503],
      [2, 'failed', 503],
      [3, 'success', 200],
    ],
  );
  const waits = log.slice(1).map((row, n) => row.createdAt.getTime() - (log[n]?.createdAt.getTime() ?? 0));
  t.true((waits[0] ?? 0) >= 1_000 && (waits[1] ?? 0) >= 2_000, `waits were ${waits.join(', ')} ms`);
  t.is(await failCountOf(account), 0);
});

// specification: auto-disable-15-failures
test('the fifteenth delivery given up in a row disables the endpoint, and later events are held', async (t) => {
  const account = await world.account();
  await collection('webhook_endpoints').updateOne({ accountId: account.id }, { $set: { failCount: 14 } });
  await faultFor(account, { mode: 'status', status: 410 });
  await account.push('A1');
  await untilState(account, 'given_up');
  const endpoint = await collection('webhook_endpoints').findOne({ accountId: account.id });
  t.like(endpoint, { active: false, failCount: 15 });
  await account.push('A2');
  await untilState(account, 'held');
  t.is((await account.received()).length, 0);
});

test('a rotated secret signs the retries of a delivery in flight', async (t) => {
  const account = await world.account();
  await faultFor(account, { mode: 'status', status: 500, times: 1 });
  await account.push('A1');
  await until('the first attempt', async () => (await logOf(account)).length === 1);
  const hook = await collection('webhook_endpoints').findOne({ accountId: account.id });
  const { secret } = await rotateWebhookSecret(world.context, account.scope, endpointId(String(hook?.['_id'])));
  await untilState(account, 'succeeded');
  const [webhook] = await account.received();
  const raw = Buffer.from(webhook?.rawBase64 ?? '', 'base64');
  t.is(webhook?.headers['x-service-signature'], `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`);
});
