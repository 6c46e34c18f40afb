import test from 'ava';
import { createMarketplaceLogin } from '../../gateways/marketplace/marketplace-login.ts';
import { defaultApplication } from '../../simulators/marketplace/default-application.ts';
import { startMarketplaceSimulator } from '../../simulators/marketplace/start-marketplace-simulator.ts';
import { isError, startApiWorld, type ApiWorld, type TestAccount } from '../support/api-world.ts';
import { present } from '../support/clock.ts';

const path = '/partner/marketplace-connection';
const acceptUrl = 'http://127.0.0.1:1/dashboard/connection';
let world: ApiWorld;
let plain: ApiWorld;

test.before(async () => {
  const market = await startMarketplaceSimulator({ consent: { acceptUrl } });
  const access = { url: market.url, appId: defaultApplication.appId, appKey: defaultApplication.appKey };
  const { publicKey } = defaultApplication;
  const login = createMarketplaceLogin({ access, publicKey, requestTimeoutMs: 5_000 });
  world = await startApiWorld({ replace: () => ({ login }) });
  plain = await startApiWorld({ beside: world });
  test.after.always(async () => {
    await plain.close();
    await world.close();
    await login.close();
    await market.close();
  });
});

const begin = async ({ token }: TestAccount): Promise<URL> =>
  new URL((await world.call('POST', `${path}/login`, { token })).body.url);

/** The seller consents on the page; returns what comes back with the browser. */
async function consent(page: URL, userId: string) {
  page.searchParams.set('userId', userId);
  const answer = await fetch(page, { redirect: 'manual' });
  const back = new URL(answer.headers.get('location') ?? '');
  const login = new URLSearchParams(back.searchParams.get('ruparams') ?? '').get('login') ?? '';
  return { address: back.origin + back.pathname, login, marketplaceUserId: back.searchParams.get('userId') ?? '' };
}

test('a login on the page of the marketplace connects the account, with the end of its token', async (t) => {
  const account = await world.account();
  const me = await world.call('GET', '/auth/me', { token: account.token });
  t.true(me.body.hasMarketplaceLogin);
  const { address, ...returned } = await consent(await begin(account), '4711');
  t.is(address, acceptUrl);
  const reply = await world.call('POST', `${path}/login/complete`, { token: account.token, body: returned });
  t.is(reply.status, 200);
  t.like(reply.body, { state: 'connected', marketplaceUserId: returned.marketplaceUserId });
  t.true(Date.parse(reply.body.expiresAt) > present().getTime());
  t.deepEqual((await world.call('GET', path, { token: account.token })).body, reply.body);
  const again = await world.call('POST', `${path}/login/complete`, { token: account.token, body: returned });
  isError(t, again, { status: 404, code: 'NOT_FOUND' });
});

test('a login is completed by the account that began it alone, within an hour', async (t) => {
  const account = await world.account();
  const { address: _address, ...returned } = await consent(await begin(account), '4712');
  const stranger = await world.account();
  const reply = await world.call('POST', `${path}/login/complete`, { token: stranger.token, body: returned });
  isError(t, reply, { status: 404, code: 'NOT_FOUND' });
  isError(t, await world.call('GET', path, { token: stranger.token }), { status: 404, code: 'NOT_FOUND' });
  const { store } = world;
  await store.connection
    .collection<{ _id: string }>('marketplace_logins')
    .updateOne({ _id: returned.login }, { $set: { expiresAt: present(-1) } });
  const late = await world.call('POST', `${path}/login/complete`, { token: account.token, body: returned });
  isError(t, late, { status: 404, code: 'NOT_FOUND' });
});

test('no secret of a login is in an answer, or in the database as it is', async (t) => {
  const account = await world.account();
  const secret = (await begin(account)).searchParams.get('skey') ?? '';
  t.true(secret.length >= 32);
  const rows = await world.store.connection.collection('marketplace_logins').find({ accountId: account.id }).toArray();
  t.is(rows.length, 1);
  t.false(JSON.stringify(rows).includes(secret));
});

test('without a public key there is no login: user id and token are sent instead', async (t) => {
  const { token } = await plain.account();
  t.false((await plain.call('GET', '/auth/me', { token })).body.hasMarketplaceLogin);
  isError(t, await plain.call('POST', `${path}/login`, { token }), { status: 409, code: 'CONFLICT' });
});
