import test from 'ava';
import { isError, withApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test);
const base = '/integration/v1/webhooks';
const body = { url: 'https://erp.example.se/hooks', description: 'ERP' };

test('a key makes, reads, changes, tests and removes an endpoint under the paths of version 1', async (t) => {
  const { apiKey } = await world().account();
  const made = await world().call('POST', base, { apiKey, body });
  t.is(made.status, 201);
  const path = `${base}/${made.body.id}`;
  t.is(made.headers.get('location'), path);
  t.regex(made.body.secret, /^whsec_[A-Za-z\d+/]{43}=$/, 'shown in full once');
  const read = await world().call('GET', path, { apiKey });
  t.like(read.body, { id: made.body.id, ...body, active: true });
  t.not(read.body.secret, made.body.secret);
  const changed = await world().call('PATCH', path, { apiKey, body: { active: false } });
  t.is(changed.body.active, false);
  t.is((await world().call('GET', base, { apiKey })).body.webhooks.length, 1);
  t.is((await world().call('POST', `${path}/test`, { apiKey })).status, 202);
  const { deliveries } = (await world().call('GET', '/integration/v1/webhook-deliveries', { apiKey })).body;
  t.true(Array.isArray(deliveries));
  t.not((await world().call('POST', `${path}/rotate-secret`, { apiKey })).body.secret, made.body.secret);
  t.is((await world().call('DELETE', path, { apiKey })).status, 204);
  isError(t, await world().call('GET', path, { apiKey }), { status: 404, code: 'NOT_FOUND' });
});

test('the audit log names the key that made an endpoint', async (t) => {
  const { token, apiKey } = await world().account();
  await world().call('POST', base, { apiKey, body });
  const [{ id }] = (await world().call('GET', '/integration/api-keys', { token })).body.keys;
  const { entries } = (await world().call('GET', '/partner/audit-log?kind=webhook_created', { token })).body;
  t.like(entries[0].actor, { kind: 'api_key', keyId: id });
});

test('the specified paths go on to refuse keys', async (t) => {
  const { apiKey } = await world().account();
  for (const path of ['/integration/webhooks', '/integration/webhook-deliveries', '/integration/webhook-settings'])
    isError(t, await world().call('GET', path, { apiKey }), { status: 401, code: 'UNAUTHORIZED' });
  isError(t, await world().call('POST', '/integration/webhooks', { apiKey, body }), {
    status: 401,
    code: 'UNAUTHORIZED',
  });
});

test("the paths of version 1 refuse a session, and a reseller's X-Partner-Account, which would have no effect", async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  isError(t, await world().call('GET', base, { token: reseller.token }), { status: 401, code: 'UNAUTHORIZED' });
  const headers = { 'x-partner-account': member.reference };
  const refused = await world().call('POST', base, { apiKey: reseller.apiKey, headers, body });
  isError(t, refused, { status: 400, code: 'BAD_REQUEST' });
  t.deepEqual((await world().call('GET', base, { apiKey: reseller.apiKey })).body.webhooks, []);
  t.deepEqual((await world().call('GET', base, { apiKey: member.apiKey })).body.webhooks, []);
});
