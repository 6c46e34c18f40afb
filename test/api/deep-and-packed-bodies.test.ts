import { gzipSync } from 'node:zlib';
import test from 'ava';
import { isError, withApiWorld, type CallOptions, type Reply } from '../support/api-world.ts';
import { few, limitOf, limitsOn } from '../support/with-limits.ts';

// What a parser would take a hundred milliseconds for is refused before it: the message says by what.

const world = withApiWorld(test);
const withLimits = limitsOn(world);

const levels = 520_000;
const deep = `{"email":${'['.repeat(levels)}${']'.repeat(levels)}}`;
const packed = new Uint8Array(gzipSync(deep, { level: 9 }));
const json = { 'content-type': 'application/json' };
const gzip = { ...json, 'content-encoding': 'gzip' };

test('the attack is a kilobyte', (t) => {
  t.true(packed.length < 1_200, `${packed.length} bytes`);
});

const forStrangers = ['/auth/login', '/auth/register', '/categories/convert', '/stripe/webhook'];
for (const path of forStrangers) {
  const post = (options: CallOptions): Promise<Reply> => world().call('POST', path, options);

  test(`${path} 415: a body is not unpacked for a caller without a credential`, async (t) => {
    for (const headers of [gzip, { ...gzip, 'stripe-signature': 't=1,v1=00' }]) {
      const reply = await post({ raw: packed, headers });
      isError(t, reply, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
      t.is(reply.body.error, 'The Content-Encoding is not supported here: send the body unpacked');
    }
  });

  test(`${path} 413: a body of a caller without a credential is small`, async (t) => {
    const [bytesMax, size] = path === '/stripe/webhook' ? [256 * 1024, '256 KB'] : [4 * 1024, '4 KB'];
    const raw = '['.repeat(bytesMax + 1);
    for (const headers of [json, { ...json, 'stripe-signature': 't=1,v1=00' }]) {
      const reply = await post({ raw, headers });
      isError(t, reply, { status: 413, code: 'PAYLOAD_TOO_LARGE' });
      t.is(reply.body.error, `The body is larger than ${size}`);
    }
  });
}

test('/auth/login 400: a small body is refused for its depth', async (t) => {
  const raw = `{"email":${'['.repeat(64)}${']'.repeat(64)}}`;
  const reply = await world().call('POST', '/auth/login', { raw, headers: json });
  isError(t, reply, { status: 400, code: 'BAD_REQUEST' });
  t.is(reply.body.error, 'The body is nested deeper than 64 levels');
});

test('/stripe/webhook 400: a body is not parsed before its signature is right', async (t) => {
  const raw = `{"email":${'['.repeat(1_000)}${']'.repeat(1_000)}}`;
  for (const headers of [json, { ...json, 'stripe-signature': 't=1,v1=00' }]) {
    const reply = await world().call('POST', '/stripe/webhook', { raw, headers });
    isError(t, reply, { status: 400, code: 'BAD_REQUEST' });
    t.notRegex(reply.body.error, /nested|JSON/);
  }
});

test('PUT 400: the body of a caller with a key is refused for its depth, packed or not', async (t) => {
  const { apiKey } = await world().account();
  for (const options of [
    { raw: deep, headers: json },
    { raw: packed, headers: gzip },
  ]) {
    const reply = await world().call('PUT', '/integration/v1/items/A1', { apiKey, ...options });
    isError(t, reply, { status: 400, code: 'BAD_REQUEST' });
    t.is(reply.body.error, 'The body is nested deeper than 64 levels');
  }
});

test('PUT: 64 levels are taken', async (t) => {
  const { apiKey } = await world().account();
  const raw = `{"title":"A","price":1,"imageUrls":[],"domain":{"domain":"art"},"extra":${'['.repeat(63)}${']'.repeat(63)}}`;
  t.is((await world().call('PUT', '/integration/v1/items/A1', { apiKey, raw, headers: json })).status, 202);
});

test('a call costs a point for each 64 KB of its unpacked body, and no other caller pays', async (t) => {
  const { apiKey } = await world().account();
  await withLimits({ key: few(20) }, async ({ call }) => {
    const title = { title: 'A', price: 1, imageUrls: [], domain: { domain: 'art' } };
    const raw = new Uint8Array(gzipSync(JSON.stringify({ ...title, extra: 'x'.repeat(15 * 64 * 1024) })));
    const put = () => call('PUT', '/integration/v1/items/A1', { apiKey, raw, headers: gzip });
    const first = await put();
    t.is(first.status, 202);
    t.regex(limitOf(first) ?? '', /r=4;/);
    const second = await put();
    isError(t, second, { status: 429, code: 'RATE_LIMITED' });
    t.regex(second.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    // Its body was unpacked and read, so it is paid for all the same: by the calls that come next.
    const third = await call('GET', '/integration/v1/items/A1', { apiKey });
    isError(t, third, { status: 429, code: 'RATE_LIMITED' });
  });
});

// specification: calls-cost-what
test('a body whose length is told is paid for before it is read', async (t) => {
  const { apiKey } = await world().account();
  await withLimits({ key: few(20) }, async ({ call }) => {
    const put = () =>
      call('PUT', '/integration/v1/items/A1', { apiKey, raw: 'x'.repeat(15 * 64 * 1024), headers: json });
    isError(t, await put(), { status: 400, code: 'BAD_REQUEST' });
    const refused = await put();
    isError(t, refused, { status: 429, code: 'RATE_LIMITED' });
    t.regex(limitOf(refused) ?? '', /r=5;/, 'what is refused takes nothing');
    t.is((await call('GET', '/integration/v1/items/A1', { apiKey })).status, 404);
  });
});
