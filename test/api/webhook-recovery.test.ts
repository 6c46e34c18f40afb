import test from 'ava';
import { accountId, deliveryId, endpointId, eventId } from '../../features/rules/ids.ts';
import { attemptRows } from '../../features/webhooks/store/delivery-attempts.ts';
import { isError, withApiWorld, type TestAccount } from '../support/api-world.ts';
import { aDueEvent, storeEvents } from '../support/stored-events.ts';
import { present } from '../support/clock.ts';

const world = withApiWorld(test);
const hourAgo = (): string => present(-3_600_000).toISOString();

const deliveriesOf = (account: TestAccount) =>
  world().store.connection.collection('deliveries').find({ accountId: account.id }).toArray();

/** An endpoint, disabled unless said otherwise, that missed so many events. */
async function withMissed(count: number, { active = true }: { active?: boolean } = {}) {
  const account = await world().account();
  const { token } = account;
  const created = await world().call('POST', '/integration/webhooks', {
    token,
    body: { url: 'https://erp.example.se/hooks', eventTypes: [], scope: 'self', description: '' },
  });
  const id: string = created.body.id;
  const path = `/integration/webhooks/${id}`;
  await world().call('PATCH', path, { token, body: { active: false } });
  for (let n = 1; n <= count; n += 1) await recordEvent(account, n);
  if (active) await world().call('PATCH', path, { token, body: { active: true } });
  return { account, token, id, path };
}

const recordEvent = (account: TestAccount, n: number): Promise<unknown> =>
  storeEvents(world().store, [aDueEvent(account.id, `A${n}`)], world().now());

// specification: recover-all-that-was
test('recover 200 with dryRun: how many would be sent, and nothing is', async (t) => {
  const { account, token, path } = await withMissed(3, { active: false });
  const preview = await world().call('POST', `${path}/recover?dryRun=true`, { token, body: { since: hourAgo() } });
  t.is(preview.status, 200);
  t.deepEqual(preview.body, { count: 3 });
  t.is((await deliveriesOf(account)).length, 3);
  const list = await world().call('GET', `${path}/recoveries`, { token });
  t.deepEqual(list.body, { recoveries: [] });
});

test('recover counts only what was missed since then', async (t) => {
  const { token, path } = await withMissed(2);
  const since = present().toISOString();
  const preview = await world().call('POST', `${path}/recover?dryRun=true`, { token, body: { since } });
  t.deepEqual(preview.body, { count: 0 });
});

test('recover 202: the run that has begun, also in the list; a second one is 409 while it runs', async (t) => {
  const { token, path, id } = await withMissed(2);
  const begun = await world().call('POST', `${path}/recover`, { token, body: { since: hourAgo() } });
  t.is(begun.status, 202);
  t.like(begun.body, { endpointId: id, kind: 'manual', state: 'running', total: 2, sent: 0, failed: 0 });
  const list = await world().call('GET', `${path}/recoveries`, { token });
  t.deepEqual(list.body, { recoveries: [begun.body] });
  const again = await world().call('POST', `${path}/recover`, { token, body: { since: hourAgo() } });
  t.is(again.status, 409);
});

test('recover 409: a disabled endpoint is enabled first', async (t) => {
  const { token, path } = await withMissed(1, { active: false });
  const reply = await world().call('POST', `${path}/recover`, { token, body: { since: hourAgo() } });
  t.is(reply.status, 409);
  t.regex(reply.body.error, /enable it first/);
});

for (const [name, since] of [
  ['is in the future', () => present(60_000).toISOString()],
  ['is more than 30 days ago', () => present(-31 * 24 * 3_600_000).toISOString()],
  ['is no time', () => 'yesterday'],
  ['is missing', () => undefined],
] as const) {
  test(`recover 422: since ${name}`, async (t) => {
    const { token, path } = await withMissed(0);
    const value = since();
    const reply = await world().call('POST', `${path}/recover`, {
      token,
      body: value === undefined ? {} : { since: value },
    });
    t.is(reply.status, 422);
    t.is(reply.body.details[0].field, 'since');
  });
}

test('recover, test and recoveries 404: the endpoint of another account', async (t) => {
  const { path } = await withMissed(1);
  const { token } = await world().account();
  for (const [method, action, body] of [
    ['POST', 'recover', { since: hourAgo() }],
    ['POST', 'recover?dryRun=true', { since: hourAgo() }],
    ['POST', 'test', {}],
    ['GET', 'recoveries', undefined],
  ] as const) {
    const reply = await world().call(method, `${path}/${action}`, { token, body });
    t.is(reply.status, 404, action);
  }
});

test('test 202: a delivery of its own, in no feed', async (t) => {
  const { account, token, path } = await withMissed(0, { active: false });
  const reply = await world().call('POST', `${path}/test`, { token });
  t.is(reply.status, 202);
  const [delivery] = await deliveriesOf(account);
  t.like(delivery, {
    _id: reply.body.deliveryId,
    eventId: reply.body.eventId,
    purpose: 'test',
    eventType: 'webhook.test',
  });
  const feed = await world().call('GET', '/integration/events', { token });
  t.deepEqual(feed.body.events, []);
});

// specification: a-test-event-is
test('test 202: a sample of the type that was asked for; 422 for an unknown one', async (t) => {
  const { account, token, path } = await withMissed(0);
  const sold = await world().call('POST', `${path}/test`, { token, body: { eventType: 'item.sold' } });
  t.is(sold.status, 202);
  t.like((await deliveriesOf(account))[0], { eventType: 'item.sold', purpose: 'test' });
  const unknown = await world().call('POST', `${path}/test`, { token, body: { eventType: 'item.lost' } });
  t.is(unknown.status, 422);
  t.is(unknown.body.details[0].field, 'eventType');
});

test('test and recover 409 on the account-level URL while none is set', async (t) => {
  const { token } = await world().account();
  const paths = ['/integration/webhook-settings/test', '/integration/webhook-settings/recover'];
  for (const path of paths) {
    const reply = await world().call('POST', path, { token, body: path.endsWith('test') ? {} : { since: hourAgo() } });
    t.is(reply.status, 409);
  }
});

// specification: redelivery-a-new-delivery
test('redeliver 202: by the id of a log record or of the delivery; 200 with dryRun', async (t) => {
  const { account, token } = await withMissed(1);
  const [held] = await deliveriesOf(account);
  const delivery = deliveryId(String(held?._id));
  await attemptRows(world().store).insertMany([
    {
      _id: `attempt-${account.id}`,
      accountId: accountId(account.id),
      deliveryId: delivery,
      attempt: 1,
      endpointId: endpointId(String(held?.['endpointId'])),
      eventId: eventId(String(held?.['eventId'])),
      externalId: 'A1',
      eventType: 'item.created',
      status: 'failed',
      errorMessage: 'HTTP 500',
      httpStatus: 500,
      durationMs: 5,
      responseStart: '',
      createdAt: world().now(),
    },
  ]);
  const path = `/integration/webhook-deliveries/attempt-${account.id}/redeliver`;
  const preview = await world().call('POST', `${path}?dryRun=true`, { token });
  t.is(preview.status, 200);
  t.deepEqual(preview.body, { count: 1 });
  const made = await world().call('POST', path, { token });
  t.is(made.status, 202);
  t.not(made.body.deliveryId, delivery);
  t.is(made.body.eventId, held?.['eventId']);
  const onItsWay = await world().call('POST', `/integration/webhook-deliveries/${delivery}/redeliver`, { token });
  t.is(onItsWay.status, 409);
  const other = await world().account();
  t.is((await world().call('POST', path, { token: other.token })).status, 404);
  t.is((await world().call('POST', path, { apiKey: account.apiKey })).status, 401);
});

test('redeliver 409: the endpoint is gone', async (t) => {
  const { account, token, path } = await withMissed(1);
  const [held] = await deliveriesOf(account);
  await world().call('DELETE', path, { token });
  const reply = await world().call('POST', `/integration/webhook-deliveries/${String(held?._id)}/redeliver`, { token });
  t.is(reply.status, 409);
});

test("a member's event is sent again under the reference that the reseller has for it now", async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  const { token } = reseller;
  const body = { url: 'https://erp.example.se/hooks', eventTypes: [], scope: 'members', description: '' };
  const endpoint = (await world().call('POST', '/integration/webhooks', { token, body })).body;
  await world().call('PATCH', `/integration/webhooks/${endpoint.id}`, { token, body: { active: false } });
  await recordEvent(member, 1);
  const [first] = await deliveriesOf(reseller);
  const path = `/business/my-profile/connections/${member.id}`;
  t.is((await world().call('PUT', path, { token, body: { externalId: 'renamed' } })).status, 200);
  const made = await world().call('POST', `/integration/webhook-deliveries/${String(first?._id)}/redeliver`, { token });
  t.is(made.status, 202);
  const rows = await deliveriesOf(reseller);
  const bodies = rows.map((row) => JSON.parse((row['body'] as { buffer: Buffer }).buffer.toString()));
  t.deepEqual(
    bodies.map(({ data }) => data.account.memberExternalId),
    [member.reference, 'renamed'],
  );
  const [before, after] = bodies;
  t.deepEqual({ ...after, data: { ...after.data, account: before.data.account } }, before, 'nothing else has changed');
});

test('redeliver of an order’s event: 403 once the member does not share its orders, 409 once it has left', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  const share = (sharesOrders: boolean) =>
    world().call('PATCH', '/business/my-deal', { token: member.token, body: { sharesOrders } });
  const { token } = reseller;
  const body = { url: 'https://erp.example.se/hooks', eventTypes: ['order.paid'], scope: 'members', description: '' };
  const endpoint = (await world().call('POST', '/integration/webhooks', { token, body })).body;
  await world().call('PATCH', `/integration/webhooks/${endpoint.id}`, { token, body: { active: false } });
  await share(true);
  await storeEvents(world().store, [aDueEvent(member.id, 'A1', 'order.paid')], world().now());
  const [first] = await deliveriesOf(reseller);
  const redeliver = () =>
    world().call('POST', `/integration/webhook-deliveries/${String(first?._id)}/redeliver?dryRun=true`, { token });
  t.is((await redeliver()).status, 200);
  await share(false);
  isError(t, await redeliver(), { status: 403, code: 'PARTNER_ACCOUNT_FORBIDDEN' });
  await world().call('DELETE', '/business/my-deal', { token: member.token });
  isError(t, await redeliver(), { status: 409, code: 'CONFLICT' });
});
