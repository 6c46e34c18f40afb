import test from 'ava';
import { isError, withApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test);
const url = 'https://erp.example.se:8443/hooks';
const create = (token: string, body: object = { url }) =>
  world().call('POST', '/integration/webhooks', { token, body });
const list = async (token: string) => (await world().call('GET', '/integration/webhooks', { token })).body.webhooks;
const recordKeys = [
  'active',
  'autoRecover',
  'createdAt',
  'description',
  'disabledAt',
  'disabledReason',
  'eventTypes',
  'failCount',
  'id',
  'lastError',
  'lastFailureAt',
  'scope',
  'updatedAt',
  'url',
  'warning',
];

test('create 201: the record with its secret in full, later only masked', async (t) => {
  const { token } = await world().account();
  const reply = await create(token, { url, eventTypes: ['item.sold', 'item.sold'], scope: 'self', description: 'ERP' });
  t.is(reply.status, 201);
  t.deepEqual(Object.keys(reply.body).sort(), [...recordKeys, 'secret'].sort());
  t.regex(reply.body.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  t.like(reply.body, { url, eventTypes: ['item.sold'], scope: 'self', active: true, failCount: 0, description: 'ERP' });
  const [listed] = await list(token);
  t.deepEqual(Object.keys(listed).sort(), [...recordKeys, 'secretHint'].sort());
  t.true(listed.secretHint.startsWith('whsec_'));
  t.not(listed.secretHint, reply.body.secret);
});

test('create 201: only the URL is needed', async (t) => {
  const { token } = await world().account();
  t.like((await create(token)).body, { eventTypes: [], scope: 'self', description: '' });
});

// specification: secrets-are-encrypted-and
test('create: the secret is stored encrypted', async (t) => {
  const { token } = await world().account();
  const { secret, id } = (await create(token)).body;
  const row = await world().store.connection.collection('webhook_endpoints').findOne({ _id: id });
  t.false(JSON.stringify(row).includes(secret.slice(6)));
});

test('get 200: the address that create answered with reads the endpoint as the list shows it; 404 for another account', async (t) => {
  const [owner, stranger] = [await world().account(), await world().account()];
  const created = await create(owner.token);
  const location = created.headers.get('location') ?? '';
  const reply = await world().call('GET', location, { token: owner.token });
  t.is(reply.status, 200);
  t.deepEqual(reply.body, (await list(owner.token))[0]);
  t.false(reply.text.includes(created.body.secret));
  const foreign = await world().call('GET', location, { token: stranger.token });
  isError(t, foreign, { status: 404, code: 'NOT_FOUND' });
});

// specification: reseller-agreement-required-403, scope-members-requires-a
test('create 201: a reseller may register scope members; 403 for others', async (t) => {
  const [reseller, other] = [await world().reseller(), await world().account()];
  t.is((await create(reseller.token, { url, scope: 'members' })).status, 201);
  isError(t, await create(other.token, { url, scope: 'members' }), {
    status: 403,
    code: 'RESELLER_AGREEMENT_REQUIRED',
  });
});

// specification: patch-takes-any-of
test('change 200: only what was sent; enabling resets failCount', async (t) => {
  const { token } = await world().account();
  const { id } = (await create(token, { url, description: 'first' })).body;
  const collection = world().store.connection.collection('webhook_endpoints');
  await collection.updateOne(
    { _id: id },
    { $set: { active: false, failCount: 15, disabledReason: 'failed too often' } },
  );
  const described = await world().call('PATCH', `/integration/webhooks/${id}`, {
    token,
    body: { description: 'second' },
  });
  t.is(described.status, 200);
  t.like(described.body, {
    url,
    description: 'second',
    active: false,
    failCount: 15,
    disabledReason: 'failed too often',
  });
  const enabled = await world().call('PATCH', `/integration/webhooks/${id}`, { token, body: { active: true } });
  t.like(enabled.body, { active: true, failCount: 0, disabledReason: null });
  t.deepEqual(Object.keys(enabled.body).sort(), [...recordKeys, 'secretHint'].sort());
});

test('change 403, 404, 422: scope members without agreement, an endpoint of somebody else, a wrong type', async (t) => {
  const [owner, other] = [await world().account(), await world().account()];
  const { id } = (await create(owner.token)).body;
  const change = (token: string, body: object) => world().call('PATCH', `/integration/webhooks/${id}`, { token, body });
  isError(t, await change(owner.token, { scope: 'members' }), { status: 403, code: 'RESELLER_AGREEMENT_REQUIRED' });
  isError(t, await change(other.token, { active: false }), { status: 404, code: 'NOT_FOUND' });
  isError(t, await change(owner.token, { active: 'yes' }), { status: 422, code: 'VALIDATION_FAILED' });
});

test('delete 204, then 404; never for somebody else', async (t) => {
  const [owner, other] = [await world().account(), await world().account()];
  const { id } = (await create(owner.token)).body;
  const remove = (token: string) => world().call('DELETE', `/integration/webhooks/${id}`, { token });
  isError(t, await remove(other.token), { status: 404, code: 'NOT_FOUND' });
  t.is((await remove(owner.token)).status, 204);
  isError(t, await remove(owner.token), { status: 404, code: 'NOT_FOUND' });
});

test('rotate-secret 200: the record with a new secret in full', async (t) => {
  const [owner, other] = [await world().account(), await world().account()];
  const { id, secret } = (await create(owner.token)).body;
  const rotate = (token: string) => world().call('POST', `/integration/webhooks/${id}/rotate-secret`, { token });
  const reply = await rotate(owner.token);
  t.is(reply.status, 200);
  t.regex(reply.body.secret, /^whsec_/);
  t.not(reply.body.secret, secret);
  t.is((await list(owner.token))[0].secretHint.slice(-4), reply.body.secret.slice(-4));
  isError(t, await rotate(other.token), { status: 404, code: 'NOT_FOUND' });
});
