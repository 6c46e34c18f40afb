import test from 'ava';
import { request } from 'undici';
import { defaultApplication } from '../../../simulators/marketplace/default-application.ts';
import { call } from '../support/call.ts';
import { aListing, errorCode, sellerOf, type TestSeller } from '../support/seller.ts';
import { present } from '../../support/clock.ts';

const path = '/v4/listings/seller-items';
const secretKey = 'k'.repeat(36);

test('a wrong application, an unknown token and an expired token are refused', async (t) => {
  const { wire, useHeaders, admin, reconnect, application } = await sellerOf(t);
  useHeaders({ 'x-app-key': 'wrong' });
  t.is((await wire('GET', '/v4/reference-data/time')).status, 401);
  useHeaders({ ...application, 'x-user-token': 'wrong' });
  t.is(errorCode(await wire('GET', path)), 'Unauthorized');
  t.is((await wire('GET', '/v4/reference-data/time')).status, 200, 'the application is known');
  await reconnect();
  t.is((await wire('GET', path)).status, 200);
  t.is((await admin('POST', '/users/77/expire-token')).status, 204);
  t.is((await wire('GET', '/v4/users/me')).status, 401);
  await reconnect();
  t.is((await wire('GET', '/v4/users/me')).status, 200);
});

test('a token lives as long as the setting says', async (t) => {
  const { wire, advance } = await sellerOf(t, { tokenLifeDays: 2 });
  await advance(2 * 24 * 3600 - 60);
  t.is((await wire('GET', path)).status, 200);
  await advance(60);
  t.is((await wire('GET', path)).status, 401);
});

const loginOf = ({ simulator }: TestSeller, parameters: Record<string, string> = {}): string => {
  const keys = { appId: defaultApplication.appId, pkey: defaultApplication.publicKey, skey: secretKey };
  return `${simulator.url}/token-login?${new URLSearchParams({ ...keys, ...parameters }).toString()}`;
};

const consent = async (url: string, answer = 'accept') => {
  const body = new URLSearchParams({ userId: '99', answer }).toString();
  return request(url, { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
};

test('a secret key of the login page buys a token once', async (t) => {
  const seller = await sellerOf(t);
  const page = await call('GET', loginOf(seller));
  t.is(page.status, 200);
  t.regex(page.text, /<form method="post">/);
  const trade = () => seller.wire('POST', '/v4/auth/token', { userId: 99, secretKey });
  t.is((await trade()).status, 400, 'nobody has consented');
  t.is((await consent(loginOf(seller))).statusCode, 200);
  const { authToken, hardExpirationTime } = (await trade()).json<{ authToken: string; hardExpirationTime: string }>();
  t.regex(authToken, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  t.true(Date.parse(hardExpirationTime) > present().getTime());
  seller.useHeaders({ 'x-user-id': '99', 'x-user-token': authToken });
  t.like(await seller.read('/v4/users/me'), { id: 99, currencyCode: 'SEK' });
  t.is((await trade()).status, 400);
});

test('the browser returns to the registered address, with token and ruparams when they are shown', async (t) => {
  const settings = { acceptUrl: 'https://shop.example/yes?a=1', rejectUrl: 'https://shop.example/no' };
  const seller = await sellerOf(t, { consent: { ...settings, displayToken: true } });
  const url = loginOf(seller, { ruparams: 'state=7' });
  const accepted = new URL(String((await consent(url)).headers['location']));
  t.is(accepted.searchParams.get('userId'), '99');
  t.is(accepted.searchParams.get('a'), '1');
  t.is(accepted.searchParams.get('ruparams'), 'state=7');
  t.true(Date.parse(accepted.searchParams.get('exp') ?? '') > present().getTime());
  seller.useHeaders({ 'x-user-id': '99', 'x-user-token': accepted.searchParams.get('token') ?? '' });
  t.is((await seller.wire('GET', path)).status, 200);
  t.is(String((await consent(url, 'reject')).headers['location']), 'https://shop.example/no?ruparams=state%3D7');
});

test('a user id in the address of the login page consents at once', async (t) => {
  const seller = await sellerOf(t, { consent: { acceptUrl: 'https://shop.example/yes' } });
  const answer = await request(loginOf(seller, { userId: '99' }));
  t.is(String(answer.headers['location']), 'https://shop.example/yes?userId=99');
  t.is((await seller.wire('POST', '/v4/auth/token', { userId: 99, secretKey })).status, 200);
});

for (const [what, parameters, status] of [
  ['another application', { appId: '1' }, 401],
  ['another public key', { pkey: 'x' }, 401],
  ['a secret key of 31 characters', { skey: 'k'.repeat(31) }, 400],
] as const)
  test(`the login page refuses ${what}`, async (t) => {
    const seller = await sellerOf(t);
    t.is((await call('GET', loginOf(seller, parameters))).status, status);
  });

test('a user with a name has a number of its own, and is found by either', async (t) => {
  const { admin, actAs, read, live, listings } = await sellerOf(t);
  const user = (await admin('POST', '/users', { userId: 'Nora.B' })).json();
  t.is(user['userId'], 'Nora.B');
  t.deepEqual(Object.keys(user), ['userId', 'token']);
  await actAs('Nora.B');
  const { id } = await read<{ id: number }>('/v4/users/me');
  t.true(Number.isInteger(id));
  const { itemId } = await live();
  t.like((await listings('?userId=Nora.B'))[0], { itemId, userId: 'Nora.B' });
  t.is((await read<unknown[]>(`/v4/items/seller/${id}/quick-info`)).length, 1);
});

test('the budget of calls counts per method, or all together, and is free again after midnight', async (t) => {
  const { wire, admin, advance } = await sellerOf(t);
  const read = () => wire('GET', path);
  t.deepEqual((await admin('POST', '/budget', { callsPerDay: 2 })).json(), { callsPerDay: 2, per: 'method' });
  t.deepEqual([(await read()).status, (await read()).status], [200, 200]);
  const refused = await read();
  t.is(refused.status, 429);
  t.is(errorCode(refused), 'TooManyRequests');
  const waitSeconds = Number(refused.headers['retry-after']);
  t.true(waitSeconds > 0 && waitSeconds <= 24 * 3600);
  t.is((await wire('POST', '/v4/listings/items', aListing())).status, 200, 'another method has its own');
  await advance(waitSeconds + 1);
  t.is((await read()).status, 200);
  await admin('POST', '/budget', { callsPerDay: 1, per: 'all' });
  t.is((await read()).status, 200);
  t.is((await wire('POST', '/v4/listings/items', aListing())).status, 429);
  await admin('POST', '/budget', { callsPerDay: null });
  t.is((await read()).status, 200);
});

test('a limit of calls may be a setting', async (t) => {
  const { wire } = await sellerOf(t, { callLimit: { callsPerDay: 1, per: 'all' } });
  t.deepEqual([(await wire('GET', path)).status, (await wire('GET', path)).status], [200, 429]);
});
