import test, { type ExecutionContext } from 'ava';
import { createMarketplaceLogin } from '../../gateways/marketplace/marketplace-login.ts';
import { LoginRefused } from '../../gateways/marketplace/port.ts';
import { bodyOf, startHttp } from './support/local-server.ts';

async function setUp(t: ExecutionContext, answer: { status: number; body: string }) {
  const seen: unknown[] = [];
  const server = await startHttp((request, response) => {
    const { method, url, headers } = request;
    const answered = async (): Promise<void> => {
      const bytes = await bodyOf(request);
      seen.push({
        method,
        url,
        appKey: headers['x-app-key'],
        user: headers['x-user-id'],
        body: JSON.parse(String(bytes)),
      });
      response.writeHead(answer.status).end(answer.body);
    };
    answered().catch(() => response.destroy());
  });
  const login = createMarketplaceLogin({
    access: { url: server.url, appId: '12', appKey: 'app-key' },
    publicKey: 'public key',
    requestTimeoutMs: 5_000,
  });
  t.teardown(async () => {
    await login.close();
    await server.close();
  });
  return { login, seen, server };
}

const secret = 's'.repeat(36);

test("the page's address has the public key, the one-time secret and what comes back", async (t) => {
  const { login, server } = await setUp(t, { status: 200, body: '{}' });
  const url = new URL(login.pageUrl(secret, { login: 'abc', next: 'x&y' }));
  t.is(url.origin + url.pathname, `${server.url}/token-login`);
  t.deepEqual(Object.fromEntries(url.searchParams), {
    appId: '12',
    pkey: 'public key',
    skey: secret,
    ruparams: 'login=abc&next=x%26y',
  });
  t.false(new URL(login.pageUrl(secret, {})).searchParams.has('ruparams'));
});

test('the token is fetched with the secret, by the application alone, with its expiry', async (t) => {
  const answer = { authToken: 'a-token', hardExpirationTime: '2027-05-01T12:00:00' };
  const { login, seen } = await setUp(t, { status: 200, body: JSON.stringify(answer) });
  const { token, expiresAt } = await login.fetchToken('410001', secret);
  t.is(token, 'a-token');
  t.deepEqual(expiresAt, new Date('2027-05-01T10:00:00Z'));
  const body = { userId: 410_001, secretKey: secret };
  t.deepEqual(seen, [{ method: 'POST', url: '/v4/auth/token', appKey: 'app-key', user: undefined, body }]);
});

test('a token without an expiry is one all the same', async (t) => {
  const { login } = await setUp(t, { status: 200, body: '{"authToken":"a-token","hardExpirationTime":null}' });
  t.is((await login.fetchToken('410001', secret)).expiresAt, null);
});

test('a user who has not consented is told from a marketplace that cannot be asked', async (t) => {
  const cases: [{ status: number; body: string }, boolean][] = [
    [{ status: 400, body: '{}' }, true],
    [{ status: 404, body: '' }, true],
    [{ status: 503, body: '' }, false],
    [{ status: 200, body: '{"token":"a-secret"}' }, false],
    [{ status: 200, body: '<html>a-secret' }, false],
  ];
  for (const [answer, isUnknownUser] of cases) {
    const { login } = await setUp(t, answer);
    const error = await t.throwsAsync(login.fetchToken('410001', secret), { instanceOf: LoginRefused });
    t.is(error.isUnknownUser, isUnknownUser, answer.body);
    t.notRegex(`${error.message} ${error.stack ?? ''}`, /a-secret/);
  }
  const { login, server } = await setUp(t, { status: 200, body: '' });
  await server.close();
  await t.throwsAsync(login.fetchToken('410001', secret), { instanceOf: LoginRefused, message: /out of reach/ });
});
