import test from 'ava';
import { isError, withApiWorld, type Reply, type TestAccount } from '../support/api-world.ts';

// Orders by API key. What a session and a key share is in orders.test.ts.

const world = withApiWorld(test);

type Caller = Pick<TestAccount, 'apiKey'> & { readonly member?: string };

const call = (
  { apiKey, member }: Caller,
  method: string,
  { path = '', body, headers }: { path?: string; body?: object; headers?: Record<string, string> } = {},
): Promise<Reply> =>
  world().call(method, `/integration/v1/orders${path}`, {
    apiKey,
    body,
    headers: { ...headers, ...(member !== undefined && { 'X-Partner-Account': member }) },
  });
const list = (caller: Caller, query: Record<string, string> = {}) =>
  call(caller, 'GET', { path: `?${new URLSearchParams(query).toString()}` });
const read = (caller: Caller, id: string) => call(caller, 'GET', { path: `/${id}` });
const patch = (caller: Caller & { readonly headers?: Record<string, string> }, id: string, body: object) =>
  call(caller, 'PATCH', { path: `/${id}`, body, ...(caller.headers && { headers: caller.headers }) });
const idsOf = ({ body }: Reply): string[] => body.orders.map(({ id }: { id: string }) => id);

/** An item that was sold directly. */
async function sold({ apiKey, token }: TestAccount, externalId: string, status = 'pending'): Promise<string> {
  const item = { title: 'Strålkastare', price: 450, imageUrls: [] };
  const put = await world().call('PUT', `/integration/v1/items/${externalId}`, { apiKey, body: item });
  const sale = { externalId, platform: 'service_card', amount: 349.5, status };
  const reported = await world().call('POST', '/partner/orders', { token, body: sale });
  if (put.status !== 202 || reported.status !== 201) throw new Error(`not sold: ${put.text} ${reported.text}`);
  return reported.body.id;
}

test('a key lists and reads the orders of its account as a session does; no other key sees one of them', async (t) => {
  const [account, stranger] = [await world().account(), await world().account()];
  const id = await sold(account, 'A1');
  const bySession = await world().call('GET', '/partner/orders', { token: account.token });
  t.is((await list(account)).text, bySession.text);
  const one = await read(account, id);
  t.like(one.body, { id, externalId: 'A1', status: 'pending', buyer: null });
  t.deepEqual(idsOf(await list(stranger)), []);
  isError(t, await read(stranger, id), { status: 404, code: 'NOT_FOUND' });
  isError(t, await patch(stranger, id, { status: 'paid' }), { status: 404, code: 'NOT_FOUND' });
  t.is((await read(account, id)).headers.get('etag'), one.headers.get('etag'));
});

test('pages, a status and an external id select orders; the last recorded comes first', async (t) => {
  const account = await world().account();
  const first = await sold(account, 'A1', 'paid');
  const second = await sold(account, 'B1');
  const page = await list(account, { limit: '1' });
  t.deepEqual(idsOf(page), [second]);
  t.deepEqual(idsOf(await list(account, { limit: '1', cursor: page.body.nextCursor })), [first]);
  t.deepEqual(idsOf(await list(account, { status: 'paid' })), [first]);
  t.deepEqual(idsOf(await list(account, { externalId: 'B1' })), [second]);
});

test('sort=created: the first recorded comes first, by pages; 400 beside updatedSince, which has an order of its own', async (t) => {
  const account = await world().account();
  const first = await sold(account, 'A1');
  const second = await sold(account, 'B1');
  const page = await list(account, { sort: 'created', limit: '1' });
  t.deepEqual(idsOf(page), [first]);
  const { nextCursor: cursor } = page.body;
  t.deepEqual(idsOf(await list(account, { sort: 'created', limit: '1', cursor })), [second]);
  t.deepEqual(idsOf(await list(account, { sort: '-created' })), [second, first]);
  isError(t, await list(account, { limit: '1', cursor }), { status: 400, code: 'BAD_REQUEST' });
  const both = await list(account, { sort: 'created', updatedSince: '2026-01-01' });
  isError(t, both, { status: 400, code: 'BAD_REQUEST' });
  t.is(both.body.details[0].field, 'sort');
});

test('whoever goes on with nextUpdatedSince is told of every change, the oldest first', async (t) => {
  const account = await world().account();
  const [first, second] = [await sold(account, 'A1'), await sold(account, 'B1')];
  const all = await list(account, { updatedSince: '2026-01-01' });
  t.deepEqual(idsOf(all), [first, second]);
  await patch(account, first, { status: 'paid' });
  const page = await list(account, { updatedSince: all.body.nextUpdatedSince, limit: '1' });
  t.is(page.body.nextUpdatedSince, null);
  const query = { updatedSince: all.body.nextUpdatedSince, limit: '1', cursor: page.body.nextCursor };
  const last = await list(account, query);
  t.deepEqual([...idsOf(page), ...idsOf(last)], [second, first]);
  t.like(last.body.orders[0], { status: 'paid' });
  t.true(last.body.nextUpdatedSince >= all.body.nextUpdatedSince);
});

test('400: a cursor of another account, of other filters, a misspelt parameter', async (t) => {
  const [account, other] = [await world().account(), await world().account()];
  for (const owner of [account, other]) for (const externalId of ['A1', 'B1']) await sold(owner, externalId);
  const { nextCursor: cursor } = (await list(account, { limit: '1' })).body;
  isError(t, await list(other, { limit: '1', cursor }), { status: 400, code: 'BAD_REQUEST' });
  isError(t, await list(account, { status: 'paid', cursor }), { status: 400, code: 'BAD_REQUEST' });
  isError(t, await list(account, { updated_since: '2026-01-01' }), { status: 400, code: 'BAD_REQUEST' });
});

test('an order that was sent has carrier, number and time; sent again the report corrects it and keeps the time', async (t) => {
  const account = await world().account();
  const id = await sold(account, 'A1', 'paid');
  const sent = await patch(account, id, { shipping: { carrier: 'PostNord', trackingNumber: 'UN1' } });
  t.is(sent.status, 200, sent.text);
  const { shippedAt } = sent.body.shipping;
  t.like(sent.body.shipping, { carrier: 'PostNord', trackingNumber: 'UN1' });
  world().pass(60_000);
  const corrected = await patch(account, id, { shipping: { trackingNumber: 'UN2' } });
  t.like(corrected.body.shipping, { shippedAt, carrier: 'PostNord', trackingNumber: 'UN2' });
  const removed = await patch(account, id, { shipping: { carrier: null } });
  t.like(removed.body.shipping, { shippedAt, carrier: null, trackingNumber: 'UN2' });
  const unchanged = await patch(account, id, { shipping: {} });
  t.is(unchanged.headers.get('etag'), removed.headers.get('etag'));
});

test('one PATCH takes a status and a shipping; both take effect, or none', async (t) => {
  const account = await world().account();
  const id = await sold(account, 'A1');
  const both = await patch(account, id, { status: 'paid', shipping: {} });
  t.like(both.body, { status: 'paid' });
  t.is(typeof both.body.shipping.shippedAt, 'string');
  const other = await sold(account, 'B1');
  isError(t, await patch(account, other, { status: 'cancelled', shipping: {} }), { status: 409, code: 'CONFLICT' });
  t.like((await read(account, other)).body, { status: 'pending' });
});

test('If-Match: a change of an older version is 412 and has no effect', async (t) => {
  const account = await world().account();
  const id = await sold(account, 'A1');
  const seen = (await read(account, id)).headers.get('etag') ?? '';
  const paid = await patch({ ...account, headers: { 'if-match': seen } }, id, { status: 'paid' });
  t.is(paid.status, 200);
  const late = await patch({ ...account, headers: { 'if-match': seen } }, id, { status: 'cancelled' });
  isError(t, late, { status: 412, code: 'PRECONDITION_FAILED' });
  const weak = await patch({ ...account, headers: { 'if-match': `W/${seen}` } }, id, { status: 'cancelled' });
  isError(t, weak, { status: 412, code: 'PRECONDITION_FAILED' });
  t.regex(String(weak.body.error), /^The order has moved on .*a weak tag \(W\/\) never matches/);
  const now = await read(account, id);
  t.is(now.headers.get('etag'), paid.headers.get('etag'));
  t.like(now.body, { status: 'paid' });
});

const wrongBodies: readonly (readonly [string, object, string])[] = [
  ['an empty change', {}, 'body'],
  ['an unknown status', { status: 'shipped' }, 'status'],
  ['an unknown field of the shipping', { shipping: { number: 'UN1' } }, 'shipping.number'],
  ['an empty number', { shipping: { trackingNumber: '' } }, 'shipping.trackingNumber'],
];
for (const [name, body, field] of wrongBodies) {
  test(`PATCH 422: ${name}`, async (t) => {
    const account = await world().account();
    const refused = await patch(account, await sold(account, 'A1'), body);
    isError(t, refused, { status: 422, code: 'VALIDATION_FAILED' });
    t.is(refused.body.details[0].field, field);
  });
}

test('each step is a line of the history of the item, with who did it', async (t) => {
  const account = await world().account();
  const id = await sold(account, 'A1');
  await patch(account, id, { status: 'paid', shipping: { trackingNumber: 'UN1' } });
  const { apiKey } = account;
  const timeline = await world().call('GET', '/integration/v1/items/A1/timeline', { apiKey });
  const [sent, paid] = timeline.body.entries;
  t.like(sent, { kind: 'order_shipped', actor: 'api_key', details: { orderId: id } });
  t.like(paid, { kind: 'paid' });
  t.false(timeline.text.includes('UN1'));
});

async function aResellerWithMember() {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  const id = await sold(member, 'A1');
  const share = (sharesOrders: boolean) =>
    world().call('PATCH', '/business/my-deal', { token: member.token, body: { sharesOrders } });
  return { reseller, member, id, share, as: { apiKey: reseller.apiKey, member: member.reference } };
}

test("a reseller's key is refused a member's orders until the member shares them, and again from the moment it does not", async (t) => {
  const { as, id, share } = await aResellerWithMember();
  const isForbidden = async (): Promise<void> => {
    const forbidden = { status: 403, code: 'PARTNER_ACCOUNT_FORBIDDEN' };
    for (const refused of [await list(as), await read(as, id), await patch(as, id, { status: 'paid' })])
      isError(t, refused, forbidden);
    isError(t, await read(as, 'ord_none'), forbidden);
  };
  await isForbidden();
  t.like((await share(true)).body, { kind: 'sub_account', sharesOrders: true });
  t.deepEqual(idsOf(await list(as)), [id]);
  t.like((await patch(as, id, { status: 'paid' })).body, { status: 'paid' });
  await share(false);
  await isForbidden();
});

test("a reseller's session may do with a member's orders what its key may: nothing until the member shares them, nor afterwards", async (t) => {
  const { reseller, member, id, share } = await aResellerWithMember();
  const bySession = (method: string, path = '', body?: object) =>
    world().call(method, `/partner/orders${path}?member=${member.reference}`, { token: reseller.token, body });
  const isForbidden = async (): Promise<void> => {
    const refused = [
      await bySession('GET'),
      await bySession('GET', `/${id}`),
      await bySession('GET', '/ord_none'),
      await bySession('PATCH', `/${id}`, { status: 'paid' }),
    ];
    for (const one of refused) isError(t, one, { status: 403, code: 'PARTNER_ACCOUNT_FORBIDDEN' });
  };
  await isForbidden();
  await share(true);
  t.deepEqual(idsOf(await bySession('GET')), [id]);
  t.is((await bySession('GET', `/${id}`)).body.id, id);
  t.like((await bySession('PATCH', `/${id}`, { status: 'paid', shipping: {} })).body, { status: 'paid' });
  const { entries } = (await world().call('GET', '/partner/items/A1/timeline', { token: member.token })).body;
  t.like(entries[0], { kind: 'order_shipped', actor: 'reseller', details: { orderId: id } });
  // A key records no sale, so a session records none for a member.
  const sale = { externalId: 'A1', platform: 'service', amount: 1, status: 'paid' };
  isError(t, await bySession('POST', '', sale), { status: 400, code: 'BAD_REQUEST' });
  const own = await world().call('GET', `/partner/orders/${id}`, { token: reseller.token });
  isError(t, own, { status: 404, code: 'NOT_FOUND' });
  await share(false);
  await isForbidden();
  await share(true);
  await world().call('DELETE', '/business/my-deal', { token: member.token });
  for (const one of [await bySession('GET'), await bySession('PATCH', `/${id}`, { status: 'completed' })])
    isError(t, one, { status: 404, code: 'NOT_FOUND' });
});

test('a choice to share is in the logs of both sides, once; the reseller sees it among its members', async (t) => {
  const { reseller, member, share } = await aResellerWithMember();
  await share(true);
  await share(true);
  const log = async (token: string) =>
    (await world().call('GET', '/partner/audit-log?kind=order_sharing_changed', { token })).body.entries;
  for (const { token } of [reseller, member]) {
    const entries = await log(token);
    t.is(entries.length, 1);
    t.like(entries[0], { details: { isShared: true } });
  }
  const { connections } = (await world().call('GET', '/business/my-profile/connections', { token: reseller.token }))
    .body;
  t.like(connections[0], { memberUserId: member.id, sharesOrders: true });
});

test('a member may share as it joins; one that says nothing does not; whoever is no member is told 409', async (t) => {
  const reseller = await world().reseller();
  const join = async (body?: object) => {
    const account = await world().account();
    const joined = await world().call('POST', `/p/${reseller.slug}/connect`, { token: account.token, body });
    return { account, joined };
  };
  t.true((await join({ sharesOrders: true })).joined.body.membership.sharesOrders);
  const { account, joined } = await join();
  t.false(joined.body.membership.sharesOrders);
  const again = { token: account.token, body: { sharesOrders: true } };
  t.false((await world().call('POST', `/p/${reseller.slug}/connect`, again)).body.membership.sharesOrders);
  const { token } = await world().account();
  const refused = await world().call('PATCH', '/business/my-deal', { token, body: { sharesOrders: true } });
  isError(t, refused, { status: 409, code: 'CONFLICT' });
});
