import test from 'ava';
import { isError, withApiWorld, type TestAccount } from '../support/api-world.ts';
import { ok } from '../support/audit-steps.ts';
import { few, limitOf, limitsOn } from '../support/with-limits.ts';

// Bulk syncs by session: of the account that has sent them, whomever it acted for.

const world = withApiWorld(test);
const path = '/integration/v1/bulk-syncs';
const lines = [{ externalId: 'a', title: 'Dörr', price: 100, imageUrls: [] }, { externalId: 'b' }];

const send = async ({ apiKey }: TestAccount, headers: Record<string, string> = {}): Promise<string> => {
  const raw = lines.map((line) => JSON.stringify(line)).join('\n');
  const options = { apiKey, raw, headers: { 'content-type': 'application/x-ndjson', ...headers } };
  return (await ok(world().call('POST', path, options))).body.id;
};
const call = ({ token }: TestAccount, method: string, rest: string) =>
  world().call(method, `/partner/bulk-syncs${rest}`, { token });

// specification: get-partner-bulk-syncs
test('GET errors and DELETE do by session what they do by key', async (t) => {
  const account = await world().account();
  const id = await send(account);
  const byKey = await ok(world().call('GET', `${path}/${id}/errors`, { apiKey: account.apiKey }));
  t.is((await ok(call(account, 'GET', `/${id}/errors`))).text, byKey.text);
  t.like(await ok(call(account, 'DELETE', `/${id}`)), { status: 202, body: { id, state: 'cancelling' } });
  t.is((await ok(call(account, 'GET', `/${id}`))).body.state, 'cancelling');
});

// specification: calls-cost-what
test('GET errors costs a point for each 50 lines, as pages of a list do', async (t) => {
  const account = await world().account();
  const raw = Array.from({ length: 450 }, (_, n) => JSON.stringify({ externalId: `x${n}` })).join('\n');
  const options = { apiKey: account.apiKey, raw, headers: { 'content-type': 'application/x-ndjson' } };
  const { id } = (await ok(world().call('POST', path, options))).body;
  await limitsOn(world)({ account: few(100) }, async (limited) => {
    const { token } = account;
    const { text } = await ok(limited.call('GET', `/partner/bulk-syncs/${id}/errors`, { token }));
    t.is(text.trim().split('\n').length, 450);
    t.regex(limitOf(await limited.call('GET', '/auth/me', { token })) ?? '', /r=89;/);
  });
});

test('GET errors and DELETE 404 for another account’s, 400 for a parameter, 401 for a key', async (t) => {
  const [account, other] = [await world().account(), await world().account()];
  const id = await send(account);
  for (const [method, rest] of [
    ['GET', `/${id}/errors`],
    ['DELETE', `/${id}`],
  ] as const) {
    isError(t, await call(other, method, rest), { status: 404, code: 'NOT_FOUND' });
    isError(t, await call(account, method, `${rest}?memberId=x`), { status: 400, code: 'BAD_REQUEST' });
    const { apiKey } = account;
    isError(t, await world().call(method, `/partner/bulk-syncs${rest}`, { apiKey }), {
      status: 401,
      code: 'UNAUTHORIZED',
    });
  }
  t.is((await ok(call(account, 'GET', `/${id}`))).body.state, 'running');
});

const post = ({ token }: TestAccount, query = '') => {
  const raw = lines.map((line) => JSON.stringify(line)).join('\n');
  return world().call('POST', `/partner/bulk-syncs${query}`, {
    token,
    raw,
    headers: { 'content-type': 'application/x-ndjson' },
  });
};

// specification: post-partner-bulk-syncs
test('POST by session takes a file as POST by key does, and checks it without effect', async (t) => {
  const account = await world().account();
  const check = await ok(post(account, '?validateOnly=true'));
  t.like(check, { status: 200, body: { total: 2, failed: 1 } });
  t.deepEqual((await ok(call(account, 'GET', ''))).body.bulkSyncs, []);
  const accepted = await ok(post(account));
  t.is(accepted.status, 202);
  t.is(accepted.headers.get('location'), `/partner/bulk-syncs/${accepted.body.id}`);
  t.like((await ok(call(account, 'GET', `/${accepted.body.id}`))).body, { state: 'running', total: 2, failed: 1 });
});

// specification: post-partner-bulk-syncs
test('POST with member is for that member; 404 for anybody else', async (t) => {
  const reseller = await world().reseller();
  const [member, stranger] = [await world().memberOf(reseller), await world().account()];
  const { id } = (await ok(post(reseller, `?member=${member.id}`))).body;
  t.is((await ok(call(reseller, 'GET', `/${id}?member=${member.id}`))).body.id, id);
  isError(t, await post(reseller, `?member=${stranger.id}`), { status: 404, code: 'NOT_FOUND' });
  isError(t, await post(stranger, `?member=${member.id}`), { status: 404, code: 'NOT_FOUND' });
});

// specification: get-partner-bulk-syncs
test('GET with member lists those that the reseller has sent for it, without one all; never the member’s own', async (t) => {
  const reseller = await world().reseller();
  const [one, other] = [await world().memberOf(reseller), await world().memberOf(reseller)];
  const forOne = await send(reseller, { 'x-partner-account': one.reference });
  const own = await send(reseller);
  await send(one);
  const ids = async (rest: string) =>
    (await ok(call(reseller, 'GET', rest))).body.bulkSyncs.map(({ id }: { id: string }) => id);
  t.deepEqual(await ids(''), [own, forOne]);
  t.deepEqual(await ids(`?member=${one.id}`), [forOne]);
  t.deepEqual(await ids(`?member=${other.id}`), []);
  isError(t, await call(one, 'GET', `?member=${reseller.id}`), { status: 404, code: 'NOT_FOUND' });
});

for (const [method, rest] of [
  ['GET', ''],
  ['GET', '/errors'],
  ['DELETE', ''],
] as const)
  test(`${method} /{id}${rest} with member answers for what was sent for that one, else 404 and nothing is cancelled`, async (t) => {
    const reseller = await world().reseller();
    const [one, other] = [await world().memberOf(reseller), await world().memberOf(reseller)];
    const forOne = await send(reseller, { 'x-partner-account': one.reference });
    const forOther = await send(reseller, { 'x-partner-account': other.reference });
    const [own, byMember] = [await send(reseller), await send(one)];
    for (const id of [forOther, own, byMember])
      isError(t, await call(reseller, method, `/${id}${rest}?member=${one.id}`), { status: 404, code: 'NOT_FOUND' });
    isError(t, await call(one, method, `/${forOne}${rest}?member=${reseller.id}`), { status: 404, code: 'NOT_FOUND' });
    for (const id of [forOther, own]) t.is((await ok(call(reseller, 'GET', `/${id}`))).body.state, 'running');
    t.is((await ok(call(one, 'GET', `/${byMember}`))).body.state, 'running');
    t.is((await call(reseller, method, `/${forOne}${rest}?member=${one.id}`)).status, method === 'GET' ? 200 : 202);
    // A key reads what its account has sent, whomever it acts for.
    const headers = { 'x-partner-account': one.reference };
    await ok(world().call('GET', `${path}/${forOther}`, { apiKey: reseller.apiKey, headers }));
  });
