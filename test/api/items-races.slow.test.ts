import test from 'ava';
import { isError, withApiWorld, type CallOptions, type Reply } from '../support/api-world.ts';
import { revokeApiKey } from '../../features/accounts/revoke-api-key.ts';
import { routesWith } from '../support/around-calls.ts';

/** Keys that are revoked right after they were accepted: while the body is on its way, as it were. */
const revokedMeanwhile = new Set<string>();
const world = withApiWorld(test, {
  routes: routesWith(async (_route, call, handle) => {
    const { context, scope, headers } = call;
    if (scope.credential.kind === 'api-key' && revokedMeanwhile.has(String(headers['x-api-key'])))
      await revokeApiKey(context, scope, scope.credential.keyId);
    return handle(call);
  }),
});
const anItem = (fields: object = {}) => ({ title: 'Bromsskiva', price: 149.5, imageUrls: [], ...fields });
const at = (externalId: string, rest = '') => `/integration/v1/items/${externalId}${rest}`;
const get = (externalId: string, apiKey: string) => world().call('GET', at(externalId), { apiKey });
const put = (externalId: string, options: CallOptions) =>
  world().call('PUT', at(externalId), { body: anItem(), ...options });
const patchPrice = (externalId: string, price: number, options: CallOptions) =>
  world().call('PATCH', at(externalId, '/price'), { body: { price }, ...options });
const remove = (externalId: string, apiKey: string) => world().call('DELETE', at(externalId), { apiKey });
const rowsOf = (accountId: string) => world().store.connection.collection('items').find({ accountId }).toArray();
const tally = (replies: readonly Reply[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const revisionOf = (reply: Reply): number => Number(/\.(\d+)"$/.exec(reply.headers.get('etag') ?? '')?.[1]);

test('DELETE against PUT at the same moment: one after the other, whichever is first, and never two current items', async (t) => {
  const { apiKey, id } = await world().account();
  for (let round = 0; round < 12; round += 1) {
    const externalId = `R${round}`;
    const first = (await put(externalId, { apiKey })).body.itemId;
    const pushes = Array.from({ length: 3 }, (_, n) => put(externalId, { apiKey, body: anItem({ price: 200 + n }) }));
    const [deleted, ...pushed] = await Promise.all([remove(externalId, apiKey), ...pushes]);
    t.is(deleted.status, 202);
    t.is(deleted.body.itemId, first);
    t.deepEqual(tally(pushed), { 202: 3 });
    const created = new Set(pushed.map((reply) => reply.body.itemId).filter((itemId) => itemId !== first));
    t.true(created.size <= 1, 'a re-created item is created once');
    t.is(pushed.filter((reply) => reply.body.message === 'Item created').length, created.size);
    const read = await get(externalId, apiKey);
    if (created.size === 0) t.is(read.status, 404);
    else t.true(created.has(read.body.serviceItemId));
  }
  const current = (await rowsOf(id)).filter((row) => row['current'] === true);
  t.is(new Set(current.map((row) => row['externalId'] as string)).size, current.length);
});

test('DELETE twice at the same moment: one removes, the other finds nothing', async (t) => {
  const { apiKey, id } = await world().account();
  await put('X', { apiKey });
  t.deepEqual(tally(await Promise.all([remove('X', apiKey), remove('X', apiKey)])), { 202: 1, 404: 1 });
  const rows = await rowsOf(id);
  t.is(rows.length, 1);
  const history = world().store.connection.collection('journal');
  t.is(await history.countDocuments({ accountId: id, externalId: 'X' }), 2, 'created and deleted, each once');
});

test('50 prices at once: all accepted, each is a revision of its own, the last one is what is stored', async (t) => {
  const { apiKey } = await world().account();
  await put('P', { apiKey });
  const prices = Array.from({ length: 50 }, (_, n) => 1_000 + n);
  const replies = await Promise.all(prices.map((price) => patchPrice('P', price, { apiKey })));
  t.deepEqual(tally(replies), { 202: 50 });
  const revisions = replies.map(revisionOf);
  t.deepEqual(
    revisions.toSorted((a, b) => a - b),
    prices.map((_, n) => n + 2),
  );
  const last = replies.findIndex((_, n) => revisions[n] === 51);
  const read = await get('P', apiKey);
  t.is(read.body.price, prices[last]);
  t.is(revisionOf(read), 51);
});

// specification: if-none-match-on
test('10 PUTs that only create at once: exactly one does', async (t) => {
  const { apiKey, id } = await world().account();
  const create = () => put('O', { apiKey, headers: { 'if-none-match': '*' } });
  t.deepEqual(tally(await Promise.all(Array.from({ length: 10 }, create))), { 202: 1, 412: 9 });
  t.is((await rowsOf(id)).length, 1);
});

for (const [method, rest, body] of [
  ['PUT', '', anItem({ price: 7 })],
  ['PATCH', '/price', { price: 5 }],
  ['PATCH', '/status', { status: 'sold' }],
  ['POST', '/publish', undefined],
  ['DELETE', '', undefined],
] as const) {
  // specification: authentication-a-revoked-key
  test(`${method} …${rest} 401: a key that is revoked while the request is on its way writes nothing`, async (t) => {
    const { apiKey, id } = await world().account();
    await put('K', { apiKey });
    const before = await rowsOf(id);
    revokedMeanwhile.add(apiKey);
    const reply = await world().call(method, at('K', rest), { apiKey, ...(body !== undefined && { body }) });
    isError(t, reply, { status: 401, code: 'UNAUTHORIZED' });
    t.deepEqual(await rowsOf(id), before);
  });
}
