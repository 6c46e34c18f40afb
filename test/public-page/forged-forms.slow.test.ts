import test from 'ava';
import { formLifetimeSeconds } from '../../platform/security/page-tokens.ts';
import { startApiWorld, withApiWorld, type TestAccount } from '../support/api-world.ts';
import { aVisitor, formOf, publicOrigin, wordsOf } from './support/a-visitor.ts';

const world = withApiWorld(test);

const isMember = async ({ token }: Pick<TestAccount, 'token'>) =>
  (await world().call('GET', '/business/my-deal', { token })).body.kind === 'sub_account';

async function signedIn() {
  const [reseller, member] = [await world().reseller(), await world().account()];
  const visitor = aVisitor(world());
  const token = await visitor.logIn(member);
  return { reseller, member, visitor, token, page: await visitor.open(`/p/${reseller.slug}`) };
}

// specification: get-never-joins
test('GET and HEAD never join, whatever they carry', async (t) => {
  const { reseller, member, visitor, page } = await signedIn();
  const { action, hidden } = formOf(page, 'join');
  const query = new URLSearchParams(hidden).toString();
  for (const path of [`${action}?${query}`, `/p/${reseller.slug}?${query}&done=joined`]) {
    const got = await visitor.open(path, { origin: publicOrigin });
    t.true([200, 303].includes(got.status), path);
    await fetch(world().url + path, { method: 'HEAD', headers: { cookie: cookieOf(visitor) } });
  }
  const led = await visitor.open(action);
  t.deepEqual([led.status, led.headers.get('location')], [303, `/p/${reseller.slug}`]);
  t.false(await isMember(member));
});

const foreign: readonly Readonly<Record<string, string>>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'null', 'sec-fetch-site': 'same-origin' },
  { origin: `${publicOrigin}.evil.example` },
  { origin: publicOrigin.toUpperCase() },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
  { referer: 'https://evil.example/p/x' },
  { referer: 'nonsense' },
  {},
];

for (const headers of foreign)
  // specification: csrf-token-bound-to
  test(`403: a form that came from elsewhere does nothing, as ${JSON.stringify(headers)} says`, async (t) => {
    const { reseller, member, visitor, token, page } = await signedIn();
    const hasJoined = await world().memberOf(reseller);
    const leaver = aVisitor(world());
    const leaversToken = await leaver.logIn(hasJoined);
    const leavers = await leaver.open(`/p/${reseller.slug}`);
    for (const [sender, shown, form] of [
      [visitor, page, 'join'],
      [visitor, page, 'sign-out'],
      [leaver, leavers, 'leave'],
      [leaver, leavers, 'sign-out'],
    ] as const) {
      const answer = await sender.send(shown, form, { headers });
      t.is(answer.status, 403, form);
      t.is(answer.headers.get('content-type'), 'text/html; charset=utf-8');
      t.false(answer.text.includes('form_token'));
      t.deepEqual(answer.headers.getSetCookie(), []);
    }
    t.false(await isMember(member));
    t.true(await isMember(hasJoined));
    // Of the sessions of these very browsers.
    for (const own of [token, leaversToken]) t.is((await world().call('GET', '/auth/me', { token: own })).status, 200);
  });

const own: readonly Readonly<Record<string, string>>[] = [
  { origin: publicOrigin },
  { origin: publicOrigin, 'sec-fetch-site': 'same-origin' },
  { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'same-origin' },
  { referer: `${publicOrigin}/p/x` },
];

for (const headers of own)
  test(`a form of our own page is taken, as ${JSON.stringify(headers)} says`, async (t) => {
    const { member, visitor, page } = await signedIn();
    t.is((await visitor.send(page, 'join', { headers })).status, 303);
    t.true(await isMember(member));
  });

// specification: csrf-token-bound-to
test('403: a form without token, with a made-up one, of another session, of a browser without one, and one of yesterday', async (t) => {
  const moved = await startApiWorld();
  try {
    const [reseller, member, other] = [await moved.reseller(), await moved.account(), await moved.account()];
    const [visitor, stranger, anonymous] = [aVisitor(moved), aVisitor(moved), aVisitor(moved)];
    const path = `/p/${reseller.slug}`;
    await visitor.logIn(member);
    await stranger.logIn(other);
    const yesterday = formOf(await visitor.open(path), 'join').hidden['form_token'] ?? '';
    moved.pass((formLifetimeSeconds + 1) * 1_000);
    const tokens = [
      '',
      'made.up.one',
      visitor.cookies.get('session')?.value ?? '?',
      formOf(await stranger.open(path), 'join').hidden['form_token'] ?? '?',
      formOf(await anonymous.open(path), 'sign-in').hidden['form_token'] ?? '?',
      yesterday,
    ];
    for (const [n, token] of tokens.entries()) {
      const refused = await visitor.post(`${path}/join`, token === '' ? {} : { form_token: token });
      t.is(refused.status, 403, `token ${String(n)}`);
      t.true(wordsOf(refused).includes('Ingenting har ändrats'));
      // The page that says so has a form that works.
      formOf(refused, 'join');
    }
    const { token } = await moved
      .call('POST', '/auth/login', { body: member })
      .then(({ body }) => ({ token: body.accessToken }));
    t.is((await moved.call('GET', '/business/my-deal', { token })).body.kind, 'consumer_default');
    t.is((await visitor.send(await visitor.open(path), 'join')).status, 303);
  } finally {
    await moved.close();
  }
});

// specification: csrf-token-bound-to
test('403: signing in and up without the cookie that the form belongs to; the next try works', async (t) => {
  const [reseller, member] = [await world().reseller(), await world().account()];
  const visitor = aVisitor(world());
  const page = await visitor.open(`/p/${reseller.slug}`);
  const fields = { email: member.email, password: member.password };
  visitor.cookies.delete('visitor');
  const refused = await visitor.send(page, 'sign-in', { fields });
  t.is(refused.status, 403);
  t.false(visitor.cookies.has('session'));
  t.is((await visitor.send(refused, 'sign-in', { fields })).status, 303);
  const victim = aVisitor(world());
  await victim.open(`/p/${reseller.slug}`);
  const theirs = await victim.send(page, 'sign-up', { fields: { ...fields, name: 'Angripare' } });
  t.is(theirs.status, 403);
});

test('401: a session that has ended while the page was open; the page asks to sign in', async (t) => {
  const { member, visitor, page } = await signedIn();
  await world().call('POST', '/auth/logout', {
    headers: { cookie: `refresh_token=${visitor.cookies.get('refresh_token')?.value ?? ''}` },
  });
  const refused = await visitor.send(page, 'join');
  t.is(refused.status, 401);
  formOf(refused, 'sign-in');
  t.false(await isMember(member));
});

// specification: the-cookie-has-no
test('a session that ends while joining is under way joins nothing, and the page asks to sign in', async (t) => {
  let end = async (): Promise<unknown> => undefined;
  const racing = await startApiWorld({
    replace: ({ confirmCredential }) => ({
      confirmCredential: async (scope) => {
        await end();
        return confirmCredential(scope);
      },
    }),
  });
  try {
    const [reseller, member] = [await racing.reseller(), await racing.account()];
    const visitor = aVisitor(racing);
    await visitor.logIn(member);
    const cookie = `refresh_token=${visitor.cookies.get('refresh_token')?.value ?? ''}`;
    const page = await visitor.open(`/p/${reseller.slug}`);
    end = () => racing.call('POST', '/auth/logout', { headers: { cookie } });
    const refused = await visitor.send(page, 'join');
    t.is(refused.status, 401);
    formOf(refused, 'sign-in');
    const connections = await racing.call('GET', '/business/my-profile/connections', { token: reseller.token });
    t.deepEqual(connections.body.connections, []);
  } finally {
    await racing.close();
  }
});

test('415, 413 and 400: only a small form with its own fields, each once, is read', async (t) => {
  const { member, reseller, visitor, page } = await signedIn();
  const { action, hidden } = formOf(page, 'join');
  const token = new URLSearchParams(hidden).toString();
  const type = 'application/x-www-form-urlencoded';
  const send = async (body: string, headers: Record<string, string>) => {
    const response = await fetch(world().url + action, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: publicOrigin, cookie: cookieOf(visitor), ...headers },
      body,
    });
    t.is(response.headers.get('content-type'), 'text/html; charset=utf-8');
    await response.text();
    return response.status;
  };
  t.is(await send(JSON.stringify(hidden), { 'content-type': 'application/json' }), 415);
  t.is(await send(token, { 'content-type': 'multipart/form-data; boundary=x' }), 415);
  t.is(await send(token, { 'content-type': 'text/plain' }), 415);
  t.is(await send(token, { 'content-type': type, 'content-encoding': 'gzip' }), 415);
  t.is(await send(`${token}&x=${'x'.repeat(9_000)}`, { 'content-type': type }), 413);
  t.is(await send(`${token}&slug=${reseller.slug}`, { 'content-type': type }), 400);
  t.is(await send(`${token}&${token}`, { 'content-type': type }), 400);
  t.is(await send('reseller=%ff', { 'content-type': type }), 400);
  t.is(await send(`${token}&__proto__=x`, { 'content-type': type }), 400);
  t.false(await isMember(member));
});

test('redirects stay on the page, whatever slug or language is asked for', async (t) => {
  const visitor = aVisitor(world());
  for (const slug of ['%2F%2Fevil.example', '%5C%5Cevil.example', 'https:%2F%2Fevil.example', '..%2F..']) {
    const led = await visitor.open(`/p/${slug}/join?lang=//evil.example`);
    t.is(led.status, 303);
    t.regex(led.headers.get('location') ?? '', /^\/p\/[^/\\]+$/);
  }
});

const cookieOf = ({ cookies }: ReturnType<typeof aVisitor>): string =>
  [...cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
