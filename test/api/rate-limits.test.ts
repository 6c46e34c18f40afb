import test from 'ava';
import { generousLimits, isError, startApiWorld, withApiWorld, type Reply } from '../support/api-world.ts';
import { few, limitOf, limitsOn, type Limited } from '../support/with-limits.ts';

const world = withApiWorld(test);
const withLimits = limitsOn(world);

// specification: 429-rate-limit-exceeded
test('a key has its burst, then 429 before the body is read, with the time after which it gets through', async (t) => {
  let nowMs = 0;
  const use = async (limited: Limited): Promise<void> => {
    const { apiKey } = await world().account();
    const read = () => limited.call('GET', '/integration/v1/items/A1', { apiKey });
    const replies = [];
    for (let call = 0; call < 5; call += 1) replies.push(await read());
    t.deepEqual(
      replies.map(({ status }) => status),
      [404, 404, 404, 404, 404],
    );
    t.is(replies[0]?.headers.get('ratelimit-policy'), '"key";q=5;w=5');
    t.is(limitOf(replies[0] as Reply), '"key";r=4;t=4');
    const refused = await limited.call('PUT', '/integration/v1/items/A1', { apiKey, raw: 'no JSON' });
    isError(t, refused, { status: 429, code: 'RATE_LIMITED' });
    t.is(refused.headers.get('retry-after'), '1');
    t.is(limitOf(refused), '"key";r=0;t=1');
    for (nowMs of [1, 500, 999]) t.is((await read()).status, 429, 'trying in between uses nothing up');
    nowMs = 1_000;
    t.is((await read()).status, 404);
  };
  await withLimits({ key: { burst: 5, perSecond: 1 } }, use, { nowMs: () => nowMs });
});

// specification: jwt-calls-per-account
test('the keys of an account are counted together, with the members of a reseller; sessions apart from them', async (t) => {
  await withLimits({ key: few(3), account: few(50) }, async (limited) => {
    const reseller = await world().reseller();
    const members = [await world().memberOf(reseller), await world().memberOf(reseller)];
    const other = await world().account();
    const statuses = [];
    const { apiKey: otherKey } = (
      await world().call('POST', '/integration/api-keys/generate', { token: reseller.token })
    ).body;
    for (const [n, member] of [...members, ...members].entries()) {
      const headers = { 'x-partner-account': member.reference };
      const apiKey = n % 2 === 0 ? reseller.apiKey : otherKey;
      statuses.push((await limited.call('GET', '/integration/v1/items/A1', { apiKey, headers })).status);
    }
    t.deepEqual(statuses, [404, 404, 404, 429]);
    t.is((await limited.call('GET', '/integration/v1/items/A1', { apiKey: other.apiKey })).status, 404);
    const login = await limited.call('POST', '/auth/login', { body: { email: other.email, password: other.password } });
    const first = await limited.call('GET', '/auth/me', { token: other.token });
    const second = await limited.call('GET', '/auth/me', { token: login.body.accessToken });
    t.is(remaining(second), remaining(first) - 1);
    t.regex(limitOf(first) ?? '', /^"account"/);
  });
});

const remaining = (reply: Reply): number => Number(/;r=(\d+)/.exec(limitOf(reply) ?? '')?.[1]);

// specification: jwt-calls-per-account
test('a member that may not be acted for counts against the key', async (t) => {
  await withLimits({ key: few(2) }, async (limited) => {
    const { apiKey } = await world().account();
    const headers = { 'x-partner-account': 'somebody' };
    const replies = [];
    for (let call = 0; call < 3; call += 1)
      replies.push(await limited.call('GET', '/integration/v1/items/A1', { apiKey, headers }));
    t.deepEqual(
      replies.map(({ status }) => status),
      [403, 403, 429],
    );
  });
});

// specification: per-api-key-in
test('a hundred keys have the calls of one', async (t) => {
  await withLimits({ key: few(10) }, async (limited) => {
    const { token, apiKey } = await world().account();
    const more = await Promise.all(
      Array.from({ length: 5 }, () => world().call('POST', '/integration/api-keys/generate', { token })),
    );
    const keys = [apiKey, ...more.map(({ body }) => body.apiKey)];
    const calls = keys.flatMap((key) => Array.from({ length: 5 }, () => key));
    const replies = await Promise.all(
      calls.map((key) => limited.call('GET', '/integration/v1/items/A1', { apiKey: key })),
    );
    t.is(replies.filter(({ status }) => status === 404).length, 10);
    t.is(replies.filter(({ status }) => status === 429).length, 20);
  });
});

// specification: calls-cost-what
test('a page costs a point for each 50 rows that it is asked for', async (t) => {
  await withLimits({ key: few(10), account: few(10) }, async (limited) => {
    const { token, apiKey } = await world().account();
    for (const [path, caller] of [
      ['/integration/v1/items', { apiKey }],
      ['/partner/items', { token }],
    ] as const) {
      const left = async (query: string) => remaining(await limited.call('GET', `${path}${query}`, caller));
      t.is(await left(''), 9);
      t.is(await left('?limit=200'), 5);
      t.is(await left('?limit=51'), 3);
      isError(t, await limited.call('GET', `${path}?limit=200`, caller), { status: 429, code: 'RATE_LIMITED' });
      t.is(await left('?limit=50'), 2);
      isError(t, await limited.call('GET', `${path}?limit=many`, caller), { status: 400, code: 'BAD_REQUEST' });
    }
  });
});

// specification: a-replay-counts-as
test('an answer given again under its Idempotency-Key counts as a request', async (t) => {
  await withLimits({ account: few(4) }, async (limited) => {
    const { token } = await world().account();
    const post = () =>
      limited.call('POST', '/integration/api-keys/generate', { token, headers: { 'idempotency-key': 'once' } });
    const replies = [await post(), await post(), await post(), await post(), await post()];
    t.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200, 200, 429],
    );
    t.is(replies[1]?.headers.get('idempotency-replayed'), 'true');
  });
});

// specification: anonymous-calls-per-address
test('strangers are counted by address, conversions apart, and a forged X-Forwarded-For changes nothing', async (t) => {
  const limited = await startApiWorld({ rateLimits: { ...generousLimits, address: few(2), convert: few(1) } });
  try {
    const statuses = [];
    for (const forged of ['203.0.113.1', '203.0.113.2', '203.0.113.3'])
      statuses.push((await limited.call('GET', '/categories', { headers: { 'x-forwarded-for': forged } })).status);
    t.deepEqual(statuses, [200, 200, 429]);
    const body = { fromMarket: 'service', toMarket: 'marketplace', externalId: 'art' };
    const conversions = [
      await limited.call('POST', '/categories/convert', { body }),
      await limited.call('POST', '/categories/convert', { body }),
    ];
    t.deepEqual(
      conversions.map(({ status }) => status),
      [200, 429],
    );
    t.is((await limited.call('GET', '/healthz')).status, 200);
    t.is((await limited.call('GET', '/nowhere')).status, 429);
  } finally {
    await limited.close();
  }
});

// specification: anonymous-calls-per-address
test('behind a trusted proxy each address has its own limit, IPv6 by network, and only its own word counts', async (t) => {
  const trustedProxies = ['loopback', '10.0.0.0/8'];
  const work = async (limited: Limited): Promise<void> => {
    const from = async (forwarded: string) =>
      (await limited.call('GET', '/categories', { headers: { 'x-forwarded-for': forwarded } })).status;
    t.deepEqual([await from('203.0.113.1'), await from('203.0.113.2'), await from('203.0.113.1')], [200, 200, 429]);
    // What the caller itself wrote stands to the left of what the proxies saw.
    t.deepEqual(
      [await from('198.51.100.7, 203.0.113.3, 10.1.2.3'), await from('198.51.100.8, 203.0.113.3')],
      [200, 429],
    );
    t.deepEqual(
      [await from('2001:db8:1:2::1'), await from('2001:db8:1:2:ffff::9'), await from('2001:db8:1:3::1')],
      [200, 429, 200],
    );
    t.deepEqual([await from('::ffff:203.0.113.9'), await from('203.0.113.9')], [200, 429]);
    t.deepEqual([await from('nonsense'), await from('"<other>"')], [200, 429]);
  };
  await withLimits({ address: few(1) }, work, { trustedProxies });
});

// specification: refused-credentials
test('credentials can not be tried without bound, and a right one that is known goes on beside', async (t) => {
  await withLimits({ failed: few(4) }, async (limited) => {
    const [known, unknown] = [await world().account(), await world().account()];
    const read = (apiKey: string) => limited.call('GET', '/integration/v1/items/A1', { apiKey });
    t.is((await read(known.apiKey)).status, 404);
    const replies = [];
    for (let call = 0; call < 6; call += 1) replies.push(await read(`sk_live_${String(call).repeat(43)}`));
    t.deepEqual(
      replies.map(({ status }) => status),
      [401, 401, 401, 401, 429, 429],
    );
    t.regex(limitOf(replies[0] as Reply) ?? '', /^"failed-credentials";r=3/);
    isError(t, replies[4] as Reply, { status: 429, code: 'RATE_LIMITED' });
    // Right credentials never stand behind it, whether this process has seen them before or not.
    t.is((await read(unknown.apiKey)).status, 404);
    t.is((await read(`sk_live_${'0'.repeat(43)}`)).status, 429);
    t.is((await limited.call('GET', '/auth/me', { token: unknown.token })).status, 200);
    t.is((await read(known.apiKey)).status, 404);
    t.is((await limited.call('GET', '/categories')).status, 200);
  });
});

test('a neighbour who keeps trying a wrong key keeps no right one out', async (t) => {
  await withLimits({ failed: few(1) }, async (limited) => {
    const { apiKey } = await world().account();
    const read = (key: string) => limited.call('GET', '/integration/v1/items/A1', { apiKey: key });
    t.is((await read(`sk_live_${'w'.repeat(43)}`)).status, 401);
    for (let call = 0; call < 4; call += 1) t.is((await read(`sk_live_${'w'.repeat(43)}`)).status, 429);
    t.is((await read(apiKey)).status, 404);
  });
});

test('an attempt to sign in that is refused says by which limit', async (t) => {
  const limited = await startApiWorld({ signIn: { loginsPerEmail: 1 } });
  try {
    const log = () => limited.call('POST', '/auth/login', { body: { email: 'a@example.se', password: 'not the one' } });
    t.is((await log()).status, 401);
    const refused = await log();
    t.is(refused.status, 429);
    t.is(refused.headers.get('ratelimit-policy'), '"login-email";q=1;w=900');
    t.is(limitOf(refused), `"login-email";r=0;t=${String(refused.headers.get('retry-after'))}`);
  } finally {
    await limited.close();
  }
});

test('X-Forwarded-For of somebody who is not trusted is told of once', async (t) => {
  const limited = await startApiWorld();
  try {
    for (let call = 0; call < 3; call += 1)
      await limited.call('GET', '/healthz', { headers: { 'x-forwarded-for': '203.0.113.1' } });
    const told = limited.logLines.filter(({ msg }) => msg === 'rate_limits.forwarded_by_untrusted_proxy');
    t.is(told.length, 1);
  } finally {
    await limited.close();
  }
});

test('IPv6 networks of one /48 are counted together at eight times the numbers', async (t) => {
  await withLimits({ address: few(1) }, async (limited) => {
    const statuses = [];
    for (let network = 0; network < 9; network += 1) {
      const headers = { 'x-forwarded-for': `2001:db9:1:${network}::1` };
      statuses.push((await limited.call('GET', '/categories', { headers })).status);
    }
    t.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 200, 200, 429]);
  });
});

// specification: refused-credentials
test('a known key that was revoked is refused and counts as a failure again', async (t) => {
  await withLimits({ failed: few(1) }, async (limited) => {
    const { token, apiKey } = await world().account();
    t.is((await limited.call('GET', '/integration/v1/items/A1', { apiKey })).status, 404);
    const { keys } = (await limited.call('GET', '/integration/api-keys', { token })).body;
    await limited.call('DELETE', `/integration/api-keys/${keys[0].id}`, { token });
    t.is((await limited.call('GET', '/integration/v1/items/A1', { apiKey })).status, 401);
    t.is((await limited.call('GET', '/integration/v1/items/A1', { apiKey })).status, 429);
  });
});

// specification: per-api-key-in
test('each API process counts by itself: one that starts again has forgotten what was used', async (t) => {
  const { apiKey } = await world().account();
  const statusesOf = async () => {
    const statuses: number[] = [];
    await withLimits({ key: few(2) }, async ({ call }) => {
      for (let count = 0; count < 3; count += 1)
        statuses.push((await call('GET', '/integration/v1/items/A1', { apiKey })).status);
    });
    return statuses;
  };
  t.deepEqual(await statusesOf(), [404, 404, 429]);
  t.deepEqual(await statusesOf(), [404, 404, 429]);
});

test('nothing is said of limits where they are switched off', async (t) => {
  const work = async ({ call, url }: Limited): Promise<void> => {
    t.is((await fetch(`${url}/categories`)).headers.get('ratelimit'), null);
    await t.throwsAsync(call('GET', '/categories'), { message: /RateLimit/i });
  };
  await withLimits({}, work, { rateLimits: null });
});
