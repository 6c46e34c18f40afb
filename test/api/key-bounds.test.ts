import test, { type ExecutionContext } from 'ava';
import { keyScopes } from '../../features/accounts/rules/api-key.ts';
import { routes } from '../../api/routes.ts';
import { takesKey } from '../../api/http/route.ts';
import { accountId } from '../../features/rules/ids.ts';
import { confirmCredential } from '../../features/accounts/authenticate-session.ts';
import { confirmSender } from '../../features/bulk-syncs/confirm-sender.ts';
import { generousLimits, isError, startApiWorld, withApiWorld, type CallOptions } from '../support/api-world.ts';
import { awaitMajority } from '../support/open-test-store.ts';
import { few } from '../support/with-limits.ts';

const world = withApiWorld(test, { trustedProxies: ['loopback'] });
const dayMs = 86_400_000;
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const list = (options: CallOptions) => world().call('GET', '/integration/v1/items', options);
const generate = (token: string, body: object) =>
  world().call('POST', '/integration/api-keys/generate', { token, body });
const aKey = async (token: string, bounds: object): Promise<string> => {
  const answer = await generate(token, bounds);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.apiKey as string;
};

test('a key opens the routes of its scopes and no other, and the refusal names the scope', async (t) => {
  const { token } = await world().account();
  for (const scope of keyScopes) {
    const apiKey = await aKey(token, { scopes: [scope] });
    for (const route of routes.filter(takesKey)) {
      const path = route.path.replaceAll(/\{\w+\}/g, 'none');
      const { status, body } = await world().call(route.method.toUpperCase(), path, { apiKey });
      const isOpen =
        route.keyScope === null || route.keyScope === scope || route.keyScope.replace(':read', ':write') === scope;
      t.is(body?.code === 'KEY_SCOPE_MISSING', !isOpen, `${scope}: ${route.name} answered ${String(status)}`);
      if (!isOpen) t.regex(body.error, new RegExp(`scope ${route.keyScope ?? ''},`));
    }
  }
});

test('a key without a list of scopes opens every route that takes a key', async (t) => {
  const { apiKey } = await world().account();
  for (const route of routes.filter(takesKey)) {
    const path = route.path.replaceAll(/\{\w+\}/g, 'none');
    const { status, body } = await world().call(route.method.toUpperCase(), path, { apiKey });
    // Only a test key plays the buyer, whatever its scopes are.
    const isOpen = ![401, 403].includes(status) || body.code === 'SANDBOX_ONLY';
    t.true(isOpen, `${route.name} answered ${String(status)}`);
  }
});

test('a key with an address list is taken from there alone, by the address that a trusted proxy tells', async (t) => {
  const { token } = await world().account();
  const apiKey = await aKey(token, { addresses: ['203.0.113.7', '198.51.100.0/24', '2001:db8:12::/48'] });
  for (const address of ['203.0.113.7', '198.51.100.9', '2001:db8:12:3::4', '::ffff:203.0.113.7'])
    t.is((await list({ apiKey, ...from(address) })).status, 200, address);
  for (const address of ['203.0.113.8', '198.51.101.9', '2001:db8:13::1', 'unknown']) {
    const refused = await list({ apiKey, ...from(address) });
    isError(t, refused, { status: 403, code: 'KEY_ADDRESS_FORBIDDEN' });
  }
  const told = await list({ apiKey, ...from('203.0.113.8') });
  t.regex(told.body.error, /203\.0\.113\.8/, 'the caller learns which address the service sees');
});

test('from another address a key tells neither its scopes nor its members', async (t) => {
  const reseller = await world().reseller();
  const apiKey = await aKey(reseller.token, { addresses: ['203.0.113.7'], scopes: ['orders:read'] });
  const headers = { 'x-forwarded-for': '203.0.113.8', 'x-partner-account': 'ingen' };
  isError(t, await list({ apiKey, headers }), { status: 403, code: 'KEY_ADDRESS_FORBIDDEN' });
});

test('a key is refused from its end on, is told so, and stays in the list until it is revoked', async (t) => {
  const { token } = await world().account();
  const expiresAt = new Date(world().now().getTime() + 60_000).toISOString();
  const apiKey = await aKey(token, { name: 'Nattkörning', expiresAt });
  const state = async () => {
    const { keys } = (await world().call('GET', '/integration/api-keys', { token })).body;
    return keys.find(({ name }: { name: string }) => name === 'Nattkörning');
  };
  t.is((await list({ apiKey })).status, 200);
  t.like(await state(), { expiresAt, state: 'expiring' });
  world().pass(61_000);
  const refused = await list({ apiKey });
  isError(t, refused, { status: 401, code: 'UNAUTHORIZED' });
  t.true(refused.body.error.includes(`expired at ${expiresAt}`));
  t.like(await state(), { state: 'expired' });
  t.is((await world().call('DELETE', `/integration/api-keys/${(await state()).id}`, { token })).status, 204);
  t.regex((await list({ apiKey })).body.error, /or it was revoked/);
});

test('the list says what bounds each key; one that ends in more than 14 days is active', async (t) => {
  const { token } = await world().account();
  const expiresAt = new Date(world().now().getTime() + 15 * dayMs).toISOString();
  const bounds = { scopes: ['items:read', 'webhooks:write'], addresses: ['203.0.113.7'], expiresAt };
  await aKey(token, bounds);
  const { keys } = (await world().call('GET', '/integration/api-keys', { token })).body;
  t.like(keys[0], { ...bounds, state: 'active' });
  t.like(keys[1], { scopes: null, addresses: null, expiresAt: null, state: 'active' });
  const { entries } = (await world().call('GET', '/partner/audit-log?kind=api_key_generated', { token })).body;
  t.like(entries[0].details, bounds);
});

test('calls from elsewhere use up nothing of the key, and those beyond its rate are in its log', async (t) => {
  const rateLimits = { ...generousLimits, key: few(3) };
  const limited = await startApiWorld({ trustedProxies: ['loopback'], rateLimits });
  try {
    const { token } = await limited.account();
    const body = { addresses: ['203.0.113.7'] };
    const { apiKey } = (await limited.call('POST', '/integration/api-keys/generate', { token, body })).body;
    const statusFrom = async (address: string) =>
      (await limited.call('GET', '/integration/v1/items', { apiKey, ...from(address) })).status;
    t.is(await statusFrom('203.0.113.7'), 200);
    for (let count = 0; count < 5; count += 1) t.is(await statusFrom('203.0.113.8'), 403);
    for (const status of [200, 200, 429]) t.is(await statusFrom('203.0.113.7'), status);
    await limited.served.parts.requestRecorder?.settle();
    await awaitMajority(limited.store);
    const { calls } = (await limited.call('GET', '/integration/v1/request-log', { token })).body;
    const codes = calls.map(({ code }: { code: string | null }) => code);
    t.deepEqual(codes, ['RATE_LIMITED', null, null, ...Array.from({ length: 5 }, () => 'KEY_ADDRESS_FORBIDDEN'), null]);
  } finally {
    await limited.close();
  }
});

test('a key that ends while its call is under way writes nothing more', async (t) => {
  const { id, token } = await world().account();
  const expiresAt = new Date(world().now().getTime() + 60_000).toISOString();
  await aKey(token, { expiresAt });
  const [{ id: keyId }] = (await world().call('GET', '/integration/api-keys', { token })).body.keys;
  const account = accountId(id);
  const scope = { accountId: account, actingAccountId: account, credential: { kind: 'api-key', keyId } } as const;
  const { store } = world();
  const at = (ms: number) => ({ store, now: () => new Date(Date.parse(expiresAt) + ms) });
  await t.notThrowsAsync(confirmCredential(at(-1), scope));
  await t.throwsAsync(confirmCredential(at(0), scope), { message: /Invalid or missing API key/ });
  await t.notThrowsAsync(confirmSender(at(-1), scope));
  await t.throwsAsync(confirmSender(at(0), scope), { message: /revoked or has expired/ });
});

const refused = async (t: ExecutionContext, body: object, field: string): Promise<void> => {
  const { token } = await world().account();
  const answer = await generate(token, body);
  isError(t, answer, { status: 422, code: 'VALIDATION_FAILED' });
  t.deepEqual([...new Set(answer.body.details.map((one: { field: string }) => one.field))], [field]);
};

for (const [body, field] of [
  [{ scopes: [] }, 'scopes'],
  [{ scopes: ['items:all'] }, 'scopes.0'],
  [{ scopes: ['items:read', 'items:read'] }, 'scopes'],
  [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  [{ expiresAt: 'tomorrow' }, 'expiresAt'],
  [{ addresses: [] }, 'addresses'],
  [{ addresses: ['203.0.113.7', '203.0.113.0/33'] }, 'addresses.1'],
  [{ addresses: ['127.1'] }, 'addresses.0'],
  [{ addresses: ['::ffff:203.0.113.0/120'] }, 'addresses.0'],
  [{ addresses: ['fe80::1%eth0'] }, 'addresses.0'],
  [{ addresses: ['erp.example.se'] }, 'addresses.0'],
] as const)
  test(`no key is made with ${JSON.stringify(body)}`, (t) => refused(t, body, field));
