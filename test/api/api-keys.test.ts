import test from 'ava';
import { isError, withApiWorld } from '../support/api-world.ts';
import { until } from '../support/until.ts';
import { present } from '../support/clock.ts';

const world = withApiWorld(test);
const generate = (token: string, body?: object) =>
  world().call('POST', '/integration/api-keys/generate', { token, body });
const list = async (token: string) => (await world().call('GET', '/integration/api-keys', { token })).body.keys;

test('generate 200: the key once in full, under its name or "API Key"', async (t) => {
  const { token } = await world().account();
  const named = await generate(token, { name: 'ERP' });
  t.is(named.status, 200);
  t.deepEqual(Object.keys(named.body).sort(), ['apiKey', 'name']);
  t.regex(named.body.apiKey, /^sk_live_[0-9A-Za-z]{43}$/);
  t.is(named.body.name, 'ERP');
  t.is((await generate(token)).body.name, 'API Key');
});

test('generate 409: 100 active keys are enough, also when the last ones come at once', async (t) => {
  const { token, id } = await world().account();
  const row = {
    accountId: id,
    prefix: 'sk_live_xxxxxx',
    name: 'x',
    createdAt: present(),
    lastUsedAt: null,
    revokedAt: null,
  };
  const rows = Array.from({ length: 98 }, (_, number) => ({ ...row, _id: `${id}-${number}`, hash: `${id}-${number}` }));
  await world().store.connection.collection<{ _id: string }>('api_keys').insertMany(rows);
  const statuses = await Promise.all(Array.from({ length: 3 }, async () => (await generate(token)).status));
  t.deepEqual(statuses.sort(), [200, 409, 409]);
});

test('list 200: records as specified, newest first, never the key', async (t) => {
  const { token, id, apiKey } = await world().account();
  await generate(token, { name: 'second' });
  const keys = await list(token);
  t.deepEqual(
    keys.map((key: { name: string }) => key.name),
    ['second', 'API Key'],
  );
  const specified = ['createdAt', 'id', 'lastUsedAt', 'name', 'prefix', 'revokedAt', 'userId'];
  t.deepEqual(
    Object.keys(keys[1]).sort(),
    [...specified, 'accountId', 'addresses', 'expiresAt', 'mode', 'scopes', 'state'].sort(),
  );
  t.like(keys[1], { userId: id, lastUsedAt: null, revokedAt: null });
  t.true(apiKey.startsWith(keys[1].prefix));
  t.true(keys[1].prefix.length < 20);
});

test('list 200: a used key shows when', async (t) => {
  const { token, apiKey } = await world().account();
  await world().call('GET', '/integration/v1/items/x', { apiKey });
  await until('lastUsedAt is set', async () => (await list(token))[0].lastUsedAt !== null);
  t.pass();
});

// specification: 404-an-api-key
test('revoke 204: at once, and the key is listed no more; again 404', async (t) => {
  const { token, apiKey } = await world().account();
  const [{ id }] = await list(token);
  t.is((await world().call('DELETE', `/integration/api-keys/${id}`, { token })).status, 204);
  t.is((await world().call('GET', '/integration/v1/items/x', { apiKey })).status, 401);
  t.deepEqual(await list(token), []);
  isError(t, await world().call('DELETE', `/integration/api-keys/${id}`, { token }), {
    status: 404,
    code: 'NOT_FOUND',
  });
});

// specification: 404-an-api-key
test('revoke 404: a key of another account', async (t) => {
  const [owner, other] = [await world().account(), await world().account()];
  const [{ id }] = await list(owner.token);
  isError(t, await world().call('DELETE', `/integration/api-keys/${id}`, { token: other.token }), {
    status: 404,
    code: 'NOT_FOUND',
  });
  t.is((await list(owner.token)).length, 1);
});
