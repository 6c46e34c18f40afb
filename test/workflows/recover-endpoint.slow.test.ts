import test from 'ava';
import { endpointId, type EndpointId } from '../../features/rules/ids.ts';
import { requireSoundWebhooks } from '../support/sound-webhooks.ts';
import { until } from '../support/until.ts';
import {
  callAdmin,
  untilReceived,
  withWorld,
  type ReceivedWebhook,
  type TestAccount,
  type World,
} from '../support/world.ts';
import { listTargetRecoveries, previewRecovery, recoverTarget } from '../../features/webhooks/recover-target.ts';
import { changeWebhook, listWebhooks } from '../../features/webhooks/manage-webhooks.ts';
import { readWebhookDeliveryQuery } from '../../schemas/webhooks/webhook-delivery.ts';
import { listWebhookDeliveries, previewRedelivery, redeliver } from '../../features/webhooks/webhook-deliveries.ts';
import { sendTestEvent } from '../../features/webhooks/register-webhook.ts';
import { setWebhookUrl } from '../../features/webhooks/webhook-settings.ts';
import { present } from '../support/clock.ts';

let world: World;
withWorld(test, (started) => (world = started));

const rowsOf = (name: string) => world.foundation.store.connection.collection<Record<string, unknown>>(name);

async function endpointOf(account: TestAccount): Promise<EndpointId> {
  const [endpoint] = await listWebhooks(world.context, account.scope);
  return endpointId(endpoint?.id ?? '');
}

const change = async (account: TestAccount, change: { active?: boolean; autoRecover?: boolean }): Promise<void> => {
  await changeWebhook(world.context, account.scope, { endpointId: await endpointOf(account), change });
};

const logOf = async (account: TestAccount, query: Record<string, string>) =>
  (await listWebhookDeliveries(world.context, account.scope, readWebhookDeliveryQuery(query))).deliveries;

const faultFor = (account: TestAccount, fault: object): Promise<{ id: string }> =>
  callAdmin(`${world.receiver.adminUrl}/faults`, 'POST', { path: `^/hooks/${account.id}$`, ...fault });

/** Pushes one item after the other, so that the order of their events is known. */
async function pushInOrder(account: TestAccount, externalIds: readonly string[]): Promise<void> {
  for (const externalId of externalIds) {
    await account.push(externalId);
    await until(`the event of ${externalId}`, () => rowsOf('events').findOne({ accountId: account.id, externalId }));
  }
}

const idsOf = (received: readonly ReceivedWebhook[]): string[] => received.map(({ body }) => body.data.externalId);

/** As a majority has it, like the log, which would otherwise be a moment behind. */
const untilCounted = (account: TestAccount, state: string, count: number): Promise<unknown> =>
  until(`${count} deliveries are ${state}`, async () => {
    const filter = { accountId: account.id, state };
    return (await rowsOf('deliveries').countDocuments(filter, { readConcern: 'majority' })) === count;
  });

/** Switching `autoRecover` on plans one for at once, which would meet whatever is missed by then. */
const untilNoRunIsPlanned = (account: TestAccount): Promise<unknown> =>
  until('no run is planned', () =>
    rowsOf('webhook_endpoints').findOne({ accountId: account.id, recoverAt: null, failCount: 0 }),
  );

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(2, '0')}`);

// specification: recover-all-that-was
test('what was missed while an endpoint was disabled is recovered in order, with the same event ids and bytes', async (t) => {
  const account = await world.account();
  await change(account, { active: false });
  await pushInOrder(account, names('R', 12));
  await untilCounted(account, 'held', 12);
  const since = present(-3_600_000);
  const wish = { endpointId: await endpointOf(account), since };
  t.deepEqual(await previewRecovery(world.context, account.scope, wish), { count: 12 });
  await t.throwsAsync(recoverTarget(world.context, account.scope, wish), { message: /disabled; enable it first/ });
  await change(account, { active: true });
  const begun = await recoverTarget(world.context, account.scope, wish);
  t.like(begun, { kind: 'manual', state: 'running', total: 12 });
  t.deepEqual(idsOf(await untilReceived(account, 'item.created', 12)), names('R', 12));
  const [ended] = await until('the run has ended', async () => {
    const runs = await listTargetRecoveries(world.context, account.scope, wish.endpointId);
    return runs[0]?.state !== 'running' && runs;
  });
  t.like(ended, { id: begun.id, state: 'finished', sent: 12, failed: 0, stoppedBecause: null });
  t.deepEqual(await previewRecovery(world.context, account.scope, wish), { count: 0 });
  const stored = await rowsOf('deliveries').find({ accountId: account.id, ordinal: 1 }).toArray();
  const held = new Map(stored.map((row) => [row['eventId'], Buffer.from((row['body'] as { buffer: Buffer }).buffer)]));
  for (const { body, rawBase64 } of await account.received())
    t.deepEqual(Buffer.from(rawBase64, 'base64'), held.get(body.eventId));
});

// specification: autorecover-when-it-answers
test('an endpoint with autoRecover gets what it missed by itself as soon as it answers again', async (t) => {
  const account = await world.account();
  await change(account, { autoRecover: true });
  await untilNoRunIsPlanned(account);
  const fault = await faultFor(account, { mode: 'status', status: 410 });
  await pushInOrder(account, names('A', 4));
  await untilCounted(account, 'given_up', 4);
  await callAdmin(`${world.receiver.adminUrl}/faults/${fault.id}`, 'DELETE');
  t.deepEqual(await account.received(), []);
  await account.push('A-later');
  const received = idsOf(await untilReceived(account, 'item.created', 5));
  t.deepEqual(received, ['A-later', ...names('A', 4)], 'the new one shows that it answers, the others follow in order');
  t.truthy(await untilNoRunIsPlanned(account));
});

// specification: recovery-of-a-receiver
test('a recovery stops after ten in a row that fail, counts in no failCount, and the rest stays missed', async (t) => {
  const account = await world.account();
  await change(account, { active: false });
  await pushInOrder(account, names('S', 12));
  await untilCounted(account, 'held', 12);
  await change(account, { active: true });
  await faultFor(account, { mode: 'status', status: 410 });
  const wish = { endpointId: await endpointOf(account), since: present(-60_000) };
  await recoverTarget(world.context, account.scope, wish);
  const [run] = await until('the run has ended', async () => {
    const runs = await listTargetRecoveries(world.context, account.scope, wish.endpointId);
    return runs[0]?.state !== 'running' && runs;
  });
  t.like(run, { state: 'stopped', sent: 0, failed: 10, stoppedBecause: '10 in a row did not get through' });
  t.deepEqual(await previewRecovery(world.context, account.scope, wish), { count: 12 });
  t.like(await rowsOf('webhook_endpoints').findOne({ accountId: account.id }), { failCount: 0, active: true });
});

// specification: redelivery-a-new-delivery
test('a redelivery is a new delivery of the same event, also to a disabled endpoint, and leaves failCount alone', async (t) => {
  const account = await world.account();
  await account.push('A1');
  const [first] = await untilReceived(account, 'item.created');
  await untilCounted(account, 'succeeded', 1);
  const [record] = await logOf(account, {});
  await change(account, { active: false });
  t.deepEqual(await previewRedelivery(world.context, account.scope, record?.id ?? ''), { count: 1 });
  const made = await redeliver(world.context, account.scope, record?.id ?? '');
  const [, again] = await untilReceived(account, 'item.created', 2);
  t.is(again?.body.eventId, first?.body.eventId);
  t.is(again?.rawBase64, first?.rawBase64);
  await untilCounted(account, 'succeeded', 2);
  t.like(await rowsOf('deliveries').findOne({ _id: made.deliveryId }), { purpose: 'redelivery', ordinal: 2 });
  await faultFor(account, { mode: 'status', status: 410 });
  await redeliver(world.context, account.scope, made.deliveryId);
  await untilCounted(account, 'given_up', 1);
  t.like(await rowsOf('webhook_endpoints').findOne({ accountId: account.id }), { failCount: 0 });
});

// specification: a-test-event-is
test('a test event is signed, tried once, reaches a disabled endpoint, and is in no feed', async (t) => {
  const account = await world.account();
  const endpoint = await endpointOf(account);
  await change(account, { active: false });
  const made = await sendTestEvent(world.context, account.scope, { endpointId: endpoint, eventType: undefined });
  const [received] = await untilReceived(account, 'webhook.test');
  t.is(received?.body.eventId, made.eventId);
  t.like(received?.body.data, { externalId: 'itembridge-test', test: true });
  t.truthy(received?.headers['x-service-signature']);
  await faultFor(account, { mode: 'status', status: 500 });
  const failing = await sendTestEvent(world.context, account.scope, { endpointId: endpoint, eventType: 'item.sold' });
  await untilCounted(account, 'given_up', 1);
  const log = await logOf(account, { deliveryId: failing.deliveryId });
  t.deepEqual(
    log.map(({ status, httpStatus, eventType }) => [status, httpStatus, eventType]),
    [['failed', 500, 'item.sold']],
  );
  t.is(await rowsOf('events').countDocuments({ accountId: account.id }), 0);
  t.like(await rowsOf('webhook_endpoints').findOne({ accountId: account.id }), { failCount: 0 });
});

// specification: the-account-level-url
test('the account-level URL recovers what it missed as an endpoint does', async (t) => {
  const account = await world.account();
  const path = `/settings/${account.id}`;
  await setWebhookUrl(world.context, account.scope, `${world.receiver.url}${path}`);
  await callAdmin(`${world.receiver.adminUrl}/faults`, 'POST', {
    path: `^${path}$`,
    mode: 'status',
    status: 410,
    times: 2,
  });
  await pushInOrder(account, ['U1', 'U2']);
  await untilCounted(account, 'given_up', 2);
  const since = present(-60_000);
  t.like(await recoverTarget(world.context, account.scope, { endpointId: null, since }), { total: 2 });
  const arrived = await until('both', async () => {
    const answer = await callAdmin<{ received: ReceivedWebhook[] }>(
      `${world.receiver.adminUrl}/received?path=^${path}$`,
    );
    return answer.received.length === 2 && answer.received;
  });
  requireSoundWebhooks(arrived);
  t.deepEqual(idsOf(arrived), ['U1', 'U2']);
});
