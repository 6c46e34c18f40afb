import test from 'ava';
import { isError, withApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test);
const base = '/integration/v1/items';
const body = { title: 'Bromsskiva', price: 100, imageUrls: [] };

const misspelt = [
  'validate_only=true',
  'ValidateOnly=true',
  'validateOnly[]=true',
  'validateOnly=false&validateOnly=true',
  'validateOnly=1',
  'validateOnly=',
  '__proto__=true',
];

test('400: a misspelt or repeated validateOnly never writes', async (t) => {
  const { apiKey } = await world().account();
  await world().call('PUT', `${base}/A`, { apiKey, body });
  const { body: before } = await world().call('GET', `${base}/A?view=full`, { apiKey });
  for (const query of misspelt) {
    for (const [method, path, sent] of [
      ['PUT', 'A', { ...body, title: 'Annat' }],
      ['PUT', 'B', body],
      ['PATCH', 'A/price', { price: 7 }],
      ['PATCH', 'A/status', { status: 'sold' }],
      ['POST', 'A/publish', undefined],
      ['DELETE', 'A', undefined],
    ] as const) {
      const reply = await world().call(method, `${base}/${path}?${query}`, { apiKey, body: sent });
      isError(t, reply, { status: 400, code: 'BAD_REQUEST' });
    }
  }
  t.deepEqual((await world().call('GET', `${base}/A?view=full`, { apiKey })).body, before);
  t.is((await world().call('GET', `${base}/B`, { apiKey })).status, 404);
});

test('400: a parameter that an item read does not know', async (t) => {
  const { apiKey } = await world().account();
  await world().call('PUT', `${base}/A`, { apiKey, body });
  for (const path of ['/A?View=full', '/A?view=full&view=full', '/A/timeline?limits=3', '?status=active'])
    isError(t, await world().call('GET', base + path, { apiKey }), { status: 400, code: 'BAD_REQUEST' });
});

test('400: a repeated parameter on a path outside of the items', async (t) => {
  const { token } = await world().account();
  isError(t, await world().call('GET', '/auth/me?a=1&a=2', { token }), { status: 400, code: 'BAD_REQUEST' });
  isError(t, await world().call('GET', '/categories?a=1&a=2'), { status: 400, code: 'BAD_REQUEST' });
  t.is((await world().call('GET', '/categories?a=1')).status, 200);
});

test('every answer to a credential, errors too, is kept in no cache', async (t) => {
  const { apiKey, token } = await world().account();
  for (const [method, path, options] of [
    ['GET', '/auth/me', { token }],
    ['GET', '/auth/me', { token: 'x' }],
    ['GET', '/integration/webhooks', { token }],
    ['GET', `${base}/missing`, { apiKey }],
    ['PUT', `${base}/A`, { apiKey, body }],
    ['PUT', `${base}/A`, { apiKey, body: {} }],
    ['DELETE', `${base}/A`, { apiKey }],
    ['GET', '/vehicles/lookup?plate=MLB84A', { apiKey }],
    ['GET', '/nowhere', { apiKey }],
  ] as const) {
    const reply = await world().call(method, path, options);
    t.is(reply.headers.get('cache-control'), 'no-store', `${method} ${path} ${reply.status}`);
  }
});

test('401: a route that takes a key or a session names both', async (t) => {
  for (const options of [{}, { apiKey: 'x' }, { token: 'x' }]) {
    const reply = await world().call('GET', '/vehicles/lookup?plate=MLB84A', options);
    isError(t, reply, { status: 401, code: 'UNAUTHORIZED' });
    t.regex(reply.body.error, /x-api-key.*Bearer/);
  }
});

test('PUT 202: what view=full answers, without the list of what became of the images', async (t) => {
  const { apiKey } = await world().account();
  await world().call('PUT', `${base}/A`, {
    apiKey,
    body: { ...body, imageUrls: ['https://images.example.com/1.jpg'] },
  });
  const full = (await world().call('GET', `${base}/A?view=full`, { apiKey })).body;
  const reply = await world().call('PUT', `${base}/A`, { apiKey, body: { ...full, images: undefined } });
  t.is(reply.status, 202, reply.text);
  t.is(reply.body.message, 'Item updated (unchanged)');
});
