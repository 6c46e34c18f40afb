import { randomUUID } from 'node:crypto';
import test from 'ava';
import { isError, withApiWorld, type Reply } from '../support/api-world.ts';
import { present } from '../support/clock.ts';

// The routes of webhook endpoints and settings, read as somebody would who wants them to be wrong.

const world = withApiWorld(test);
const url = 'https://erp.example.se/hooks';
const call = (...[method, path, token, body]: [string, string, string, unknown?]) =>
  world().call(method, path, { token, ...(body !== undefined && { body }) });
const create = (token: string, body: unknown = { url }) => call('POST', '/integration/webhooks', token, body);
const list = async (token: string) => (await call('GET', '/integration/webhooks', token)).body.webhooks;
const patch = (token: string, id: string, body: unknown) => call('PATCH', `/integration/webhooks/${id}`, token, body);
const settingsPath = '/integration/webhook-settings';
const fullSecret = /whsec_[A-Za-z0-9+/]{43}=/;

/** The fields of specification "Webhook endpoint record", each with what it may be. */
const record: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: (value) => /^[0-9a-f-]{36}$/.test(String(value)),
  url: (value) => value === url,
  eventTypes: (value) => Array.isArray(value) && value.length === 0,
  scope: (value) => value === 'self',
  active: (value) => value === true,
  failCount: (value) => value === 0,
  description: (value) => value === '',
  createdAt: (value) => new Date(String(value)).toISOString() === value,
  updatedAt: (value) => new Date(String(value)).toISOString() === value,
};

// specification: endpoint-id-url-eventtypes
test('every answer has the fields of the record under their names; the secret is in full in two of them only', async (t) => {
  const { token } = await world().account();
  const created = await create(token);
  const { id, secret } = created.body;
  const rotated = await call('POST', `/integration/webhooks/${id}/rotate-secret`, token);
  const answers: [string, Reply['body'], 'secret' | 'secretHint'][] = [
    ['create', created.body, 'secret'],
    ['rotate', rotated.body, 'secret'],
    ['list', (await list(token))[0], 'secretHint'],
    ['change', (await patch(token, id, {})).body, 'secretHint'],
  ];
  for (const [name, body, shown] of answers) {
    for (const [field, isRight] of Object.entries(record)) t.true(isRight(body[field]), `${name}: ${field}`);
    t.true(shown in body, name);
    t.false((shown === 'secret' ? 'secretHint' : 'secret') in body, name);
    t.is(fullSecret.test(JSON.stringify(body)), shown === 'secret', name);
  }
  t.not(rotated.body.secret, secret);
});

// specification: endpoint-id-url-eventtypes
test('a hint tells at most four characters of the secret, also in the settings', async (t) => {
  const { token } = await world().account();
  const { secret } = (await create(token)).body;
  const [{ secretHint }] = await list(token);
  const { webhookSecret } = (await call('GET', settingsPath, token)).body;
  const masked = (await call('GET', settingsPath, token)).body.webhookSecret;
  for (const [hint, full] of [
    [secretHint, secret],
    [masked, webhookSecret],
  ]) {
    t.true(hint.startsWith('whsec_'));
    const told = hint.slice('whsec_'.length).replaceAll('*', '');
    t.true(told.length <= 4 && full.endsWith(told), hint);
  }
});

// specification: settings-webhookurl-or-null
test('the settings have exactly two fields; the answer of PUT has one, and no secret', async (t) => {
  const { token } = await world().account();
  const put = await call('PUT', settingsPath, token, { webhookUrl: url, webhookSecret: 'whsec_mine' });
  t.deepEqual(put.body, { success: true });
  t.deepEqual(Object.keys((await call('GET', settingsPath, token)).body).sort(), ['webhookSecret', 'webhookUrl']);
  const rotated = await call('POST', `${settingsPath}/rotate-secret`, token);
  t.deepEqual(Object.keys(rotated.body).sort(), ['webhookSecret', 'webhookUrl']);
  t.not(rotated.body.webhookSecret, 'whsec_mine');
});

// specification: settings-the-rotated-secret
test('settings: of a rotation and many readers at once, nobody sees in full what no longer counts', async (t) => {
  const { token } = await world().account();
  const read = () => call('GET', settingsPath, token);
  const replies = await Promise.all([
    ...Array.from({ length: 8 }, read),
    call('POST', `${settingsPath}/rotate-secret`, token),
    ...Array.from({ length: 8 }, read),
  ]);
  const rotated = replies[8]?.body.webhookSecret;
  t.regex(rotated, fullSecret);
  const seen = replies.filter((_, n) => n !== 8).map(({ body }) => body.webhookSecret);
  t.true(seen.filter((secret) => fullSecret.test(secret)).length <= 1);
  t.false(seen.includes(rotated));
  t.is((await read()).body.webhookSecret.slice(-4), rotated.slice(-4));
});

// specification: settings-put-null-removes
test('settings: a PUT that is refused, by shape or address, leaves the URL', async (t) => {
  const { token } = await world().account();
  await call('PUT', settingsPath, token, { webhookUrl: url });
  const wrong = [
    {},
    { webhookUrl: '' },
    { webhookUrl: 'http://erp.example.se/' },
    { webhookUrl: 'https://' },
    { webhookUrl: 'https://user@erp.example.se/' },
    { webhookUrl: 'https://erp.example.se/a b' },
    { webhookUrl: 'https://169.254.169.254/latest' },
    { webhookUrl: 'https://[::ffff:127.0.0.1]/' },
    { webhookUrl: 'https://0x7f.1/' },
    { webhookUrl: `https://erp.example.se/${'x'.repeat(2048)}` },
    { webhookUrl: [url] },
    { webhookURL: url },
  ];
  for (const body of wrong) {
    const reply = await call('PUT', settingsPath, token, body);
    isError(t, reply, { status: 422, code: 'VALIDATION_FAILED' });
    t.is(reply.body.details[0].field, 'webhookUrl', JSON.stringify(body));
  }
  isError(t, await call('PUT', settingsPath, token), { status: 400, code: 'BAD_REQUEST' });
  t.is((await call('GET', settingsPath, token)).body.webhookUrl, url);
});

// specification: endpoint-an-empty-list
test('create 422 names the field: eventTypes.0, url, scope, description, also of no object at all', async (t) => {
  const { token } = await world().account();
  const wrong: [unknown, string][] = [
    [{ url, eventTypes: ['item.exploded'] }, 'eventTypes.0'],
    [{ url, eventTypes: ['item.sold', 7] }, 'eventTypes.1'],
    [{ url, eventTypes: ['webhook.test'] }, 'eventTypes.0'],
    [{ url, eventTypes: ['ITEM.SOLD'] }, 'eventTypes.0'],
    [{ url, eventTypes: 'item.sold' }, 'eventTypes'],
    [{ url, eventTypes: null }, 'eventTypes'],
    [{ url, eventTypes: Array.from({ length: 51 }, () => 'item.sold') }, 'eventTypes'],
    [{ url: 'http://erp.example.se' }, 'url'],
    [{ url: null }, 'url'],
    [{ url: `https://erp.example.se/${'x'.repeat(2048)}` }, 'url'],
    [{ url, scope: 'all' }, 'scope'],
    [{ url, scope: null }, 'scope'],
    [{ url, description: 'x'.repeat(501) }, 'description'],
    [{ url, description: 'with a \0' }, 'description'],
    [{ url, description: 7 }, 'description'],
    [[], 'body'],
    ['text', 'body'],
    [null, 'body'],
  ];
  for (const [body, field] of wrong) {
    const reply = await create(token, body);
    isError(t, reply, { status: 422, code: 'VALIDATION_FAILED' });
    t.is(reply.body.details[0].field, field, JSON.stringify(body).slice(0, 80));
  }
  t.deepEqual(await list(token), []);
});

// specification: endpoint-an-empty-list
test('create 201: an empty list means all, doubles count once, 500 characters of description, any port', async (t) => {
  const { token } = await world().account();
  const description = '🦊'.repeat(500);
  const good: [object, object][] = [
    [{ url, eventTypes: [] }, { eventTypes: [] }],
    [{ url, eventTypes: ['item.sold', 'item.created', 'item.sold'] }, { eventTypes: ['item.sold', 'item.created'] }],
    [{ url, description }, { description }],
    [{ url: 'https://erp.example.se:65535/x?y=1' }, { url: 'https://erp.example.se:65535/x?y=1' }],
    [{ url: 'HTTPS://ERP.example.se/x' }, { url: 'HTTPS://ERP.example.se/x' }],
  ];
  for (const [body, expected] of good) t.like((await create(token, body)).body, expected);
});

test('create: what is the service’s to set is not the caller’s', async (t) => {
  const { token } = await world().account();
  const forged = {
    id: randomUUID(),
    secret: 'whsec_mine',
    failCount: 7,
    createdAt: 'x',
  };
  const { body } = await create(token, { url, ...forged });
  t.not(body.id, forged.id);
  t.not(body.secret, forged.secret);
  t.like(body, { failCount: 0, active: true });
});

test('422: a field that nobody knows is a slip that would do the opposite of what was meant', async (t) => {
  const { token } = await world().account();
  const { id } = (await create(token, { url })).body;
  for (const [method, path, body] of [
    ['POST', '', { url, event_types: ['item.sold'] }],
    ['PATCH', `/${id}`, { Active: false }],
    ['POST', `/${id}/test`, { event_type: 'item.sold' }],
    ['POST', `/${id}/recover`, { since: present(-1_000).toISOString(), dryRun: true }],
  ] as const) {
    const reply = await world().call(method, `/integration/webhooks${path}`, { token, body });
    t.is(reply.status, 422, JSON.stringify(body));
    t.regex(reply.body.details[0].message, /^is not a known field/);
  }
});

test('create 201: an endpoint may begin inactive', async (t) => {
  const { token } = await world().account();
  const reply = await create(token, { url, active: false });
  t.is(reply.status, 201);
  t.like(reply.body, { active: false, failCount: 0 });
});

// specification: patch-takes-any-of
test('change: only what was sent changes, an empty body changes nothing, no body is 400', async (t) => {
  const { token } = await world().account();
  const { id } = (await create(token, { url, eventTypes: ['item.sold'], description: 'ERP' })).body;
  const fields = ({ updatedAt: _updatedAt, secret: _secret, secretHint: _hint, ...rest }: Record<string, unknown>) =>
    rest;
  const [before] = await list(token);
  const changes = [
    { url: `${url}/2` },
    { eventTypes: [] },
    { eventTypes: ['listing.ended'] },
    { description: '' },
    { active: false },
    { active: true },
    { scope: 'self' },
    {},
  ];
  let expected = fields(before);
  for (const change of changes) {
    const { status, body } = await patch(token, id, change);
    t.is(status, 200);
    const { disabledReason: _reason, ...rest } = fields(body);
    const { disabledReason: _former, ...former } = expected;
    t.deepEqual(rest, { ...former, ...change }, JSON.stringify(change));
    expected = fields(body);
  }
  isError(t, await patch(token, id, undefined), { status: 400, code: 'BAD_REQUEST' });
  isError(t, await patch(token, id, []), { status: 422, code: 'VALIDATION_FAILED' });
  for (const field of ['url', 'eventTypes', 'scope', 'active', 'description'])
    t.is((await patch(token, id, { [field]: null })).body.details[0].field, field);
  t.deepEqual(fields((await list(token))[0]), expected);
});

// specification: patch-takes-any-of
test('change: neither id, nor secret, nor failCount can be set', async (t) => {
  const { token } = await world().account();
  const { id, secret } = (await create(token)).body;
  const forged = {
    id: randomUUID(),
    secret: 'whsec_mine',
    secretHint: 'x',
    failCount: 7,
    createdAt: 'x',
  };
  const { body } = await patch(token, id, forged);
  t.like(body, { id, failCount: 0 });
  t.is(body.secretHint.slice(-4), secret.slice(-4));
  t.is((await list(token)).length, 1);
});

// specification: scope-members-requires-a
test('a members endpoint whose agreement has ended can still be changed, but not made one again', async (t) => {
  const reseller = await world().reseller();
  const { token } = reseller;
  const [members, self] = [(await create(token, { url, scope: 'members' })).body, (await create(token)).body];
  await world()
    .store.connection.collection('deals')
    .updateOne({ accountId: reseller.id, current: true }, { $set: { current: false, validTo: present() } });
  t.is((await patch(token, members.id, { eventTypes: ['item.sold'], description: 'old' })).status, 200);
  t.is((await patch(token, members.id, { active: false })).status, 200);
  const forbidden = { status: 403, code: 'RESELLER_AGREEMENT_REQUIRED' };
  isError(t, await patch(token, self.id, { scope: 'members' }), forbidden);
  isError(t, await patch(token, members.id, { scope: 'members' }), forbidden);
  isError(t, await create(token, { url, scope: 'members' }), forbidden);
  t.is((await patch(token, members.id, { scope: 'self' })).status, 200);
  t.is((await call('DELETE', `/integration/webhooks/${members.id}`, token)).status, 204);
});

// specification: endpoints-of-other-accounts
test('404, and nothing else, for ids of others, ids that are none, and odd ones', async (t) => {
  const [owner, other] = [await world().account(), await world().account()];
  const { id } = (await create(owner.token)).body;
  const ids = [
    id,
    randomUUID(),
    'x',
    '%00',
    '%24where',
    '%7B%22%24gt%22%3A%22%22%7D',
    'x'.repeat(3000),
    id.toUpperCase(),
  ];
  for (const odd of ids) {
    const path = `/integration/webhooks/${odd}`;
    const replies = [
      await call('PATCH', path, other.token, { active: false }),
      await call('DELETE', path, other.token),
      await call('POST', `${path}/rotate-secret`, other.token),
    ];
    for (const reply of replies) isError(t, reply, { status: 404, code: 'NOT_FOUND' });
  }
  t.like((await list(owner.token))[0], { id, active: true });
});

// specification: at-most-20-endpoints
test('20 endpoints: with keys, without, and freed by a deletion', async (t) => {
  const { token } = await world().account();
  const all = await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      world().call('POST', '/integration/webhooks', {
        token,
        body: { url },
        ...(n % 2 === 0 && { headers: { 'idempotency-key': `k${n}` } }),
      }),
    ),
  );
  t.is(all.filter(({ status }) => status === 201).length, 20);
  for (const reply of all.filter(({ status }) => status !== 201)) isError(t, reply, { status: 409, code: 'CONFLICT' });
  const [first] = await list(token);
  await call('DELETE', `/integration/webhooks/${first.id}`, token);
  t.is((await create(token)).status, 201);
  t.is((await create(token)).status, 409);
});

// specification: endpoints-of-other-accounts
test('400: X-Partner-Account with a session, which would answer for the wrong account in silence', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  await create(member.token);
  const headers = { 'x-partner-account': member.reference };
  const reply = await world().call('GET', '/integration/webhooks', { token: reseller.token, headers });
  isError(t, reply, { status: 400, code: 'BAD_REQUEST' });
  const order = { externalId: 'a', platform: 'service', amount: 5 };
  const sale = await world().call('POST', '/partner/orders', { token: reseller.token, headers, body: order });
  isError(t, sale, { status: 400, code: 'BAD_REQUEST' });
});
