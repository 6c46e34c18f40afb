import test from 'ava';
import { isError, withApiWorld, type TestAccount } from '../support/api-world.ts';
import { said } from '../support/said.ts';

const world = withApiWorld(test);

const aBody = { title: 'Strålkastare', price: 450, imageUrls: [] };
const push = (account: TestAccount, externalId: string, body = {}) =>
  world().call('PUT', `/integration/v1/items/${externalId}`, { apiKey: account.apiKey, body: { ...aBody, ...body } });
const aSale = { externalId: 'A1', platform: 'service_card', amount: 349.5 };
const sell = (account: TestAccount, body: object = {}, headers = {}) =>
  world().call('POST', '/partner/orders', { token: account.token, body: { ...aSale, ...body }, headers });
const patch = (account: TestAccount, id: string, status: unknown) =>
  world().call('PATCH', `/partner/orders/${id}`, { token: account.token, body: { status } });
const read = (account: TestAccount, path: string) => world().call('GET', path, { token: account.token });
const list = (account: TestAccount, query = '') => read(account, `/partner/orders${query}`);

const notSent = { shippedAt: null, carrier: null, trackingNumber: null, method: null, cost: null };

async function aSeller(...externalIds: string[]): Promise<TestAccount> {
  const account = await world().account();
  for (const externalId of externalIds) await push(account, externalId);
  return account;
}

// specification: post-records-a-direct
test('POST 201: the order in full, which GET has at once; the item is sold', async (t) => {
  const account = await aSeller();
  await push(account, 'A1', { domain: { domain: 'electronics' } });
  const sold = await sell(account, { status: 'paid' });
  t.is(sold.status, 201, sold.text);
  const { id, itemId, soldAt, paidAt, createdAt, updatedAt, ...rest } = sold.body;
  t.deepEqual(rest, {
    externalId: 'A1',
    platform: 'service_card',
    amount: 349.5,
    fee: 17.48,
    net: 332.02,
    currency: 'SEK',
    feeBps: 500,
    status: 'paid',
    category: 'Elektronik',
    domain: 'electronics',
    marketplaceAdId: null,
    title: 'Strålkastare',
    conflictingOrderIds: [],
    completedAt: null,
    cancelledAt: null,
    shipping: notSent,
  });
  t.regex(id, /^ord_[\da-f-]{36}$/);
  t.true([soldAt, paidAt, createdAt, updatedAt].every((at) => typeof at === 'string'));
  t.is(sold.headers.get('location'), `/partner/orders/${id}`);
  t.deepEqual((await read(account, `/partner/orders/${id}`)).body, { ...sold.body, buyer: null });
  t.deepEqual((await list(account)).body, { orders: [sold.body], nextCursor: null, nextUpdatedSince: null });
  const status = await world().call('GET', '/integration/v1/items/A1', { apiKey: account.apiKey });
  t.like(status.body, { serviceItemId: itemId, serviceStatus: 'sold', marketplaceStatus: 'pending_sync' });
});

test('POST 201: without a status it is pending; timeline and log say who sold it', async (t) => {
  const account = await aSeller('A1');
  t.like((await sell(account)).body, { status: 'pending', paidAt: null });
  const timeline = await world().call('GET', '/integration/v1/items/A1/timeline', { apiKey: account.apiKey });
  t.like(timeline.body.entries[0], { kind: 'sold', actor: 'dashboard' });
});

test('POST 404: an item that is not there, or is another account’s', async (t) => {
  const [account, stranger] = [await aSeller(), await aSeller('A1')];
  isError(t, await sell(account), { status: 404, code: 'NOT_FOUND' });
  t.deepEqual((await list(stranger)).body.orders, []);
});

// specification: a-direct-sale-of
test('POST 409: sold already, in an order, archived; each with its reason', async (t) => {
  const account = await aSeller('A1', 'B1', 'C1');
  await sell(account);
  const again = await sell(account);
  isError(t, again, { status: 409, code: 'CONFLICT' });
  t.regex(again.body.error, /order .* in progress/);
  await world().call('PATCH', '/integration/v1/items/B1/status', { apiKey: account.apiKey, body: { status: 'sold' } });
  const sold = await sell(account, { externalId: 'B1' });
  isError(t, sold, { status: 409, code: 'CONFLICT' });
  t.regex(sold.body.error, /sold already/);
  await sell(account, { externalId: 'C1' });
  await world().call('DELETE', '/integration/v1/items/C1', { apiKey: account.apiKey });
  const archived = await sell(account, { externalId: 'C1' });
  isError(t, archived, { status: 409, code: 'CONFLICT' });
  t.regex(archived.body.error, /archived/);
});

const badBodies: readonly (readonly [string, object, string])[] = [
  ['amount 0', { amount: 0 }, 'amount'],
  ['a negative amount', { amount: -1 }, 'amount'],
  ['three decimals', { amount: 1.005 }, 'amount'],
  ['more than 100 million', { amount: 100_000_001 }, 'amount'],
  ['an amount as text', { amount: '12' }, 'amount'],
  ['1e-7', { amount: 1e-7 }, 'amount'],
  ['1e21', { amount: 1e21 }, 'amount'],
  ['1e21 as text', { amount: '1e21' }, 'amount'],
  ['NaN as text', { amount: 'NaN' }, 'amount'],
  ['Infinity as text', { amount: 'Infinity' }, 'amount'],
  ['no number', { amount: null }, 'amount'],
  ['the marketplace as platform', { platform: 'marketplace' }, 'platform'],
  ['an order that is completed at once', { status: 'completed' }, 'status'],
  ['an unknown field', { ammount: 3 }, 'ammount'],
  ['no external id', { externalId: '' }, 'externalId'],
  ['an external id of 256 characters', { externalId: 'x'.repeat(256) }, 'externalId'],
];
for (const [name, body, field] of badBodies) {
  test(`POST 422: ${name}`, async (t) => {
    const reply = await sell(await world().account(), body);
    isError(t, reply, { status: 422, code: 'VALIDATION_FAILED' });
    t.is(reply.body.details[0].field, field);
  });
}

test('POST 422: 1e400, which is no number that there is; 400: NaN and Infinity, which JSON has not', async (t) => {
  const account = await aSeller('A1');
  const headers = { 'content-type': 'application/json' };
  const sellAt = (amount: string) => {
    const raw = `{"externalId":"A1","platform":"service","amount":${amount}}`;
    return world().call('POST', '/partner/orders', { token: account.token, raw, headers });
  };
  isError(t, await sellAt('1e400'), { status: 422, code: 'VALIDATION_FAILED' });
  for (const amount of ['NaN', '-Infinity']) {
    const refused = await sellAt(amount);
    t.is(refused.status, 400, refused.text);
  }
  t.deepEqual((await list(account)).body.orders, []);
});

test('POST 201: 0.01 and 100 million SEK, exact to the öre', async (t) => {
  const account = await aSeller('A1', 'B1');
  t.like((await sell(account, { amount: 0.01 })).body, { amount: 0.01, fee: 0, net: 0.01 });
  t.like((await sell(account, { externalId: 'B1', amount: 99_999_999.99, isAmountConfirmed: true })).body, {
    amount: 99_999_999.99,
    fee: 5_000_000,
    net: 94_999_999.99,
  });
});

test('POST 422: an amount far above the price asks back once, and says what to send', async (t) => {
  const account = await aSeller('A1', 'B1', 'C1');
  const key = { 'idempotency-key': 'sale-1' };
  const slip = await sell(account, { amount: 34_950 }, key);
  isError(t, slip, { status: 422, code: 'VALIDATION_FAILED' });
  t.deepEqual(said(slip.body.details), [
    {
      field: 'isAmountConfirmed',
      message: 'must be true, because the amount is ten times the price of the item (450 SEK) or more',
    },
  ]);
  t.is((await list(account)).body.orders.length, 0);
  t.is((await read(account, '/partner/items/A1')).body.serviceStatus, 'active');
  t.is((await sell(account, { amount: 34_950, isAmountConfirmed: true }, key)).status, 201);
  // 450 SEK ten times is less than 10,000 SEK.
  t.is((await sell(account, { externalId: 'B1', amount: 9_999.99 })).status, 201);
  isError(t, await sell(account, { externalId: 'C1', amount: 10_000, isAmountConfirmed: 'yes' }), {
    status: 422,
    code: 'VALIDATION_FAILED',
  });
});

test('orders of two pieces of an item are no conflict, in each and in the list', async (t) => {
  const account = await world().account();
  const item = { title: 'Strålkastare', price: 450, imageUrls: [], quantity: 3 };
  await world().call('PUT', '/integration/v1/items/A1', { apiKey: account.apiKey, body: item });
  const sold = [await sell(account), await sell(account)];
  t.deepEqual(
    [...sold.map(({ body }) => body), ...(await list(account)).body.orders].map((one) => one.conflictingOrderIds),
    [[], [], [], []],
  );
});

// specification: a-direct-sale-is
test('POST with an Idempotency-Key: the same sale again is the first answer; another body is 422', async (t) => {
  const account = await aSeller('A1');
  const key = { 'idempotency-key': 'sale-1' };
  const first = await sell(account, {}, key);
  const again = await sell(account, {}, key);
  t.is(again.status, 201);
  t.deepEqual(again.body, first.body);
  t.is(again.headers.get('idempotency-replayed'), 'true');
  isError(t, await sell(account, { amount: 1 }, key), { status: 422, code: 'VALIDATION_FAILED' });
  t.is((await list(account)).body.orders.length, 1);
});

// specification: pending-paid-or-cancelled
test('PATCH 200: along the whole machine, the same state again too; DELETE works again when it is over', async (t) => {
  const account = await aSeller('A1');
  const { id } = (await sell(account)).body;
  t.like((await patch(account, id, 'pending')).body, { status: 'pending' });
  t.like((await patch(account, id, 'paid')).body, { status: 'paid', completedAt: null });
  const remove = () => world().call('DELETE', '/integration/v1/items/A1', { apiKey: account.apiKey });
  t.regex((await remove()).body.message, /archived/);
  const completed = await patch(account, id, 'completed');
  t.is(completed.status, 200);
  t.is(typeof completed.body.completedAt, 'string');
  t.deepEqual((await patch(account, id, 'completed')).body, completed.body);
  t.is((await remove()).body.message, 'Item deleted');
  t.is((await world().call('GET', '/integration/v1/items/A1', { apiKey: account.apiKey })).status, 404);
  const kept = (await read(account, `/partner/orders/${id}`)).body;
  t.like(kept, { status: 'completed', externalId: 'A1' });
  t.is(typeof kept.title, 'string', 'until the tombstone is removed');
});

// specification: a-cancelled-order-leaves
test('PATCH 200: a cancelled order leaves the item sold; taken off and sold again it is another order', async (t) => {
  const account = await aSeller('A1');
  const { id } = (await sell(account)).body;
  t.is((await patch(account, id, 'cancelled')).status, 200);
  isError(t, await sell(account), { status: 409, code: 'CONFLICT' });
  const body = { status: 'not_listed' };
  await world().call('PATCH', '/integration/v1/items/A1/status', { apiKey: account.apiKey, body });
  const second = await sell(account);
  t.is(second.status, 201);
  t.not(second.body.id, id);
  const timeline = await world().call('GET', '/integration/v1/items/A1/timeline', { apiKey: account.apiKey });
  const kinds = timeline.body.entries.map(({ kind }: { kind: string }) => kind);
  t.deepEqual(kinds, ['sold', 'status_changed', 'order_cancelled', 'sold', 'created']);
});

// specification: pending-paid-or-cancelled
test('PATCH 409: a step that the machine has not, naming both states', async (t) => {
  const account = await aSeller('A1');
  const { id } = (await sell(account)).body;
  const refused = await patch(account, id, 'completed');
  isError(t, refused, { status: 409, code: 'CONFLICT' });
  t.regex(refused.body.error, /pending.*completed/);
  await patch(account, id, 'cancelled');
  isError(t, await patch(account, id, 'paid'), { status: 409, code: 'CONFLICT' });
});

test('PATCH 422: a status that there is none, an unknown field; 400: a query', async (t) => {
  const account = await aSeller('A1');
  const { id } = (await sell(account)).body;
  isError(t, await patch(account, id, 'shipped'), { status: 422, code: 'VALIDATION_FAILED' });
  const options = { token: account.token, body: { status: 'paid', note: 'x' } };
  isError(t, await world().call('PATCH', `/partner/orders/${id}`, options), { status: 422, code: 'VALIDATION_FAILED' });
  const withQuery = { token: account.token, body: { status: 'paid' } };
  const reply = await world().call('PATCH', `/partner/orders/${id}?dryRun=true`, withQuery);
  isError(t, reply, { status: 400, code: 'BAD_REQUEST' });
});

// specification: pages-filters-and-only
test('GET and PATCH 404: another account’s order, also a member’s for its reseller', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  await push(member, 'A1');
  const { id } = (await sell(member)).body;
  for (const other of [reseller, await aSeller()]) {
    isError(t, await read(other, `/partner/orders/${id}`), { status: 404, code: 'NOT_FOUND' });
    isError(t, await patch(other, id, 'cancelled'), { status: 404, code: 'NOT_FOUND' });
    t.deepEqual((await list(other)).body.orders, []);
  }
  t.like((await read(member, `/partner/orders/${id}`)).body, { status: 'pending' });
});

// specification: pages-filters-and-only
test('GET 200: pages, newest first, and every filter alone and together', async (t) => {
  const names = ['A1', 'A2', 'A3', 'A4', 'A5'];
  const account = await aSeller(...names);
  const sold: string[] = [];
  for (const externalId of names) {
    sold.push((await sell(account, { externalId })).body.id);
    world().pass(1_000);
  }
  await patch(account, sold[1] ?? '', 'cancelled');
  const idsOf = async (query: string): Promise<string[]> =>
    (await list(account, query)).body.orders.map(({ id }: { id: string }) => id);
  t.deepEqual(await idsOf(''), sold.toReversed());
  t.deepEqual(await idsOf('?status=cancelled'), [sold[1]]);
  t.deepEqual(await idsOf('?externalId=A3'), [sold[2]]);
  t.deepEqual(await idsOf('?externalId=A3&status=cancelled'), []);
  const third = (await read(account, `/partner/orders/${sold[2] ?? ''}`)).body.createdAt as string;
  t.deepEqual(await idsOf(`?from=${third}`), sold.slice(2).toReversed());
  t.deepEqual(await idsOf(`?to=${third}`), sold.slice(0, 2).toReversed());
  const read2 = async (query: string): Promise<string[]> => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = (await list(account, `?limit=2${query}${cursor === null ? '' : `&cursor=${cursor}`}`)).body as {
        orders: { id: string }[];
        nextCursor: string | null;
      };
      seen.push(...page.orders.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    return seen;
  };
  t.deepEqual(await read2(''), sold.toReversed());
  t.deepEqual(await read2('&status=pending'), [sold[4], sold[3], sold[2], sold[0]]);
});

test('GET 400: unknown parameters, bad values, a cursor of other filters or of nobody', async (t) => {
  const account = await aSeller('A1', 'A2');
  await sell(account);
  await sell(account, { externalId: 'A2' });
  const { nextCursor } = (await list(account, '?limit=1')).body;
  for (const query of [
    '?state=paid',
    '?status=shipped',
    '?limit=0',
    '?limit=201',
    '?externalId=',
    '?from=yesterday',
    '?cursor=x',
    `?cursor=${nextCursor}&status=paid`,
    '?status=paid&status=pending',
  ])
    isError(t, await list(account, query), { status: 400, code: 'BAD_REQUEST' });
});
