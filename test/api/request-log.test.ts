import test from 'ava';
import { isError, withApiWorld, type CallOptions } from '../support/api-world.ts';
import { awaitMajority } from '../support/open-test-store.ts';

const world = withApiWorld(test);

const read = async (options: CallOptions, query = '') => {
  await world().served.parts.requestRecorder?.settle();
  await awaitMajority(world().store);
  const answer = await world().call('GET', `/integration/v1/request-log${query}`, options);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as { calls: Record<string, unknown>[]; nextCursor: string | null };
};
const get = (path: string, options: CallOptions) => world().call('GET', path, options);
const put = (path: string, body: unknown, options: CallOptions) => world().call('PUT', path, { ...options, body });
const anItem = { title: 'Lampa', price: 100, imageUrls: [], domain: { domain: 'toys' } };

test('every call with a key is in the log of its account, with its answer, refused fields, key, id and duration', async (t) => {
  const { token, apiKey } = await world().account();
  const headers = { 'x-request-id': 'night-run-17' };
  await put('/integration/v1/items/A1', anItem, { apiKey });
  await put('/integration/v1/items/A1?validateOnly=true', { ...anItem, price: -1 }, { apiKey, headers });
  const { calls } = await read({ token });
  const [key] = (await get('/integration/api-keys', { token })).body.keys;
  t.like(calls[0], {
    method: 'PUT',
    path: '/integration/v1/items/A1',
    status: 422,
    code: 'VALIDATION_FAILED',
    fields: ['price'],
    requestId: 'night-run-17',
    keyId: key.id,
    memberUserId: null,
  });
  t.like(calls[1], { status: 202, code: null, fields: [] });
  t.true(Number(calls[0]?.['durationMs']) > 0);
  t.is(calls.length, 2);
});

test('neither a body, a query, a header nor a key is in the log', async (t) => {
  const { id, token, apiKey } = await world().account();
  await put('/integration/v1/items/A1?validateOnly=hemlig-fråga', { ...anItem, title: 'hemlig-titel' }, { apiKey });
  await read({ token });
  const rows = await world().store.connection.collection('request_log').find({ accountId: id }).toArray();
  t.is(rows.length, 1);
  t.notRegex(JSON.stringify(rows), /hemlig/);
  t.false(JSON.stringify(rows).includes(apiKey.slice(8)));
});

test('a call with a revoked key is in the log of the account that had it; one with an unknown key is in none', async (t) => {
  const { token, apiKey } = await world().account();
  const [{ id }] = (await get('/integration/api-keys', { token })).body.keys;
  await world().call('DELETE', `/integration/api-keys/${id}`, { token });
  isError(t, await get('/integration/v1/items', { apiKey }), { status: 401, code: 'UNAUTHORIZED' });
  const { calls } = await read({ token });
  t.like(calls[0], { status: 401, code: 'UNAUTHORIZED', keyId: id });
  t.is(calls.length, 1);
});

test('a key reads its own calls alone, whatever it asks for', async (t) => {
  const { token, apiKey } = await world().account();
  const { body } = await world().call('POST', '/integration/api-keys/generate', { token });
  await get('/integration/v1/items', { apiKey });
  await get('/integration/v1/items', { apiKey: body.apiKey });
  const [own] = (await read({ apiKey })).calls;
  const others = (await read({ token })).calls.find(({ keyId }) => keyId !== own?.['keyId'])?.['keyId'];
  const ofKeys = (await read({ apiKey }, '?limit=500')).calls.map(({ keyId }) => keyId);
  t.deepEqual([...new Set(ofKeys)], [own?.['keyId']]);
  t.deepEqual((await read({ apiKey }, `?keyId=${String(others)}`)).calls, []);
});

test('a session reads the log, and is not in it', async (t) => {
  const { token } = await world().account();
  await get('/partner/items', { token });
  t.deepEqual(await read({ token }), { calls: [], nextCursor: null });
});

test("a reseller's calls for a member are in the log of the reseller alone, also those that name nobody", async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  const { apiKey } = reseller;
  const forMember = { apiKey, headers: { 'x-partner-account': member.reference } };
  await get('/integration/v1/items', forMember);
  await get('/integration/v1/items', { apiKey, headers: { 'x-partner-account': 'ingen' } });
  const { calls } = await read({ token: reseller.token });
  t.like(calls[0], { status: 403, code: 'PARTNER_ACCOUNT_FORBIDDEN', memberUserId: null });
  t.like(calls[1], { status: 200, memberUserId: member.id });
  t.deepEqual((await read({ token: member.token })).calls, []);
  t.deepEqual(
    (await read(forMember)).calls.map(({ id }) => id),
    [calls[1]?.['id']],
    'with X-Partner-Account only what was called for that member',
  );
});

test('filters by status, path, request id, key and time, page by page', async (t) => {
  const { token, apiKey } = await world().account();
  for (const name of ['A1', 'A2', 'B1']) await put(`/integration/v1/items/${name}`, anItem, { apiKey });
  const headers = { 'x-request-id': 'search-me' };
  await get('/integration/v1/items/missing(1)', { apiKey, headers });
  const found = async (query: string) => (await read({ token }, query)).calls.map(({ path }) => path);
  t.deepEqual(await found('?status=refused'), ['/integration/v1/items/missing(1)']);
  t.deepEqual(await found('?status=404&path=(1'), ['/integration/v1/items/missing(1)']);
  t.deepEqual(await found('?status=2xx&path=/A'), ['/integration/v1/items/A2', '/integration/v1/items/A1']);
  t.deepEqual(await found('?requestId=search-me'), ['/integration/v1/items/missing(1)']);
  t.deepEqual(await found('?keyId=another'), []);
  t.deepEqual(await found('?until=2020-01-01'), []);
  const first = await read({ token }, '?limit=3');
  const second = await read({ token }, `?limit=3&cursor=${first.nextCursor ?? ''}`);
  t.deepEqual([first.calls.length, second.calls.length, second.nextCursor], [3, 1, null]);
  t.is(new Set([...first.calls, ...second.calls].map(({ id }) => id)).size, 4);
  for (const query of ['status=4x', 'path=%00'])
    isError(t, await get(`/integration/v1/request-log?${query}`, { token }), { status: 400, code: 'BAD_REQUEST' });
  isError(t, await get(`/integration/v1/request-log?path=x&cursor=${first.nextCursor ?? ''}`, { token }), {
    status: 400,
    code: 'BAD_REQUEST',
  });
});
