import test from 'ava';
import { isError, withApiWorld } from '../support/api-world.ts';
import { present } from '../support/clock.ts';

const world = withApiWorld(test);

/** Within the 30 days: what is older may be gone as soon as it is written. */
const anHourAgo = present(-3_600_000).getTime();

const anAttempt = (accountId: string, number: number, fields: object = {}) => ({
  _id: `att_${accountId}_${number}`,
  accountId,
  deliveryId: 'dlv_1',
  endpointId: 'endpoint-1',
  eventId: 'evt_1',
  externalId: `A${number}`,
  eventType: 'item.created',
  attempt: 1,
  status: 'failed',
  errorMessage: 'answered 500',
  httpStatus: 500,
  durationMs: 12,
  responseStart: '',
  createdAt: new Date(anHourAgo + number * 1_000),
  ...fields,
});

// specification: delivery-log-the-100, delivery-log-the-record
test('list 200: the 100 most recent attempts of the account, newest first', async (t) => {
  const [{ token, id }, other] = [await world().account(), await world().account()];
  const rows = Array.from({ length: 120 }, (_, number) => anAttempt(id, number));
  await world()
    .store.connection.collection<{ _id: string }>('delivery_attempts')
    .insertMany([...rows, anAttempt(other.id, 1)]);
  const reply = await world().call('GET', '/integration/webhook-deliveries', { token });
  t.is(reply.status, 200);
  const { deliveries } = reply.body;
  t.is(deliveries.length, 100);
  t.like(deliveries[0], {
    id: `att_${id}_119`,
    externalId: 'A119',
    eventType: 'item.created',
    status: 'failed',
    errorMessage: 'answered 500',
    createdAt: new Date(anHourAgo + 119_000).toISOString(),
    endpointId: 'endpoint-1',
  });
});

// specification: delivery-log-the-record
test('list 200: an attempt at the account-level URL has no endpointId', async (t) => {
  const { token, id } = await world().account();
  const row = anAttempt(id, 1, { endpointId: null, status: 'success', errorMessage: null, httpStatus: 200 });
  await world().store.connection.collection<{ _id: string }>('delivery_attempts').insertOne(row);
  const [delivery] = (await world().call('GET', '/integration/webhook-deliveries', { token })).body.deliveries;
  t.false('endpointId' in delivery);
  t.is(delivery.errorMessage, null);
});

const insert = (collection: 'delivery_attempts' | 'deliveries', rows: { _id: string }[]): Promise<unknown> =>
  world().store.connection.collection<{ _id: string }>(collection).insertMany(rows);

const list = (token: string, query: Record<string, string>) =>
  world().call('GET', `/integration/webhook-deliveries?${new URLSearchParams(query).toString()}`, { token });

// specification: delivery-log-the-record
test('list 200: each record says which attempt of its delivery it was', async (t) => {
  const { token, id } = await world().account();
  await insert('delivery_attempts', [anAttempt(id, 1), anAttempt(id, 2, { attempt: 2 })]);
  const { deliveries } = (await list(token, {})).body;
  t.deepEqual(
    deliveries.map(({ attempt }: { attempt: number }) => attempt),
    [2, 1],
  );
});

// specification: delivery-log-filters-in
test('list 200: filters by endpoint, status, event type, item and delivery, alone and together', async (t) => {
  const { token, id } = await world().account();
  await insert('delivery_attempts', [
    anAttempt(id, 1),
    anAttempt(id, 2, { endpointId: 'endpoint-2' }),
    anAttempt(id, 3, { endpointId: null }),
    anAttempt(id, 4, { status: 'success' }),
    anAttempt(id, 5, { eventType: 'webhook.test' }),
    anAttempt(id, 6, { deliveryId: 'dlv_2', externalId: 'Å/6' }),
    anAttempt(id, 7, { deliveryId: 'dlv_2', externalId: 'Å/6', status: 'success' }),
  ]);
  const found = async (query: Record<string, string>): Promise<number[]> =>
    (await list(token, query)).body.deliveries.map((one: { id: string }) => Number(one.id.split('_').at(-1)));
  t.deepEqual(await found({ endpointId: 'endpoint-2' }), [2]);
  t.deepEqual(await found({ endpointId: 'account' }), [3]);
  t.deepEqual(await found({ status: 'success' }), [7, 4]);
  t.deepEqual(await found({ eventType: 'webhook.test' }), [5]);
  t.deepEqual(await found({ externalId: 'Å/6' }), [7, 6]);
  t.deepEqual(await found({ deliveryId: 'dlv_2', status: 'failed' }), [6]);
  t.deepEqual(await found({ deliveryId: 'dlv_1', status: 'failed', endpointId: 'endpoint-1' }), [5, 1]);
  t.deepEqual(await found({ endpointId: 'of-somebody-else' }), []);
});

// specification: delivery-log-filters-in
test('list 200: attempts of one millisecond come in the same order every time', async (t) => {
  const { token, id } = await world().account();
  const createdAt = new Date(anHourAgo);
  const rows = [3, 1, 4, 2, 5].map((number) => anAttempt(id, number, { createdAt }));
  await insert('delivery_attempts', rows);
  for (const query of [{}, { status: 'failed' }, { endpointId: 'endpoint-1' }] as Record<string, string>[]) {
    const { deliveries } = (await list(token, query)).body;
    t.deepEqual(
      deliveries.map((one: { id: string }) => Number(one.id.split('_').at(-1))),
      [5, 4, 3, 2, 1],
    );
  }
});

for (const [name, query] of Object.entries({
  'an unknown status': { status: 'ok' },
  'an unknown event type': { eventType: 'item.created,item.sold' },
  'an empty id': { endpointId: '' },
  'a parameter that does not exist': { page: '5' },
  'too many at once': { limit: '201' },
  'no time': { from: 'yesterday' },
  'a cursor of nothing': { cursor: 'abc' },
})) {
  test(`list 400: ${name}`, async (t) => {
    const { token } = await world().account();
    const reply = await list(token, query);
    isError(t, reply, { status: 400, code: 'BAD_REQUEST' });
    t.is(reply.body.details[0].field, Object.keys(query)[0]);
  });
}

test('list 200: without a parameter of pages the answer has the records alone', async (t) => {
  const { token, id } = await world().account();
  await insert('delivery_attempts', [anAttempt(id, 1)]);
  t.deepEqual(Object.keys((await list(token, {})).body), ['deliveries']);
  t.deepEqual(Object.keys((await list(token, { status: 'failed' })).body), ['deliveries']);
  t.deepEqual((await list(token, { limit: '5' })).body.nextCursor, null);
});

test('list 200: pages have every attempt once, also those of one millisecond, within the time asked for', async (t) => {
  const { token, id } = await world().account();
  const at = (number: number): Date => new Date(anHourAgo + Math.floor(number / 4) * 1_000);
  const rows = Array.from({ length: 40 }, (_, n) => anAttempt(id, n + 10, { createdAt: at(n) }));
  await insert('delivery_attempts', rows);
  const period = { from: at(8).toISOString(), to: at(32).toISOString() };
  const seen: number[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { deliveries: { id: string }[]; nextCursor: string | null } = (
      await list(token, { ...period, limit: '7', ...(cursor !== '' && { cursor }) })
    ).body;
    seen.push(...page.deliveries.map((one) => Number(one.id.split('_').at(-1))));
    cursor = page.nextCursor;
  }
  t.deepEqual(
    seen,
    Array.from({ length: 24 }, (_, n) => 41 - n),
  );
  const other = await list(token, {
    limit: '7',
    cursor: (await list(token, { limit: '7', ...period })).body.nextCursor,
  });
  isError(t, other, { status: 400, code: 'BAD_REQUEST' });
});

test('list 200: the oldest first, in pages that have every attempt once', async (t) => {
  const { token, id } = await world().account();
  const at = (number: number): Date => new Date(anHourAgo + Math.floor(number / 4) * 1_000);
  const rows = Array.from({ length: 20 }, (_, n) => anAttempt(id, n + 10, { createdAt: at(n) }));
  await insert('delivery_attempts', rows);
  const seen: number[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { deliveries: { id: string }[]; nextCursor: string | null } = (
      await list(token, { sort: 'created', limit: '3', endpointId: 'endpoint-1', ...(cursor !== '' && { cursor }) })
    ).body;
    seen.push(...page.deliveries.map((one) => Number(one.id.split('_').at(-1))));
    cursor = page.nextCursor;
  }
  t.deepEqual(
    seen,
    Array.from({ length: 20 }, (_, n) => n + 10),
  );
});

const aDelivery = (accountId: string, fields: object = {}) => ({
  _id: `dlv_${accountId}`,
  accountId,
  state: 'given_up',
  attempts: 5,
  purpose: 'redelivery',
  body: Buffer.from('{"eventId":"evt_1","data":{"externalId":"Å"}}'),
  ...fields,
});

const readOne = (token: string, id: string) => world().call('GET', `/integration/webhook-deliveries/${id}`, { token });

// specification: one-record-with-what
test('read 200: the record with what was sent, what was answered and how the delivery stands', async (t) => {
  const { token, id } = await world().account();
  const attempt = anAttempt(id, 1, { deliveryId: `dlv_${id}`, responseStart: 'Internal <b>error</b> å' });
  await insert('delivery_attempts', [attempt]);
  await insert('deliveries', [aDelivery(id)]);
  const [listed] = (await list(token, {})).body.deliveries;
  const reply = await readOne(token, attempt._id);
  t.is(reply.status, 200);
  t.deepEqual(reply.body, {
    ...listed,
    response: 'Internal <b>error</b> å',
    request: { headers: null, body: '{"eventId":"evt_1","data":{"externalId":"Å"}}' },
    delivery: { state: 'given_up', attempts: 5, purpose: 'redelivery' },
  });
});

test('read 200: a delivery that is no longer kept has no body and no state, and no answer is null', async (t) => {
  const { token, id } = await world().account();
  const attempt = anAttempt(id, 1, { httpStatus: null, responseStart: '', errorMessage: 'connection refused' });
  await insert('delivery_attempts', [attempt]);
  const { body } = await readOne(token, attempt._id);
  t.like(body, { response: null, request: { body: null }, delivery: null });
});

test('read 200: an empty answer is an empty text', async (t) => {
  const { token, id } = await world().account();
  await insert('delivery_attempts', [anAttempt(id, 1, { responseStart: '' })]);
  t.is((await readOne(token, `att_${id}_1`)).body.response, '');
});

test('read 200: the headers that the attempt sent, and those that all attempts send', async (t) => {
  const { token, id } = await world().account();
  const headers = { 'webhook-id': 'evt_1', 'webhook-signature': 'v1,abc', 'X-Service-Signature': 'sha256=ab' };
  await insert('delivery_attempts', [anAttempt(id, 1, { headers })]);
  t.deepEqual((await readOne(token, `att_${id}_1`)).body.request.headers, {
    'content-type': 'application/json',
    'user-agent': 'itembridge-webhooks/1',
    ...headers,
  });
  t.false('headers' in (await list(token, {})).body.deliveries[0]);
});

test('statistics 200: each receiver by its attempts of seven days, nothing of other accounts', async (t) => {
  const [{ token, id }, other] = [await world().account(), await world().account()];
  const hook = { url: 'https://93.184.216.34/hook', eventTypes: [], scope: 'self', description: '' };
  const make = async (body: object) => (await world().call('POST', '/integration/webhooks', { token, body })).body.id;
  const [busy, idle] = [await make(hook), await make(hook)];
  const longAgo = { createdAt: present(-8 * 24 * 3_600_000) };
  await insert('delivery_attempts', [
    anAttempt(id, 1, { endpointId: busy, durationMs: 30 }),
    anAttempt(id, 2, { endpointId: busy, durationMs: 10, status: 'success', httpStatus: 200 }),
    anAttempt(id, 3, { endpointId: busy, httpStatus: null }),
    anAttempt(id, 4, { endpointId: busy, ...longAgo }),
    anAttempt(id, 5, { endpointId: null, status: 'success', httpStatus: 200 }),
    anAttempt(other.id, 6, { endpointId: busy }),
  ]);
  const { from, to, receivers } = (await world().call('GET', '/integration/webhook-statistics', { token })).body;
  t.is(Date.parse(to) - Date.parse(from), 7 * 24 * 3_600_000);
  t.deepEqual(receivers, [
    { attempts: 1, succeeded: 1, successRate: 1, medianMs: 12, p95Ms: 12, from },
    { endpointId: busy, attempts: 3, succeeded: 1, successRate: 1 / 3, medianMs: 10, p95Ms: 30, from },
    { endpointId: idle, attempts: 0, succeeded: 0, successRate: null, medianMs: null, p95Ms: null, from },
  ]);
});

test('statistics 200: of one receiver where it is asked for; of another account’s endpoint there is nothing', async (t) => {
  const [{ token, id }, other] = [await world().account(), await world().account()];
  const body = { url: 'https://93.184.216.34/hook', eventTypes: [], scope: 'self', description: '' };
  const make = async () => (await world().call('POST', '/integration/webhooks', { token, body })).body.id;
  const [one, another] = [await make(), await make()];
  await insert('delivery_attempts', [
    anAttempt(id, 1, { endpointId: one }),
    anAttempt(id, 2, { endpointId: another }),
    anAttempt(id, 3, { endpointId: null }),
  ]);
  const of = async (endpointId: string, by = token): Promise<unknown[]> => {
    const path = `/integration/webhook-statistics?endpointId=${endpointId}`;
    const { receivers } = (await world().call('GET', path, { token: by })).body;
    return receivers.map((row: Record<string, unknown>) => [row['endpointId'], row['attempts']]);
  };
  t.deepEqual(await of(one), [[one, 1]]);
  t.deepEqual(await of('account'), [[undefined, 1]]);
  t.deepEqual(await of(one, other.token), []);
  t.deepEqual(await of('account', other.token), []);
  const wrong = await world().call('GET', '/integration/webhook-statistics?endpoint=x', { token });
  isError(t, wrong, { status: 400, code: 'BAD_REQUEST' });
});

test('statistics 200: of many attempts the newest 500 count, and the answer says since when', async (t) => {
  const { token, id } = await world().account();
  const rows = Array.from({ length: 510 }, (_, n) => anAttempt(id, n, { endpointId: null }));
  await insert('delivery_attempts', rows);
  const { receivers } = (await world().call('GET', '/integration/webhook-statistics', { token })).body;
  t.like(receivers[0], { attempts: 500, from: new Date(anHourAgo + 10_000).toISOString() });
});

// specification: one-record-with-what
test('read 404: the record of another account, and one that does not exist', async (t) => {
  const [{ id }, other] = [await world().account(), await world().account()];
  await insert('delivery_attempts', [anAttempt(id, 1)]);
  const missing = { status: 404, code: 'NOT_FOUND' };
  isError(t, await readOne(other.token, `att_${id}_1`), missing);
  isError(t, await readOne(other.token, 'att_none'), missing);
  isError(t, await readOne(other.token, '%00'), missing);
});

test('read 200: the body of a delivery is shown to nobody but the account that it is sent for', async (t) => {
  const [{ id, token }, other] = [await world().account(), await world().account()];
  await insert('delivery_attempts', [anAttempt(id, 1, { deliveryId: `dlv_${other.id}` })]);
  await insert('deliveries', [aDelivery(other.id)]);
  t.is((await readOne(token, `att_${id}_1`)).body.request.body, null);
});

// specification: one-record-with-what
test('no secret of an endpoint is in the log or in a record of it', async (t) => {
  const { token, id } = await world().account();
  const body = { url: 'https://93.184.216.34/hook', eventTypes: [], scope: 'self', description: '' };
  const hook = (await world().call('POST', '/integration/webhooks', { token, body })).body;
  await insert('delivery_attempts', [anAttempt(id, 1, { endpointId: hook.id, deliveryId: `dlv_${id}` })]);
  await insert('deliveries', [aDelivery(id, { endpointId: hook.id })]);
  const texts = [(await list(token, {})).text, (await readOne(token, `att_${id}_1`)).text];
  for (const text of texts) t.false(text.includes('whsec_') || text.includes(hook.secret.slice(6)));
});
