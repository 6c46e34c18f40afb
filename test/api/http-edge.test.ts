import { gunzipSync } from 'node:zlib';
import test from 'ava';
import { request } from 'undici';
import { isError, startApiWorld, withApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test, {
  replace: ({ items }) => ({
    items: {
      ...items,
      findVisible: async (account, externalId) => {
        if (externalId === 'bug') throw new TypeError('secret inside of the service');
        return items.findVisible(account, externalId);
      },
    },
  }),
});

// specification: x-request-id-on
test('every answer carries X-Request-Id: the one that was sent, or a new one when that is no sane id', async (t) => {
  const sent = await world().call('GET', '/healthz', { headers: { 'x-request-id': 'erp-4711.a' } });
  t.is(sent.headers.get('x-request-id'), 'erp-4711.a');
  for (const headers of [{}, { 'x-request-id': 'a b' }, { 'x-request-id': 'x'.repeat(200) }]) {
    const reply = await world().call('GET', '/nowhere', { headers });
    t.regex(reply.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
  }
});

// specification: malformed-json-long-external, method-not-allowed-405
test('405: a known path with another method, with the methods it takes', async (t) => {
  const reply = await world().call('POST', '/integration/v1/items/x');
  isError(t, reply, { status: 405, code: 'METHOD_NOT_ALLOWED' });
  t.deepEqual(reply.headers.get('allow')?.split(', ').toSorted(), ['DELETE', 'GET', 'HEAD', 'PUT']);
});

// specification: malformed-json-long-external
test('404: an unknown path, also one in other letter case, in the error form', async (t) => {
  for (const [method, path] of [
    ['GET', '/nowhere'],
    ['GET', '/Categories'],
  ] as const) {
    isError(t, await world().call(method, path), { status: 404, code: 'NOT_FOUND' });
  }
});

// specification: bad-request-400
test('400: a path whose percent signs mean nothing', async (t) => {
  const { apiKey } = await world().account();
  isError(t, await world().call('GET', '/integration/v1/items/%zz', { apiKey }), { status: 400, code: 'BAD_REQUEST' });
});

// specification: unsupported-media-type-415
test('415: a body in an encoding or charset nobody speaks', async (t) => {
  const { apiKey } = await world().account();
  for (const headers of [{ 'content-encoding': 'rot13' }, { 'content-type': 'application/json; charset=klingon' }]) {
    const reply = await world().call('PUT', '/integration/v1/items/x', { apiKey, body: {}, headers });
    isError(t, reply, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  }
});

// specification: 500, internal-500
test('500: a bug shows nothing of the inside, and its log line is an error with the cause', async (t) => {
  const { apiKey } = await world().account();
  const reply = await world().call('GET', '/integration/v1/items/bug', {
    apiKey,
    headers: { 'x-request-id': 'bug-1' },
  });
  isError(t, reply, { status: 500, code: 'INTERNAL' });
  t.false(reply.text.includes('secret inside'));
  t.like(
    world().logLines.find((line) => line['requestId'] === 'bug-1'),
    { level: 50, status: 500, code: 'INTERNAL' },
  );
});

// specification: x-request-id-on
test('one log line a request, with ids, route and duration, and without key, token or password', async (t) => {
  const { apiKey, token, id, password } = await world().account();
  const headers = { 'x-request-id': 'logged-1' };
  await world().call('PUT', '/integration/v1/items/L1', {
    apiKey,
    headers,
    body: { title: 'Hemlig titel', price: 1, imageUrls: [] },
  });
  await world().call('GET', '/auth/me', { token });
  const lines = world().logLines.filter((line) => line['requestId'] === 'logged-1');
  t.is(lines.length, 1);
  t.like(lines[0], {
    msg: 'request.answered',
    method: 'PUT',
    route: '/integration/v1/items/{external_id}',
    externalId: 'L1',
    status: 202,
    accountId: id,
  });
  t.is(typeof lines[0]?.['durationMs'], 'number');
  const everything = JSON.stringify(world().logLines);
  for (const secret of [apiKey, token, password, 'Hemlig titel']) t.false(everything.includes(secret));
});

test('answers tell browsers to run nothing and name no software', async (t) => {
  const { headers } = await world().call('GET', '/categories');
  t.true(headers.get('content-security-policy')?.includes("default-src 'none'"));
  t.is(headers.get('x-content-type-options'), 'nosniff');
  t.is(headers.get('x-powered-by'), null);
});

test('a long answer comes packed to who takes it; a short one, one with an ETag and that to a write come as they are', async (t) => {
  const { apiKey } = await world().account();
  const item = { title: 'Strålkastare', price: 100, description: 'Fin. '.repeat(600), imageUrls: [] };
  const ask = async (path: string, encoding?: string) => {
    const headers = { 'x-api-key': apiKey, ...(encoding !== undefined && { 'accept-encoding': encoding }) };
    const reply = await request(`${world().url}${path}`, { headers });
    return { headers: reply.headers, bytes: Buffer.from(await reply.body.arrayBuffer()) };
  };
  const written = await world().call('PUT', '/integration/v1/items/A', { apiKey, body: item });
  t.is(written.headers.get('content-encoding'), null);
  for (let n = 0; n < 30; n += 1) await world().call('PUT', `/integration/v1/items/B-${n}`, { apiKey, body: item });
  const path = '/integration/v1/items?limit=100';
  const [plain, packed] = [await ask(path), await ask(path, 'gzip, deflate, br')];
  t.is(plain.headers['content-encoding'], undefined);
  t.is(packed.headers['content-encoding'], 'gzip');
  t.true(gunzipSync(packed.bytes).equals(plain.bytes));
  for (const { headers, bytes } of [plain, packed]) {
    t.is(headers['vary'], 'Accept-Encoding');
    t.is(Number(headers['content-length']), bytes.length);
  }
  t.is((await ask(path, 'gzip;q=0')).headers['content-encoding'], undefined);
  const whole = await ask('/integration/v1/items/A?view=full', 'gzip');
  t.true(whole.bytes.length > 3_000);
  t.is(typeof whole.headers['etag'], 'string');
  for (const { headers } of [whole, await ask('/integration/v1/items?limit=1', 'gzip')])
    t.is(headers['content-encoding'], undefined);
});

test('no other site may embed an answer, and TLS is asked for this host alone, not for its neighbours', async (t) => {
  const { apiKey } = await world().account();
  for (const path of ['/categories', '/healthz', '/nowhere', '/openapi.json', '/docs/', '/integration/v1/items/x']) {
    const { headers } = await world().call('GET', path, { apiKey });
    t.is(headers.get('cross-origin-resource-policy'), 'same-origin', path);
    t.regex(headers.get('strict-transport-security') ?? '', /^max-age=\d+$/, path);
  }
});

test('healthz 200 and readyz 200 while all is well', async (t) => {
  t.is((await world().call('GET', '/healthz')).status, 200);
  t.is((await world().call('GET', '/readyz')).status, 200);
});

// specification: unavailable-503-with-retry
test('503 with Retry-After while the database is out of reach; healthz stays 200', async (t) => {
  const stranded = await startApiWorld();
  const { apiKey, token } = await stranded.account();
  await stranded.store.close();
  const replies = await Promise.all([
    stranded.call('GET', '/integration/v1/items/x', { apiKey }),
    stranded.call('GET', '/auth/me', { token }),
    stranded.call('POST', '/integration/api-keys/generate', { token }),
    stranded.call('GET', '/integration/webhook-deliveries', { token }),
  ]);
  for (const reply of replies) {
    isError(t, reply, { status: 503, code: 'UNAVAILABLE' });
    t.regex(reply.headers.get('retry-after') ?? '', /^\d+$/);
  }
  t.is((await stranded.call('GET', '/readyz')).status, 503);
  t.is((await stranded.call('GET', '/healthz')).status, 200);
  await stranded.close();
});
