import test from 'ava';
import { routes } from '../../api/routes.ts';
import { cookiesOf, logOut, refresh, refreshTokenOf, signIn } from '../support/a-browser.ts';
import { callApi, startApiWorld, withApiWorld, type Reply } from '../support/api-world.ts';
import { aVisitor, formsOf, wordsOf } from './support/a-visitor.ts';

const world = withApiWorld(test);
const pageTokenOf = (reply: Pick<Reply, 'headers'>): string => cookiesOf(reply)['session']?.value ?? '';

/** Whether the page knows somebody by these cookies. */
async function isKnown(slug: string, cookie: string, url = world().url): Promise<boolean> {
  const page = await aVisitor({ url }).open(`/p/${slug}`, { cookie });
  return formsOf(page).some(({ action }) => action.endsWith('/sign-out'));
}

// specification: session-cookie-httponly-secure
test('login, register and refresh set it for /p alone, HttpOnly and SameSite=Lax; logout removes it', async (t) => {
  const { email, password } = await world().account();
  const login = await world().call('POST', '/auth/login', { body: { email, password } });
  const renewed = await refresh(world(), refreshTokenOf(login));
  const body = { email: `x${email}`, password, name: 'A' };
  const registered = await world().call('POST', '/auth/register', { body });
  for (const reply of [login, renewed, registered]) {
    const { session } = cookiesOf(reply);
    const { 'max-age': maxAge = '', ...attributes } = session?.attributes ?? {};
    t.deepEqual(attributes, { path: '/p', httponly: '', samesite: 'Lax' });
    t.true(Number(maxAge) > 604_700 && Number(maxAge) <= 604_800, maxAge);
    t.false(reply.text.includes(session?.value ?? '?'));
  }
  const out = await logOut(world(), refreshTokenOf(renewed));
  t.like(cookiesOf(out)['session'], { value: '', attributes: { path: '/p', 'max-age': '0' } });
});

// specification: session-cookie-httponly-secure
test('over https it is Secure and of this host alone', async (t) => {
  const secure = await startApiWorld({ publicUrl: 'https://sälj.example' });
  try {
    const [reseller, { email, password }] = [await secure.reseller(), await secure.account()];
    const login = await secure.call('POST', '/auth/login', { body: { email, password } });
    const page = await aVisitor(secure).open(`/p/${reseller.slug}`);
    const session = cookiesOf(login)['__Host-session'];
    t.like(session?.attributes, { secure: '', path: '/' });
    t.like(cookiesOf(page)['__Host-visitor']?.attributes, { secure: '', path: '/' });
    const known = (name: string) => isKnown(reseller.slug, `${name}=${session?.value ?? ''}`, secure.url);
    t.true(await known('__Host-session'));
    t.false(await known('session'), 'a neighbouring subdomain can set this one');
  } finally {
    await secure.close();
  }
});

// specification: the-cookie-has-no
test('it has no rights on any route of the interface, as a cookie, as a token or as a key', async (t) => {
  const { email, password } = await world().account();
  const session = pageTokenOf(await world().call('POST', '/auth/login', { body: { email, password } }));
  const closed = routes.filter(({ credential }) => credential !== 'none');
  t.true(closed.length > 30);
  for (const { method, path } of closed) {
    const target = path.replaceAll(/\{\w+\}/g, '7b0a3b5e-6c1f-4a52-9d57-0f4c0c9a2f11');
    const attempts = [
      { headers: { cookie: `session=${session}` } },
      { headers: { cookie: `session=${session}`, origin: 'http://api.test', 'sec-fetch-site': 'same-origin' } },
      { token: session },
      { apiKey: session },
    ];
    for (const attempt of attempts) {
      const reply = await callApi(world().url, { method: method.toUpperCase(), path: target, ...attempt });
      t.is(reply.status, 401, `${method} ${path}`);
    }
  }
});

test('nor do access token, refresh token or API key open the page', async (t) => {
  const reseller = await world().reseller();
  const { apiKey, email, password } = await world().account();
  const { token, refreshToken, device } = await signIn(world(), { email, password });
  for (const value of [token, refreshToken, apiKey, device, '', 'x', 'a.b.c'])
    t.false(await isKnown(reseller.slug, `session=${value}`));
  const headers = { authorization: `Bearer ${token}`, 'x-api-key': apiKey };
  t.true(wordsOf(await aVisitor(world()).open(`/p/${reseller.slug}`, headers)).includes('Skapa konto och gå med'));
});

// specification: the-cookie-has-no
test('it ends with the session: by logout, by a copied refresh token, and after seven days', async (t) => {
  const moved = await startApiWorld();
  try {
    const [reseller, member] = [await moved.reseller(), await moved.account()];
    const open = async () =>
      moved.call('POST', '/auth/login', { body: { email: member.email, password: member.password } });
    const known = (reply: Reply) => isKnown(reseller.slug, `session=${pageTokenOf(reply)}`, moved.url);
    const [left, copied, forgotten, kept] = [await open(), await open(), await open(), await open()];
    for (const reply of [left, copied, forgotten, kept]) t.true(await known(reply));
    await logOut(moved, refreshTokenOf(left));
    t.false(await known(left));
    await refresh(moved, refreshTokenOf(copied));
    moved.pass(60_000);
    t.is((await refresh(moved, refreshTokenOf(copied))).status, 401);
    t.false(await known(copied));
    moved.pass(6 * 86_400_000);
    t.true(await known(forgotten));
    const renewed = await refresh(moved, refreshTokenOf(kept));
    moved.pass(2 * 86_400_000);
    t.false(await known(forgotten));
    t.true(await known(renewed));
    t.true(await known(kept));
  } finally {
    await moved.close();
  }
});

test('cookies that somebody has put beside the own one change nothing, unless they open a session too', async (t) => {
  const [reseller, one, other] = [await world().reseller(), await world().account(), await world().account()];
  const tokenOf = async ({ email, password }: { email: string; password: string }) =>
    pageTokenOf(await world().call('POST', '/auth/login', { body: { email, password } }));
  const [own, foreign] = [await tokenOf(one), await tokenOf(other)];
  t.true(await isKnown(reseller.slug, `session=x; session=${own}; session=a.b.c; sessions=${foreign}`));
  t.true(await isKnown(reseller.slug, `session=${own}; session=${own}`));
  t.false(await isKnown(reseller.slug, `session=${foreign}; session=${own}`));
});

test('tokens are in no log line, and the page shows none that opens anything', async (t) => {
  const [reseller, member] = [await world().reseller(), await world().account()];
  const visitor = aVisitor(world());
  const anonymous = await visitor.open(`/p/${reseller.slug}`);
  const wrong = `hemlig-${member.id}`;
  const fields = { email: member.email, password: member.password };
  const refused = await visitor.send(anonymous, 'sign-in', { fields: { ...fields, password: wrong } });
  const signedIn = await visitor.send(anonymous, 'sign-in', { fields });
  const page = await visitor.follow(signedIn);
  await visitor.send(page, 'join');
  const kept = ['session', 'refresh_token', 'visitor', 'page_device'].map(
    (name) => visitor.cookies.get(name)?.value ?? '?',
  );
  const shown = formsOf(page)
    .concat(formsOf(anonymous))
    .map(({ hidden }) => hidden['form_token'] ?? '?');
  const log = JSON.stringify(world().logLines);
  for (const secret of [...kept, ...shown, member.password, wrong, member.email]) t.false(log.includes(secret));
  for (const secret of [...kept, member.password, wrong])
    for (const { text } of [anonymous, refused, page]) t.false(text.includes(secret));
  const asked = refused.headers.get('x-request-id');
  const line = world().logLines.find(({ requestId, msg }) => requestId === asked && msg === 'request.answered');
  t.like(line, { route: '/p/{slug}/sign-in', status: 401, code: 'UNAUTHORIZED' });
});
