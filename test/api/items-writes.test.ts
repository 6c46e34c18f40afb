import test from 'ava';
import { accountId, orderId } from '../../features/rules/ids.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { problem } from '../../features/rules/field-problems.ts';
import { changeNewestListing, openListing } from '../../features/listings/rules/publication.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { isError, withApiWorld, type CallOptions, type TestAccount } from '../support/api-world.ts';

const world = withApiWorld(test);
const anItem = (fields: object = {}) => ({ title: 'Bromsskiva', price: 149.5, imageUrls: [], ...fields });
const at = (externalId: string, rest = '') => `/integration/v1/items/${encodeURIComponent(externalId)}${rest}`;
const put = (externalId: string, options: CallOptions) => world().call('PUT', at(externalId), options);
const get = (externalId: string, options: CallOptions) => world().call('GET', at(externalId), options);
const patchPrice = (externalId: string, price: unknown, options: CallOptions) =>
  world().call('PATCH', at(externalId, '/price'), { body: { price }, ...options });
const patchStatus = (externalId: string, status: unknown, options: CallOptions) =>
  world().call('PATCH', at(externalId, '/status'), { body: { status }, ...options });
const remove = (externalId: string, options: CallOptions) => world().call('DELETE', at(externalId), options);
const publish = (externalId: string, options: CallOptions) => world().call('POST', at(externalId, '/publish'), options);

/** Something that happens to an item by itself: a sale, a publication. */
async function happen(owner: TestAccount, externalId: string, change: (item: Item) => Item): Promise<void> {
  const items = createItemStore(world().store);
  const item = await items.findVisible(accountId(owner.id), externalId);
  if (item === null || (await items.replace(item, change(item))) === null) throw new Error('the item is not there');
}
const openOrder = (item: Item): Item => ({ ...item, openOrderIds: [orderId('ord_1')] });
/** The marketplace refused 900 SEK, because there are bids. */
const refusePrice = (item: Item): Item => ({
  ...changeNewestListing(openListing({ ...item, wantedPublication: 1 }, item.createdAt), {
    state: 'live',
    adId: '9001',
    adUrl: 'https://marketplace.example/9001',
    hasBids: true,
  }),
  marketplaceStatus: 'active',
  refusedPriceOre: 90_000,
});
const closeOrder = (item: Item): Item => ({ ...item, openOrderIds: [] });

// specification: active-patch-price-stays, patch-price-202, messages-of-the-other
test('PATCH price 202: stored at once, then unchanged, each with the ETag that a read gives', async (t) => {
  const { apiKey } = await world().account();
  const { itemId } = (await put('P1', { apiKey, body: anItem() })).body;
  const changed = await patchPrice('P1', 200.5, { apiKey });
  t.is(changed.status, 202);
  t.deepEqual(changed.body.message, 'Price updated');
  t.is(changed.body.itemId, itemId);
  t.is(changed.headers.get('etag'), `"${itemId}.2"`);
  const read = await get('P1', { apiKey });
  t.is(read.body.price, 200.5);
  t.is(read.headers.get('etag'), changed.headers.get('etag'));
  const unchanged = await patchPrice('P1', 200.5, { apiKey });
  t.is(unchanged.body.message, 'Price updated (unchanged)');
  t.is(unchanged.headers.get('etag'), changed.headers.get('etag'));
});

test('a price that the marketplace refused because of bids is unchanged while they are there, with a warning', async (t) => {
  const owner = await world().account();
  const { apiKey } = owner;
  await put('P4', { apiKey, body: anItem() });
  await happen(owner, 'P4', refusePrice);
  const patched = await patchPrice('P4', 900, { apiKey });
  t.is(patched.body.message, 'Price updated (unchanged)');
  t.is(patched.body.warnings[0].field, 'price');
  const pushed = await put('P4', { apiKey, body: anItem({ price: 900 }) });
  t.is(pushed.body.message, 'Item updated (unchanged)');
  t.deepEqual(pushed.body.warnings, patched.body.warnings);
  const other = await put('P4', { apiKey, body: anItem({ price: 900, title: 'Bromsskiva bak' }) });
  t.is(other.body.message, 'Item updated');
  t.deepEqual(other.body.warnings, [...patched.body.warnings, problem('title', 'pending')]);
  t.is((await get('P4', { apiKey })).body.price, 149.5);
});

// specification: patch-status-202, messages-of-the-other
test('PATCH status 202: not_listed and sold from any state, then unchanged', async (t) => {
  const { apiKey } = await world().account();
  await put('S1', { apiKey, body: anItem({ imageUrls: ['https://img.example.se/1.jpg'] }) });
  for (const status of ['not_listed', 'sold', 'not_listed']) {
    const changed = await patchStatus('S1', status, { apiKey });
    t.is(changed.status, 202);
    t.is(changed.body.message, 'Status updated');
    const read = await get('S1', { apiKey });
    t.is(read.body.serviceStatus, status);
    t.is(read.headers.get('etag'), changed.headers.get('etag'));
    t.is((await patchStatus('S1', status, { apiKey })).body.message, 'Status updated (unchanged)');
  }
});

// specification: 1-patch-status-with
test('PATCH status 422: any other value gets the invalid-status message', async (t) => {
  const { apiKey } = await world().account();
  await put('S2', { apiKey, body: anItem() });
  for (const status of ['active', 'draft', 'archived', 'SOLD', '', 1, null, undefined]) {
    const reply = await patchStatus('S2', status, { apiKey });
    isError(t, reply, { status: 422, code: 'VALIDATION_FAILED' });
    t.regex(reply.body.error, /^Invalid status/);
  }
  t.is((await get('S2', { apiKey })).body.serviceStatus, 'active');
});

// specification: delete-202, after-delete-404-or
test('DELETE 202: the item is gone at once, and a PUT of its external_id makes a new one with higher event numbers', async (t) => {
  const { apiKey, id } = await world().account();
  const first = (await put('D1', { apiKey, body: anItem() })).body;
  const deleted = await remove('D1', { apiKey });
  t.is(deleted.status, 202);
  t.deepEqual(deleted.body, { success: true, itemId: first.itemId, message: 'Item deleted' });
  isError(t, await get('D1', { apiKey }), { status: 404, code: 'NOT_FOUND' });
  isError(t, await remove('D1', { apiKey }), { status: 404, code: 'NOT_FOUND' });
  const second = await put('D1', { apiKey, body: anItem() });
  t.is(second.body.message, 'Item created');
  t.not(second.body.itemId, first.itemId);
  const items = createItemStore(world().store);
  const [former, current] = [
    await items.findPredecessor(accountId(id), 'D1'),
    await items.findCurrent(accountId(id), 'D1'),
  ];
  t.true((current?.sequence ?? 0) > (former?.sequence ?? 0) + 50);
});

// specification: servicestatus-draft-active-not, any-delete-with-an, messages-of-the-other
test('DELETE 202: an item with an order in progress is kept as archived, and goes once the order is closed', async (t) => {
  const owner = await world().account();
  const { apiKey } = owner;
  const { itemId } = (await put('D2', { apiKey, body: anItem() })).body;
  await happen(owner, 'D2', openOrder);
  t.regex((await remove('D2', { apiKey })).body.message, /^Item archived/);
  t.like((await get('D2', { apiKey })).body, { serviceItemId: itemId, serviceStatus: 'archived' });
  const again = await remove('D2', { apiKey });
  t.is(again.status, 202);
  t.regex(again.body.message, /unchanged/);
  await happen(owner, 'D2', closeOrder);
  t.is((await remove('D2', { apiKey })).body.message, 'Item deleted');
  isError(t, await get('D2', { apiKey }), { status: 404, code: 'NOT_FOUND' });
});

// specification: publish-sold-and-archived, after-delete-404-or, conflict-409
test('409: PATCH and publish of an item that is only archived; a PUT makes a new one, which reads then show', async (t) => {
  const owner = await world().account();
  const { apiKey } = owner;
  const old = (await put('A1', { apiKey, body: anItem() })).body;
  await happen(owner, 'A1', openOrder);
  await remove('A1', { apiKey });
  for (const reply of [
    await patchPrice('A1', 500, { apiKey }),
    await patchStatus('A1', 'sold', { apiKey }),
    await publish('A1', { apiKey }),
  ]) {
    isError(t, reply, { status: 409, code: 'CONFLICT' });
  }
  const created = await put('A1', { apiKey, body: anItem() });
  t.is(created.body.message, 'Item created');
  t.not(created.body.itemId, old.itemId);
  t.is((await get('A1', { apiKey })).body.serviceItemId, created.body.itemId);
  t.is((await remove('A1', { apiKey })).body.itemId, created.body.itemId);
  t.is((await get('A1', { apiKey })).body.serviceItemId, old.itemId);
});

// specification: publish-active-publishes-not, publish-sold-and-archived, messages-of-the-other
test('publish 202: asked for once, then unchanged; what was taken down is active again; 409 for what is sold', async (t) => {
  const { apiKey } = await world().account();
  await put('U1', { apiKey, body: anItem() });
  const requested = await publish('U1', { apiKey });
  t.is(requested.status, 202);
  t.is(requested.body.message, 'Publication requested');
  t.is(requested.headers.get('etag'), (await get('U1', { apiKey })).headers.get('etag'));
  t.is((await publish('U1', { apiKey })).body.message, 'Publication requested (unchanged)');
  await patchStatus('U1', 'not_listed', { apiKey });
  t.is((await publish('U1', { apiKey })).body.message, 'Publication requested');
  t.is((await get('U1', { apiKey })).body.serviceStatus, 'active');
  await patchStatus('U1', 'sold', { apiKey });
  isError(t, await publish('U1', { apiKey }), { status: 409, code: 'CONFLICT' });
});

// specification: every-pair-of-states
test('a status that no row of the tables leads to can not be written', async (t) => {
  const owner = await world().account();
  await put('L1', { apiKey: owner.apiKey, body: anItem() });
  const illegal = happen(owner, 'L1', (item) => ({ ...item, serviceStatus: 'draft' }));
  await t.throwsAsync(illegal, { name: 'IllegalTransition' });
  t.is((await get('L1', { apiKey: owner.apiKey })).body.serviceStatus, 'active');
});

const writes = [
  ['PATCH', '/price', { price: 5 }],
  ['PATCH', '/status', { status: 'sold' }],
  ['DELETE', '', undefined],
  ['POST', '/publish', undefined],
] as const;

for (const [method, rest, body] of writes) {
  const name = `${method} …${rest}`;
  const call = (externalId: string, options: CallOptions) =>
    world().call(method, at(externalId, rest), { ...(body !== undefined && { body }), ...options });

  // specification: 2-patch-price-patch
  test(`${name} 404: an unknown external_id, and another account's`, async (t) => {
    const [owner, other] = [await world().account(), await world().account()];
    await put('I', { apiKey: owner.apiKey, body: anItem() });
    isError(t, await call('I', { apiKey: other.apiKey }), { status: 404, code: 'NOT_FOUND' });
    isError(t, await call('nothing', { apiKey: owner.apiKey }), { status: 404, code: 'NOT_FOUND' });
    t.is((await get('I', { apiKey: owner.apiKey })).headers.get('etag')?.endsWith('.1"'), true);
  });

  // specification: authentication-x-api-key, external-id-255-characters
  test(`${name} 401 without a key, and 400 for an external_id over 255 characters`, async (t) => {
    const { apiKey, token } = await world().account();
    isError(t, await call('x', {}), { status: 401, code: 'UNAUTHORIZED' });
    isError(t, await call('x', { token }), { status: 401, code: 'UNAUTHORIZED' });
    isError(t, await call('x'.repeat(256), { apiKey }), { status: 400, code: 'BAD_REQUEST' });
  });
}

// specification: x-partner-account-a, the-request-id-stays
test('a write of a reseller for its member is noted in the item as such; the member and the key are told apart', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  const headers = { 'x-partner-account': member.reference, 'x-request-id': 'call-1' };
  await put('J', { apiKey: reseller.apiKey, headers, body: anItem() });
  await patchPrice('J', 300, { apiKey: reseller.apiKey, headers });
  await patchStatus('J', 'not_listed', { apiKey: member.apiKey });
  await publish('J', { apiKey: reseller.apiKey, headers });
  await remove('J', { apiKey: reseller.apiKey, headers });
  const rows = world().store.connection.collection('journal').find({ accountId: member.id });
  const journal = (await rows.sort({ number: 1 }).toArray()) as unknown as Item['journal'];
  t.deepEqual(
    journal.map(({ number, kind, actor }) => [number, kind, actor.kind, actor.accountId]),
    [
      [1, 'created', 'reseller', reseller.id],
      [2, 'price_changed', 'reseller', reseller.id],
      [3, 'status_changed', 'api_key', member.id],
      [4, 'publish_requested', 'reseller', reseller.id],
      [5, 'deleted', 'reseller', reseller.id],
    ],
  );
  t.is(journal[0]?.actor.requestId, 'call-1');
  t.not(journal[2]?.actor.keyId, journal[1]?.actor.keyId);
});

test('POST publish 409: an order of the item is in progress', async (t) => {
  const account = await world().account();
  await put('O1', { apiKey: account.apiKey, body: anItem() });
  await happen(account, 'O1', openOrder);
  const reply = await publish('O1', { apiKey: account.apiKey });
  isError(t, reply, { status: 409, code: 'CONFLICT' });
  t.regex(reply.body.error, /^An order of this item is in progress; /);
  await happen(account, 'O1', closeOrder);
  t.is((await publish('O1', { apiKey: account.apiKey })).status, 202);
});

test('PUT and PATCH price 202: after a given-up publication they say why, and what tries again', async (t) => {
  const account = await world().account();
  const { apiKey } = account;
  await put('G1', { apiKey, body: anItem({ price: 150 }) });
  await happen(account, 'G1', (item) => ({
    ...changeNewestListing(openListing({ ...item, wantedPublication: 1 }, item.createdAt), { state: 'failed' }),
    processing: { ...item.processing, stage: 'given_up', lastError: 'LISTING_REFUSED: no such category' },
  }));
  const warnings = [
    {
      field: 'body',
      code: 'given_up',
      params: { lastError: 'LISTING_REFUSED: no such category' },
      message: 'publishing was given up (LISTING_REFUSED: no such category): POST …/publish tries again',
    },
  ];
  t.deepEqual((await put('G1', { apiKey, body: anItem({ price: 150 }) })).body.warnings, warnings);
  t.deepEqual((await patchPrice('G1', 300, { apiKey })).body.warnings, warnings);
  await publish('G1', { apiKey });
  t.is((await patchPrice('G1', 301, { apiKey })).body.warnings, undefined);
});

test('PUT 202: without images a live auction keeps its pictures, and a warning says so', async (t) => {
  const account = await world().account();
  const { apiKey } = account;
  await put('K1', { apiKey, body: anItem({ imageUrls: ['https://images.example.com/1.jpg'] }) });
  await happen(account, 'K1', (item) => ({
    ...changeNewestListing(openListing({ ...item, wantedPublication: 1 }, item.createdAt), {
      state: 'live',
      adId: '9001',
      imageHashes: ['a'.repeat(64)],
    }),
    marketplaceStatus: 'active',
  }));
  t.deepEqual((await put('K1', { apiKey, body: anItem({ price: 150 }) })).body.warnings, [
    problem('imageUrls', 'pending'),
  ]);
});
