import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId } from '../../features/rules/ids.ts';
import { startMarketplaceSimulator } from '../../simulators/marketplace/start-marketplace-simulator.ts';
import { findMarketplaceConnection } from '../../features/listings/store/marketplace-connections.ts';
import { setSuspension } from '../../features/accounts/administer-account.ts';
import {
  generousLimits,
  isError,
  sandboxSettings,
  startApiWorld,
  withApiWorld,
  type ApiWorld,
  type TestAccount,
} from '../support/api-world.ts';
import { few } from '../support/with-limits.ts';
import { until } from '../support/until.ts';
import { said } from '../support/said.ts';

type Sandboxed = TestAccount & { readonly testKey: string };

const item = { title: 'Kaffekanna', price: 149, imageUrls: [] };
const generate = (world: ApiWorld, token: string, body: object = {}) =>
  world.call('POST', '/integration/api-keys/generate', { token, body });
const keysOf = async (world: ApiWorld, token: string) =>
  (await world.call('GET', '/integration/api-keys', { token })).body;

let market: Awaited<ReturnType<typeof startMarketplaceSimulator>>;
let running: ApiWorld;
test.before('the API and the simulated marketplace start', async () => {
  market = await startMarketplaceSimulator();
  running = await startApiWorld({ sandbox: sandboxSettings(market.url) });
});
test.after.always('they stop', async () => {
  await running.close();
  await market.close();
});
const world = (): ApiWorld => running;
const without = withApiWorld(test);

async function sandboxed(body: object = {}): Promise<Sandboxed> {
  const account = await world().account();
  const { apiKey: testKey } = (await generate(world(), account.token, { mode: 'test', ...body })).body;
  return { ...account, testKey };
}

const sandboxIdOf = async ({ token }: Sandboxed): Promise<string> =>
  (await keysOf(world(), token)).keys.find(({ mode }: { mode: string }) => mode === 'test').accountId;

const put = (apiKey: string, externalId: string, changes: object = {}) =>
  world().call('PUT', `/integration/v1/items/${externalId}`, { apiKey, body: { ...item, ...changes } });
const read = (apiKey: string, path: string) => world().call('GET', path, { apiKey });

test('a test key says so, and is listed beside the live ones of its owner with the account that it acts as', async (t) => {
  const account = await sandboxed({ name: 'trial' });
  t.regex(account.testKey, /^sk_test_[0-9A-Za-z]{43}$/);
  const { keys, modes } = await keysOf(world(), account.token);
  t.deepEqual(modes, ['live', 'test']);
  const [made, live] = keys;
  t.like(made, { name: 'trial', mode: 'test', userId: account.id, prefix: account.testKey.slice(0, 14) });
  t.like(live, { mode: 'live', userId: account.id, accountId: account.id });
  t.not(made.accountId, account.id);
});

test('the same external id is two items, and neither key sees or touches the other one', async (t) => {
  const { apiKey, testKey } = await sandboxed();
  const live = await put(apiKey, 'A1', { title: 'Live' });
  const tried = await put(testKey, 'A1', { title: 'Test' });
  t.deepEqual([live.status, tried.status], [202, 202]);
  t.not(live.body.itemId, tried.body.itemId);
  await put(testKey, 'only-test');
  await put(apiKey, 'only-live');
  t.is((await read(apiKey, '/integration/v1/items/only-test')).status, 404);
  t.is((await read(testKey, '/integration/v1/items/only-live')).status, 404);
  t.is((await world().call('DELETE', '/integration/v1/items/only-live', { apiKey: testKey })).status, 404);
  const listed = async (key: string) =>
    (await read(key, '/integration/v1/items')).body.items.map(({ externalId }: { externalId: string }) => externalId);
  t.deepEqual((await listed(apiKey)).sort(), ['A1', 'only-live']);
  t.deepEqual((await listed(testKey)).sort(), ['A1', 'only-test']);
});

test('webhooks, events and the log of calls of the sandbox are its own', async (t) => {
  const account = await sandboxed();
  const { apiKey, testKey, token } = account;
  const body = { url: 'https://hooks.example.se/test', eventTypes: [], scope: 'self', description: '' };
  t.is((await world().call('POST', '/integration/v1/webhooks', { apiKey: testKey, body })).status, 201);
  t.deepEqual((await read(apiKey, '/integration/v1/webhooks')).body.webhooks, []);
  t.deepEqual((await world().call('GET', '/integration/webhooks', { token })).body.webhooks, []);
  await put(testKey, 'T1');
  const logged = async (key: string) =>
    (await read(key, '/integration/v1/request-log')).body.calls.map(({ path }: { path: string }) => path);
  await until('the calls of the test key are logged', async () =>
    (await logged(testKey)).includes('/integration/v1/items/T1'),
  );
  t.false((await logged(apiKey)).includes('/integration/v1/items/T1'));
  t.is((await world().call('GET', '/partner/analytics', { token })).body.inventory.total, 0);
  t.is((await world().call('GET', '/partner/usage', { token })).body.items.used, 0);
});

test('the sandbox is made once, however many keys come at once, and is connected to the simulated marketplace', async (t) => {
  const { token } = await world().account();
  const answers = await Promise.all(Array.from({ length: 4 }, () => generate(world(), token, { mode: 'test' })));
  t.true(answers.every(({ status }) => status === 200));
  const { keys } = await keysOf(world(), token);
  const tests = keys.filter(({ mode }: { mode: string }) => mode === 'test');
  const acting = new Set<string>(tests.map((key: { accountId: string }) => key.accountId));
  t.is(acting.size, 1);
  const [id = ''] = acting;
  const connection = await findMarketplaceConnection(world().store, accountId(id));
  t.like(connection, { state: 'connected', isSandbox: true });
  t.regex(connection?.marketplaceUserId ?? '', /^\d+$/);
  const [row] = await world()
    .store.connection.collection('accounts')
    .find({ sandboxOf: { $exists: true }, _id: id as never })
    .toArray();
  t.deepEqual(Object.keys(row ?? {}).sort(), ['_id', 'createdAt', 'name', 'sandboxOf', 'turn']);
});

test('the next test key connects a sandbox again whose marketplace has forgotten it', async (t) => {
  const account = await sandboxed();
  const id = await sandboxIdOf(account);
  const rows = world().store.connection.collection<{ _id: string }>('marketplace_connections');
  await rows.updateOne({ _id: id }, { $set: { state: 'expired' } });
  t.is((await put(account.testKey, 'A1', { autoPublishTradera: true })).status, 202);
  t.is((await generate(world(), account.token, { mode: 'test' })).status, 200);
  t.like(await rows.findOne({ _id: id }), { state: 'connected', isSandbox: true });
  t.is(await sandboxIdOf(account), id);
});

test('test keys take from the calls of their owner, so that an account has one burst with its sandbox', async (t) => {
  const limited = await startApiWorld({
    beside: world(),
    sandbox: sandboxSettings(market.url),
    rateLimits: { ...generousLimits, key: few(6) },
  });
  const { apiKey, testKey } = await sandboxed();
  const statuses = [];
  for (let n = 0; n < 8; n += 1)
    statuses.push(
      (await limited.call('GET', '/integration/v1/items/A1', { apiKey: n % 2 === 0 ? apiKey : testKey })).status,
    );
  t.deepEqual(statuses, [404, 404, 404, 404, 404, 404, 429, 429]);
  // What a test key may not do counts there as well.
  const headers = { 'x-partner-account': 'a-member' };
  t.is((await limited.call('GET', '/integration/v1/items/A1', { apiKey: testKey, headers })).status, 429);
  await limited.close();
});

test('a revoked test key stops at once, the live one goes on; another account can revoke neither', async (t) => {
  const account = await sandboxed();
  const { token: stranger } = await world().account();
  const [{ id }] = (await keysOf(world(), account.token)).keys;
  const revoke = (token: string) => world().call('DELETE', `/integration/api-keys/${id}`, { token });
  t.is((await revoke(stranger)).status, 404);
  t.is((await put(account.testKey, 'A1')).status, 202);
  t.is((await revoke(account.token)).status, 204);
  t.is((await put(account.testKey, 'A2')).status, 401);
  t.is((await put(account.apiKey, 'A2')).status, 202);
  t.is((await revoke(account.token)).status, 404);
});

test("a suspension stops an account's test keys, its end lets them go on", async (t) => {
  const { email, testKey } = await sandboxed();
  await setSuspension(world(), { email, isSuspended: true });
  isError(t, await put(testKey, 'A1'), { status: 403, code: 'ACCOUNT_SUSPENDED' });
  await setSuspension(world(), { email, isSuspended: false });
  t.is((await put(testKey, 'A1')).status, 202);
});

test("a reseller's test key acts for no member, and a member's sandbox has no reseller", async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  const { apiKey: testKey } = (await generate(world(), reseller.token, { mode: 'test' })).body;
  const { apiKey: membersTestKey } = (await generate(world(), member.token, { mode: 'test' })).body;
  await put(membersTestKey, 'A1');
  const headers = { 'x-partner-account': member.reference };
  const asked = (apiKey: string) => world().call('GET', '/integration/v1/items/A1', { apiKey, headers });
  isError(t, await asked(testKey), { status: 403, code: 'PARTNER_ACCOUNT_FORBIDDEN' });
  t.is((await asked(reseller.apiKey)).status, 404);
  const body = { url: 'https://hooks.example.se/x', eventTypes: [], scope: 'members', description: '' };
  isError(t, await world().call('POST', '/integration/v1/webhooks', { apiKey: testKey, body }), {
    status: 403,
    code: 'RESELLER_AGREEMENT_REQUIRED',
  });
});

test('buyers are played by test keys alone, and only for what is up', async (t) => {
  const { apiKey, testKey } = await sandboxed();
  await put(apiKey, 'A1');
  await put(testKey, 'T1');
  const play = (key: string, path: string, body?: object) =>
    world().call('POST', `/integration/v1/sandbox/${path}`, { apiKey: key, ...(body && { body }) });
  for (const path of ['items/A1/sell', 'items/A1/end', 'items/nothing/end', 'orders/ord_1/pay'])
    isError(t, await play(apiKey, path), { status: 403, code: 'SANDBOX_ONLY' });
  isError(t, await play(testKey, 'items/T1/sell'), { status: 409, code: 'CONFLICT' });
  isError(t, await play(testKey, 'items/T1/end'), { status: 409, code: 'CONFLICT' });
  isError(t, await play(testKey, 'items/A1/end'), { status: 404, code: 'NOT_FOUND' });
  const stranger = await sandboxed();
  isError(t, await play(stranger.testKey, 'items/T1/sell'), { status: 404, code: 'NOT_FOUND' });
  isError(t, await play(testKey, 'orders/ord_1/pay'), { status: 404, code: 'NOT_FOUND' });
  isError(t, await play(testKey, 'items/T1/sell', { price: 1.5 }), { status: 422, code: 'VALIDATION_FAILED' });
  isError(t, await play(testKey, 'items/T1/sell', { pris: 1 }), { status: 422, code: 'VALIDATION_FAILED' });
});

test('a retry with its Idempotency-Key finds the test key that the first attempt made', async (t) => {
  const { token } = await world().account();
  const headers = { 'idempotency-key': randomUUID() };
  const call = { token, headers, body: { mode: 'test' } };
  const first = await world().call('POST', '/integration/api-keys/generate', call);
  const again = await world().call('POST', '/integration/api-keys/generate', call);
  t.deepEqual([first.status, again.status], [200, 200]);
  t.is((await keysOf(world(), token)).keys.length, 2);
});

test('503: no key is made while the simulated marketplace does not answer', async (t) => {
  const api = await startApiWorld({ beside: world(), sandbox: sandboxSettings('http://127.0.0.1:9') });
  const { token } = await api.account();
  isError(t, await generate(api, token, { mode: 'test' }), { status: 503, code: 'UNAVAILABLE' });
  t.is((await keysOf(api, token)).keys.length, 1);
  await api.close();
});

test('without a sandbox test keys are neither made nor taken, and the answers say why', async (t) => {
  const { testKey } = await sandboxed();
  const { token } = await without().account();
  t.deepEqual((await keysOf(without(), token)).modes, ['live']);
  const refused = await generate(without(), token, { mode: 'test' });
  isError(t, refused, { status: 422, code: 'VALIDATION_FAILED' });
  t.deepEqual(said(refused.body.details), [
    { field: 'mode', message: 'must be live here: this service has no sandbox' },
  ]);
  const off = await startApiWorld({ beside: world() });
  const answer = await off.call('GET', '/integration/v1/items', { apiKey: testKey });
  await off.close();
  isError(t, answer, { status: 401, code: 'UNAUTHORIZED' });
  t.regex(answer.body.error, /it is a test key, and this service has no sandbox/);
});

test('where the only marketplace is a simulated one, every key is a test key of the account itself', async (t) => {
  const sandbox = { SANDBOX_MARKETPLACE_URL: 'https://marketplace.test' };
  const whole = await startApiWorld({ beside: world(), sandbox, registers: true });
  const { id, token, apiKey } = await whole.account();
  t.regex(apiKey, /^sk_test_/);
  const { keys, modes } = await keysOf(whole, token);
  t.deepEqual(modes, ['test']);
  t.like(keys[0], { mode: 'test', userId: id, accountId: id });
  t.is((await generate(whole, token, { mode: 'live' })).status, 422);
  t.is((await whole.call('GET', '/integration/v1/items', { apiKey })).status, 200);
  await whole.close();
  // The same key would sell on the real marketplace here.
  const beside = await read(apiKey, '/integration/v1/items');
  isError(t, beside, { status: 401, code: 'UNAUTHORIZED' });
  t.regex(beside.body.error, /a test key of another sandbox/);
});
