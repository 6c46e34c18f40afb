import { once } from 'node:events';
import { request as openRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import type { Route } from '../../api/http/route.ts';
import { routes } from '../../api/routes.ts';
import type { Context } from '../../features/context.ts';
import { isError, withApiWorld, type CallOptions, type Reply, type TestAccount } from '../support/api-world.ts';
import { Barrier } from '../support/barrier.ts';
import { routesWith } from '../support/around-calls.ts';

/** By the account that a call is for. */
const barriers = new Map<string, Barrier>();
const hold = (account: string): Promise<void> => barriers.get(account)?.pass() ?? Promise.resolve();

const world = withApiWorld(test, {
  routes: routesWith(async (route, call, handle) => {
    const { accountId, credential } = call.scope;
    if (credential.kind !== 'api-key') return handle(call);
    if (route === 'get /vehicles/lookup') await hold(`plate ${call.query['plate']}`);
    if (heldBefore.has(route)) await hold(accountId);
    if (!route.startsWith('get ')) return handle({ ...call, context: heldBetween(call.context) });
    const answer = await handle(call);
    await hold(accountId);
    return answer;
  }),
});

/** These are held before they begin. The other writes are held between what they read and what they write, reads when they are done. */
const heldBefore = new Set([
  'post /integration/v1/bulk-syncs',
  'delete /integration/v1/bulk-syncs/{id}',
  'patch /integration/v1/orders/{id}',
]);

/** A revocation matters most between what a write reads and what it writes. */
const heldBetween = (context: Context): Context => ({
  ...context,
  items: {
    ...context.items,
    findCurrent: async (account, externalId) => {
      const found = await context.items.findCurrent(account, externalId);
      await hold(account);
      return found;
    },
    findVisible: async (account, externalId) => {
      const found = await context.items.findVisible(account, externalId);
      await hold(account);
      return found;
    },
  },
  lines: {
    ...context.lines,
    findCurrent: async (account, ids) => {
      const found = await context.lines.findCurrent(account, ids);
      await hold(account);
      return found;
    },
  },
});

const item = { title: 'Dörr', price: 100, imageUrls: [] };
const aLine = `${JSON.stringify({ externalId: 'line', ...item })}\n`;
const ndjson = { 'content-type': 'application/x-ndjson' };

interface Example extends Pick<CallOptions, 'body' | 'raw' | 'headers'> {
  readonly route: string;
  readonly name: string;
  /** Below the items, or from the root; `BULK` is the id of a bulk sync that is running, `ORDER` of an order. */
  readonly path: string;
}

/** Every way to write with a key. `a` is there, `new` is not. */
const writes: readonly Example[] = [
  ...['', '?validateOnly=true'].flatMap((query): Example[] => [
    ...put(`creates${query}`, `new${query}`, item),
    ...put(`updates${query}`, `a${query}`, { ...item, title: 'Annan dörr' }),
    ...put(`changes nothing${query}`, `a${query}`, item),
    change('price', `price${query}`, { price: 200 }),
    change('status', `status${query}`, { status: 'sold' }),
  ]),
  ...['', '?validateOnly=true'].map((query): Example => ({
    route: 'post /integration/v1/items/batch',
    name: `batch${query}`,
    path: `batch${query}`,
    body: { items: ['new', 'a'].map((externalId) => ({ externalId, ...item, title: 'Annan dörr' })) },
  })),
  { ...change('quantity', 'quantity', { quantity: 3 }), headers: { 'If-Match': '*' } },
  {
    route: 'patch /integration/v1/orders/{id}',
    name: 'ships an order',
    path: '/integration/v1/orders/ORDER',
    body: { shipping: { carrier: 'PostNord', trackingNumber: 'UN123456789SE' } },
  },
  { route: 'delete /integration/v1/items/{external_id}', name: 'deletes', path: 'a' },
  { route: 'delete /integration/v1/items/{external_id}', name: 'deletes what is not there', path: 'new' },
  { route: 'post /integration/v1/items/{external_id}/publish', name: 'publishes', path: 'a/publish' },
  {
    route: 'post /integration/v1/items/{external_id}/publish',
    name: 'publishes with a key',
    path: 'a/publish',
    headers: { 'Idempotency-Key': 'one' },
  },
  {
    route: 'post /integration/v1/bulk-syncs',
    name: 'sends a bulk sync',
    path: '/integration/v1/bulk-syncs',
    raw: aLine,
    headers: ndjson,
  },
  {
    route: 'delete /integration/v1/bulk-syncs/{id}',
    name: 'cancels a bulk sync',
    path: '/integration/v1/bulk-syncs/BULK',
  },
];

function put(name: string, path: string, body: object): Example[] {
  return [{ route: 'put /integration/v1/items/{external_id}', name, path, body }];
}

function change(what: string, path: string, body: object): Example {
  return { route: `patch /integration/v1/items/{external_id}/${what}`, name: path, path: `a/${path}`, body };
}

/** One webhook or delivery, with a key, is the handler of a session: sessions-in-flight.test.ts holds those. */
const isTwin = ({ method, path }: Route): boolean =>
  path.startsWith('/integration/v1/webhook') && (method !== 'get' || path.includes('{id}'));
/** They act on the simulated marketplace, and write nothing of the account. */
const isOfSandbox = ({ path }: Route): boolean => path.startsWith('/integration/v1/sandbox/');
const takesKey = routes.filter(
  (route) => (route.credential === 'api-key' || route.credential === 'either') && !isTwin(route) && !isOfSandbox(route),
);
const nameOf = ({ method, path }: (typeof routes)[number]): string => `${method} ${path}`;

// specification: authentication-a-revoked-key
test('every route that writes with a key has an example here', (t) => {
  const known = new Set(writes.map(({ route }) => route));
  const written = takesKey.filter(({ method }) => method !== 'get').map(nameOf);
  t.deepEqual(
    written.filter((name) => !known.has(name)),
    [],
  );
});

for (const { route, name, path, ...example } of writes) {
  // specification: authentication-a-revoked-key
  test(`${route} 401: ${name}, but its key is revoked while it is in its handler; nothing is written`, async (t) => {
    const account = await world().account();
    const own = await furnish(account);
    const before = await storedOf(account.id);
    const method = route.split(' ')[0]?.toUpperCase() ?? '';
    const whole = path.startsWith('/') ? own(path) : `/integration/v1/items/${path}`;
    isRevoked(t, await revokedMeanwhile(account, { method, path: whole, ...example }));
    t.deepEqual(await storedOf(account.id), before);
  });
}

const reads: Record<string, string> = {
  'get /integration/v1/items/{external_id}': '/integration/v1/items/a?view=full',
  'get /integration/v1/items': '/integration/v1/items',
  'get /integration/v1/items/{external_id}/timeline': '/integration/v1/items/a/timeline',
  'get /integration/events': '/integration/events',
  'get /integration/v1/orders': '/integration/v1/orders',
  'get /integration/v1/orders/{id}': '/integration/v1/orders/ORDER',
  'get /integration/v1/request-log': '/integration/v1/request-log',
  'get /integration/v1/webhooks': '/integration/v1/webhooks',
  'get /integration/v1/webhook-deliveries': '/integration/v1/webhook-deliveries',
  'get /integration/v1/webhook-statistics': '/integration/v1/webhook-statistics',
  'get /integration/v1/bulk-syncs/{id}': '/integration/v1/bulk-syncs/BULK',
  'get /integration/v1/bulk-syncs/{id}/errors': '/integration/v1/bulk-syncs/BULK/errors',
};

for (const route of takesKey.filter(({ method, path }) => method === 'get' && path !== '/vehicles/lookup')) {
  // specification: authentication-a-revoked-key
  test(`${nameOf(route)} 401: its answer is ready, but its key is revoked before it is sent`, async (t) => {
    const path = reads[nameOf(route)];
    if (path === undefined) return t.fail('this route needs an example');
    const account = await world().account();
    const own = await furnish(account);
    isRevoked(t, await revokedMeanwhile(account, { method: 'GET', path: own(path) }));
  });
}

test('GET /vehicles/lookup 401: the key is revoked while the registry is asked', async (t) => {
  const account = await world().account();
  const plate = 'plate MLB84A';
  const barrier = new Barrier();
  barriers.set(plate, barrier);
  const answer = world().call('GET', '/vehicles/lookup?plate=MLB84A', { apiKey: account.apiKey });
  await barrier.reached;
  await revoke(account);
  barrier.open();
  isRevoked(t, await answer);
});

for (const [kind, sent] of [
  ['well-formed', JSON.stringify(item)],
  ['invalid', JSON.stringify({ ...item, price: 0 })],
  ['no JSON', '{"title": "Dörr", "price"'],
] as const)
  // specification: authentication-a-revoked-key
  test(`PUT 401: the key is revoked while its body is on its way (${kind}); nothing is written`, slowPut, sent);

async function slowPut(t: ExecutionContext, body: string): Promise<void> {
  const account = await world().account();
  const slow = openRequest(`${world().url}/integration/v1/items/slow`, {
    method: 'PUT',
    headers: { 'x-api-key': account.apiKey, 'content-type': 'application/json', expect: '100-continue' },
  });
  slow.flushHeaders();
  // The server asks for the body when the key has been let in.
  await once(slow, 'continue');
  slow.write(body.slice(0, 10));
  await revoke(account);
  slow.end(body.slice(10));
  const [response] = (await once(slow, 'response')) as [IncomingMessage];
  t.is(response.statusCode, 401, await text(response));
  t.deepEqual(await storedOf(account.id), { items: [], orders: [], bulkSyncs: [] });
}

test('a key that is revoked while one call is held stops that call alone: another key of the account goes on', async (t) => {
  const account = await world().account();
  const other = await world().call('POST', '/integration/api-keys/generate', { token: account.token });
  const barrier = new Barrier();
  barriers.set(account.id, barrier);
  const options = { body: item };
  const stopped = world().call('PUT', '/integration/v1/items/a', { apiKey: account.apiKey, ...options });
  const going = world().call('PUT', '/integration/v1/items/b', { apiKey: other.body.apiKey, ...options });
  await barrier.reached;
  await revoke(account, account.apiKey);
  barrier.open();
  isRevoked(t, await stopped);
  t.is((await going).status, 202);
});

// specification: a-member-that-has
test('a member that leaves while its reseller writes for it: 403, and nothing is written', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  const barrier = new Barrier();
  barriers.set(member.id, barrier);
  const answer = world().call('PUT', '/integration/v1/items/a', {
    apiKey: reseller.apiKey,
    body: item,
    headers: { 'X-Partner-Account': member.reference },
  });
  await barrier.reached;
  t.is((await world().call('DELETE', '/business/my-deal', { token: member.token })).status, 204);
  barrier.open();
  isError(t, await answer, { status: 403, code: 'PARTNER_ACCOUNT_FORBIDDEN' });
  t.deepEqual(await storedOf(member.id), { items: [], orders: [], bulkSyncs: [] });
});

/** An item `a`, an order of another, and a running bulk sync; the answer puts their ids into a path. */
async function furnish({ apiKey, token }: TestAccount): Promise<(path: string) => string> {
  for (const id of ['a', 'b']) await world().call('PUT', `/integration/v1/items/${id}`, { apiKey, body: item });
  const sale = { externalId: 'b', platform: 'service', amount: 100 };
  const order = await world().call('POST', '/partner/orders', { token, body: sale });
  const bulk = await world().call('POST', '/integration/v1/bulk-syncs', { apiKey, raw: aLine, headers: ndjson });
  return (path) => path.replace('BULK', String(bulk.body.id)).replace('ORDER', String(order.body.id));
}

async function storedOf(account: string): Promise<object> {
  const rowsOf = (collection: string, filter: object) =>
    world().store.connection.collection(collection).find(filter).sort({ _id: 1 }).toArray();
  return {
    items: await rowsOf('items', { accountId: account }),
    orders: await rowsOf('orders', { accountId: account }),
    bulkSyncs: await rowsOf('bulk_syncs', { actingAccountId: account }),
  };
}

async function revokedMeanwhile(
  account: TestAccount,
  { method, path, ...options }: CallOptions & { method: string; path: string },
): Promise<Reply> {
  const barrier = new Barrier();
  barriers.set(account.id, barrier);
  const answer = world().call(method, path, { apiKey: account.apiKey, ...options });
  await barrier.reached;
  await revoke(account);
  barrier.open();
  return answer;
}

async function revoke({ token }: TestAccount, apiKey?: string): Promise<void> {
  const { keys } = (await world().call('GET', '/integration/api-keys', { token })).body as {
    keys: { id: string; prefix: string }[];
  };
  for (const { id } of keys.filter(({ prefix }) => apiKey === undefined || apiKey.startsWith(prefix))) {
    const { status } = await world().call('DELETE', `/integration/api-keys/${id}`, { token });
    if (status !== 204) throw new Error(`revoking answered ${status}`);
  }
}

function isRevoked(t: ExecutionContext, reply: Reply): void {
  isError(t, reply, { status: 401, code: 'UNAUTHORIZED' });
  t.is(reply.body.error, 'Invalid or missing API key (x-api-key)');
}
