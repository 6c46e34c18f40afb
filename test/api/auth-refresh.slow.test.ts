import test from 'ava';
import { cookiesOf, logOut, refresh, refreshTokenOf, signIn } from '../support/a-browser.ts';
import { isError, startApiWorld, withApiWorld } from '../support/api-world.ts';

// The tests run one after the other: some move the clock.
const world = withApiWorld(test, { registers: true });
const me = (token: string) => world().call('GET', '/auth/me', { token });
const dayMs = 86_400_000;

const auditOf = async (accountId: string): Promise<string[]> => {
  const rows = world()
    .store.connection.collection('audit')
    .find({ accountId }, { sort: { at: 1, number: 1 } });
  return (await rows.toArray()).map((row) => String(row['kind']));
};

// specification: in-an-httponly-samesite
test.serial('login and register set an HttpOnly cookie that only /auth gets, for 7 days', async (t) => {
  const { email, password } = await world().account();
  const replies = [
    await world().call('POST', '/auth/login', { body: { email, password } }),
    await world().call('POST', '/auth/register', { body: { email: `x${email}`, password, name: 'B' } }),
  ];
  for (const reply of replies) {
    const { refresh_token: cookie } = cookiesOf(reply);
    const attributes = { httponly: '', samesite: 'Strict', path: '/auth', 'max-age': String(7 * 86_400) };
    t.deepEqual(cookie?.attributes, attributes);
    t.false(reply.text.includes(cookie?.value ?? '?'));
  }
});

// specification: in-an-httponly-samesite
test.serial('where the service is reached by https its cookies are of this host alone', async (t) => {
  const secure = await startApiWorld({ publicUrl: 'https://itembridge.example/base' });
  const name = '__Host-refresh_token';
  const asked = (path: string, cookie: string) =>
    secure.call('POST', path, { headers: { cookie, origin: 'https://itembridge.example' } });
  try {
    const { email, password } = await secure.account();
    const opened = await secure.call('POST', '/auth/login', { body: { email, password } });
    const token = cookiesOf(opened)[name]?.value ?? '';
    // A neighbouring subdomain can set the name without the prefix, and no other.
    isError(t, await asked('/auth/refresh', `refresh_token=${token}`), { status: 401, code: 'UNAUTHORIZED' });
    const renewed = await asked('/auth/refresh', `refresh_token=x; ${name}=${token}`);
    t.is(renewed.status, 200, renewed.text);
    const ended = await asked('/auth/logout', `${name}=${cookiesOf(renewed)[name]?.value ?? ''}`);
    for (const reply of [opened, renewed, ended])
      for (const [cookie, { attributes }] of Object.entries(cookiesOf(reply))) {
        t.regex(cookie, /^__Host-/);
        t.like(attributes, { secure: '', path: '/', httponly: '' });
        t.false('domain' in attributes);
      }
    t.deepEqual(
      Object.keys(cookiesOf(opened)).sort(),
      ['device', 'page_device', 'refresh_token', 'session'].map((own) => `__Host-${own}`),
    );
    const again = { email, password };
    const device = `__Host-device=${cookiesOf(opened)['__Host-device']?.value ?? ''}`;
    t.is((await secure.call('POST', '/auth/login', { body: again, headers: { cookie: device } })).status, 200);
  } finally {
    await secure.close();
  }
});

// specification: refresh-token-opaque-stored
test.serial('refresh 200: a new access token, the account, and another refresh token', async (t) => {
  const person = await world().account('Lager AB');
  const first = await signIn(world(), person);
  const reply = await refresh(world(), first.refreshToken);
  t.is(reply.status, 200);
  t.deepEqual(reply.body.account, { id: person.id, email: person.email, name: 'Lager AB' });
  t.not(refreshTokenOf(reply), first.refreshToken);
  t.is(reply.headers.get('cache-control'), 'no-store');
  t.is((await me(reply.body.accessToken)).status, 200);
  t.is((await me(first.token)).status, 200);
  t.is((await refresh(world(), refreshTokenOf(reply))).status, 200);
});

test.serial('refresh 401: no cookie, a made-up one, two of them; and the cookie of the browser stays', async (t) => {
  const { refreshToken } = await signIn(world(), await world().account());
  const [handle = ''] = refreshToken.split('.');
  const made = [{}, { cookie: 'refresh_token=' }, { cookie: 'refresh_token=x' }, { cookie: `other=${refreshToken}` }];
  const other = await signIn(world(), await world().account());
  const twice = { cookie: `refresh_token=${other.refreshToken}; refresh_token=${refreshToken}` };
  for (const headers of [...made, twice, { cookie: `refresh_token=${handle}` }]) {
    const reply = await world().call('POST', '/auth/refresh', { headers });
    isError(t, reply, { status: 401, code: 'UNAUTHORIZED' });
    t.deepEqual(reply.headers.getSetCookie(), []);
  }
  t.is((await refresh(world(), refreshToken)).status, 200);
});

test.serial('a refresh token is no access token and no API key, nor the other way round', async (t) => {
  const { refreshToken, token } = await signIn(world(), await world().account());
  isError(t, await me(refreshToken), { status: 401, code: 'UNAUTHORIZED' });
  isError(t, await refresh(world(), token), { status: 401, code: 'UNAUTHORIZED' });
});

// specification: the-one-just-replaced
test.serial('ten tabs that renew at the same moment all go on with the same session', async (t) => {
  const person = await world().account();
  const { refreshToken } = await signIn(world(), person);
  const replies = await Promise.all(Array.from({ length: 10 }, () => refresh(world(), refreshToken)));
  t.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
  const successors = new Set(replies.map(refreshTokenOf));
  t.is(successors.size, 1);
  for (const reply of replies) t.is((await me(reply.body.accessToken)).status, 200);
  t.is((await refresh(world(), [...successors][0] ?? '')).status, 200);
});

// specification: the-one-just-replaced
test.serial('an answer that got lost is given again for 30 seconds, then the session ends', async (t) => {
  const person = await world().account();
  const { refreshToken } = await signIn(world(), person);
  const lost = await refresh(world(), refreshToken);
  world().pass(25_000);
  const again = await refresh(world(), refreshToken);
  t.is(refreshTokenOf(again), refreshTokenOf(lost));
  world().pass(6_000);
  isError(t, await refresh(world(), refreshToken), { status: 401, code: 'UNAUTHORIZED' });
  isError(t, await refresh(world(), refreshTokenOf(lost)), { status: 401, code: 'UNAUTHORIZED' });
});

// specification: reuse-of-an-old
test.serial('theft: a token used after its successor ends the session of both, access tokens too', async (t) => {
  const person = await world().account();
  const stolen = await signIn(world(), person);
  const other = await signIn(world(), person);
  const owner = await refresh(world(), stolen.refreshToken);
  const ownerNext = await refresh(world(), refreshTokenOf(owner));
  t.is(ownerNext.status, 200);
  isError(t, await refresh(world(), stolen.refreshToken), { status: 401, code: 'UNAUTHORIZED' });
  isError(t, await refresh(world(), refreshTokenOf(ownerNext)), { status: 401, code: 'UNAUTHORIZED' });
  for (const token of [stolen.token, owner.body.accessToken, ownerNext.body.accessToken])
    isError(t, await me(token), { status: 401, code: 'UNAUTHORIZED' });
  t.is((await me(other.token)).status, 200, 'another session of the account goes on');
  isError(t, await refresh(world(), stolen.refreshToken), { status: 401, code: 'UNAUTHORIZED' });
  const found = { accountId: person.id, kind: 'session_reuse_detected' };
  const entries = await world().store.connection.collection('audit').find(found).toArray();
  t.is(entries.length, 1);
  t.like(entries[0], { actor: { kind: 'service', accountId: null }, details: { address: '127.0.0.1' } });
});

// specification: reuse-of-an-old
test.serial('theft: a thief who renews first is found out when the owner comes', async (t) => {
  const person = await world().account();
  const { refreshToken } = await signIn(world(), person);
  const thief = await refresh(world(), refreshToken);
  world().pass(60_000);
  isError(t, await refresh(world(), refreshToken), { status: 401, code: 'UNAUTHORIZED' });
  isError(t, await me(thief.body.accessToken), { status: 401, code: 'UNAUTHORIZED' });
  isError(t, await refresh(world(), refreshTokenOf(thief)), { status: 401, code: 'UNAUTHORIZED' });
});

// specification: logout-204-whatever-was
test.serial('logout 204: the session ends at once with its access tokens, and the cookie is removed', async (t) => {
  const person = await world().account();
  const { refreshToken, token } = await signIn(world(), person);
  const reply = await logOut(world(), refreshToken);
  t.is(reply.status, 204);
  t.like(cookiesOf(reply)['refresh_token'], { value: '', attributes: { 'max-age': '0', path: '/auth', httponly: '' } });
  isError(t, await me(token), { status: 401, code: 'UNAUTHORIZED' });
  isError(t, await refresh(world(), refreshToken), { status: 401, code: 'UNAUTHORIZED' });
  t.deepEqual(
    (await auditOf(person.id)).filter((kind) => /sign/.test(kind)),
    ['signed_in', 'signed_in', 'signed_out'],
  );
});

// specification: logout-204-whatever-was
test.serial(
  'logout 204: again, without a cookie, with a made-up one, with an access token that has run out',
  async (t) => {
    const person = await world().account();
    const { refreshToken, token } = await signIn(world(), person);
    t.is((await world().call('POST', '/auth/logout')).status, 204);
    t.is((await logOut(world(), 'x')).status, 204);
    world().pass(16 * 60_000);
    isError(t, await me(token), { status: 401, code: 'UNAUTHORIZED' });
    const ended = await world().call('POST', '/auth/logout', {
      token,
      headers: { cookie: `refresh_token=${refreshToken}` },
    });
    t.is(ended.status, 204);
    isError(t, await refresh(world(), refreshToken), { status: 401, code: 'UNAUTHORIZED' });
    t.is((await logOut(world(), refreshToken)).status, 204);
  },
);

test.serial('logout 204: an older token of the session ends it as well', async (t) => {
  const { refreshToken } = await signIn(world(), await world().account());
  const renewed = await refresh(world(), refreshToken);
  await logOut(world(), refreshToken);
  isError(t, await refresh(world(), refreshTokenOf(renewed)), { status: 401, code: 'UNAUTHORIZED' });
});

// specification: another-origin-403-origin
test.serial('a page of another origin can neither renew nor end a session', async (t) => {
  const { refreshToken } = await signIn(world(), await world().account());
  for (const origin of [
    'https://evil.example',
    'null',
    'http://api.test.evil.example',
    'https://api.test',
    'http://api.test:81',
    '',
  ]) {
    const refused = { status: 403, code: 'ORIGIN_FORBIDDEN' };
    const replies = [await refresh(world(), refreshToken, { origin }), await logOut(world(), refreshToken, { origin })];
    for (const reply of replies) {
      isError(t, reply, refused);
      t.deepEqual(reply.headers.getSetCookie(), []);
    }
  }
  t.is((await refresh(world(), refreshToken, { origin: 'http://api.test' })).status, 200);
});

// specification: another-origin-403-origin
test.serial('no answer allows pages of other origins to read it', async (t) => {
  const { refreshToken } = await signIn(world(), await world().account());
  const reply = await refresh(world(), refreshToken);
  t.is(reply.headers.get('access-control-allow-origin'), null);
  t.is(reply.headers.get('access-control-allow-credentials'), null);
});

// specification: 7-days-from-the
test.serial('a session that nobody renews for 7 days is over, one that is renewed lives 30 days', async (t) => {
  const person = await world().account();
  const left = await signIn(world(), person);
  let { refreshToken } = await signIn(world(), person);
  for (const daysPassed of [6, 12, 18, 24]) {
    world().pass(6 * dayMs);
    const reply = await refresh(world(), refreshToken);
    t.is(reply.status, 200, `after ${daysPassed} days`);
    refreshToken = refreshTokenOf(reply);
  }
  isError(t, await refresh(world(), left.refreshToken), { status: 401, code: 'UNAUTHORIZED' });
  world().pass(5 * dayMs);
  const last = await refresh(world(), refreshToken);
  const maxAge = Number(cookiesOf(last)['refresh_token']?.attributes['max-age']);
  t.true(maxAge > 0 && maxAge <= 86_400, String(maxAge));
  world().pass(dayMs);
  isError(t, await refresh(world(), refreshTokenOf(last)), { status: 401, code: 'UNAUTHORIZED' });
  isError(t, await me(last.body.accessToken), { status: 401, code: 'UNAUTHORIZED' });
});

test.serial(
  'cookies that somebody has put beside the own one change nothing, unless they open a session, too',
  async (t) => {
    const own = await signIn(world(), await world().account());
    const ended = await signIn(world(), await world().account());
    await logOut(world(), ended.refreshToken);
    const tossed = ['x', ended.refreshToken, 'a'.repeat(43), 'b', 'c', 'd'].join('; refresh_token=');
    const reply = await refresh(world(), `${tossed}; refresh_token=${own.refreshToken}`);
    t.is(reply.status, 200);
    const next = refreshTokenOf(reply);
    const other = await signIn(world(), await world().account());
    const both = `${other.refreshToken}; refresh_token=${next}`;
    isError(t, await refresh(world(), both), { status: 401, code: 'UNAUTHORIZED' });
    t.is((await refresh(world(), next)).status, 200, 'nothing was ended');
  },
);

test.serial('logout 204: ends the session whose cookie stands behind six others', async (t) => {
  const { refreshToken, token } = await signIn(world(), await world().account());
  await logOut(world(), ['x', 'x', 'x', 'x', 'x', 'x', refreshToken].join('; refresh_token='));
  isError(t, await me(token), { status: 401, code: 'UNAUTHORIZED' });
});

test.serial(
  'a page under another name of this very service may renew: the browser says that it is the same origin',
  async (t) => {
    const { refreshToken } = await signIn(world(), await world().account());
    const origin = 'http://localhost:3000';
    for (const site of ['same-site', 'cross-site', 'none'])
      isError(t, await refresh(world(), refreshToken, { origin, 'sec-fetch-site': site }), {
        status: 403,
        code: 'ORIGIN_FORBIDDEN',
      });
    t.is((await refresh(world(), refreshToken, { origin, 'sec-fetch-site': 'same-origin' })).status, 200);
  },
);

test.serial(
  'a refused login leaves a line with the account, when there is one, and neither email nor address',
  async (t) => {
    const { id, email } = await world().account();
    for (const who of [email, `no-${email}`])
      await world().call('POST', '/auth/login', { body: { email: who, password: 'wrong horse' } });
    const lines = world()
      .logLines.filter(({ msg }) => msg === 'sign_in.refused')
      .slice(-2);
    t.deepEqual(
      lines.map(({ accountId }) => accountId),
      [id, null],
    );
    t.regex(String(lines[0]?.['addressFingerprint']), /^[0-9a-f]{16}$/);
    t.notRegex(JSON.stringify(lines), new RegExp(`127\\.0\\.0\\.1|${email}|wrong horse`));
  },
);
