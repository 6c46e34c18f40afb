import test from 'ava';
import { accountId } from '../../features/rules/ids.ts';
import { connectMarketplace } from '../../features/listings/store/marketplace-connections.ts';
import { createMarketplaceWatch } from '../../features/listings/store/marketplace-watch.ts';
import { isError, withApiWorld, type ApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test);
const anItem = (fields: object = {}) => ({
  title: 'Bromsskiva',
  price: 149.5,
  imageUrls: ['https://img.example.se/1.jpg'],
  ...fields,
});
const put = (externalId: string, options: Parameters<ApiWorld['call']>[2]) =>
  world().call('PUT', `/integration/v1/items/${encodeURIComponent(externalId)}`, options);
const get = (externalId: string, options: Parameters<ApiWorld['call']>[2]) =>
  world().call('GET', `/integration/v1/items/${encodeURIComponent(externalId)}`, options);

// specification: none-put-with-a, put-202-with-success, 202, messages-item-created-item
test('PUT 202: creates, then updates, then says that nothing changed', async (t) => {
  const { apiKey } = await world().account();
  const created = await put('A1', { apiKey, body: anItem() });
  t.is(created.status, 202);
  t.like(created.body, { success: true, message: 'Item created' });
  t.deepEqual(Object.keys(created.body).sort(), ['itemId', 'message', 'success', 'warnings']);
  const updated = await put('A1', { apiKey, body: anItem({ price: 200 }) });
  t.deepEqual(updated.body, { success: true, itemId: created.body.itemId, message: 'Item updated' });
  const unchanged = await put('A1', { apiKey, body: anItem({ price: 200 }) });
  t.deepEqual(unchanged.body, { success: true, itemId: created.body.itemId, message: 'Item updated (unchanged)' });
});

// specification: put-the-same-external
test('PUT 202: 50 pushes of one new external_id at once make one item', async (t) => {
  const { apiKey } = await world().account();
  const replies = await Promise.all(Array.from({ length: 50 }, () => put('same', { apiKey, body: anItem() })));
  t.deepEqual([...new Set(replies.map((reply) => reply.status))], [202]);
  t.is(new Set(replies.map((reply) => reply.body.itemId)).size, 1);
  t.is(replies.filter((reply) => reply.body.message === 'Item created').length, 1);
});

// specification: unknown-fields-and-attributes
test('PUT 202: an unknown field is named in warnings', async (t) => {
  const { apiKey } = await world().account();
  const reply = await put('W', { apiKey, body: anItem({ price: 100, titel: 'x' }) });
  t.is(reply.status, 202);
  t.deepEqual(
    reply.body.warnings.map((warning: { field: string }) => warning.field),
    ['titel'],
  );
});

const strangeIds: readonly (readonly [externalId: string, words: readonly RegExp[]])[] = [
  ['  NB-6 ', [/begins or ends with a blank/]],
  ['NB-6\u00a0', [/begins or ends with a blank/]],
  ['   ', [/nothing but blanks/]],
  ['NB\n6', [/control characters/]],
  ['NB-6\t', [/begins or ends with a blank/, /control characters/]],
];
for (const [externalId, words] of strangeIds) {
  // specification: a-strange-id-and
  test(`PUT 202: the id ${JSON.stringify(externalId)} is kept as sent, with a warning`, async (t) => {
    const { apiKey } = await world().account();
    const reply = await put(externalId, { apiKey, body: anItem({ price: 100 }) });
    t.is(reply.status, 202);
    t.is(reply.body.warnings.length, words.length);
    for (const [index, { field, message }] of reply.body.warnings.entries()) {
      t.is(field, 'external_id');
      t.regex(message, words[index] ?? /never/);
    }
    t.is((await get(externalId, { apiKey })).body.externalId, externalId);
  });
}

test('PUT 202: an id with a blank or a letter of any script inside is nothing to be warned of', async (t) => {
  const { apiKey } = await world().account();
  for (const externalId of ['NB 6', 'Strålkastare', '左ライト', '🚗'])
    t.is((await put(externalId, { apiKey, body: anItem({ price: 100 }) })).body.warnings, undefined, externalId);
});

// specification: a-strange-id-and
test('PUT 202: without a usable marketplace connection, a push that wants to be published is warned', async (t) => {
  const { id, apiKey } = await world().account();
  const warningsOf = async (externalId: string, body: object, query = ''): Promise<unknown> => {
    const path = `/integration/v1/items/${externalId}${query}`;
    return (await world().call('PUT', path, { apiKey, body: anItem({ price: 100, ...body }) })).body.warnings;
  };
  const asked = { autoPublishTradera: true };
  const none = {
    field: 'autoPublishTradera',
    code: 'not_connected',
    params: {},
    message: 'no marketplace account is connected: the item is published once one is',
  };
  t.deepEqual(await warningsOf('P', asked, '?validateOnly=true'), [none]);
  t.deepEqual(await warningsOf('P', asked), [none]);
  t.deepEqual(await warningsOf('P', asked), [none], 'while it waits');
  t.is(await warningsOf('P', {}), undefined);
  t.is(await warningsOf('Q', {}), undefined);
  t.is(await warningsOf('Q', asked), undefined, 'autoPublishTradera counts only when the item is created');
  const account = accountId(id);
  const connection = { marketplaceUserId: '1', tokenEncrypted: 'x', tokenExpiresAt: null, now: world().now() };
  await connectMarketplace(world().store, account, connection);
  t.is(await warningsOf('P', asked), undefined);
  await createMarketplaceWatch(world().store).markExpired(account, 'x', world().now());
  t.regex(JSON.stringify(await warningsOf('P', asked)), /token has expired/);
});

test('PUT 202: a slash, a space and letters beyond ASCII in external_id come back as they were sent', async (t) => {
  const { apiKey } = await world().account();
  await put('år/2 %', { apiKey, body: anItem() });
  t.is((await get('år/2 %', { apiKey })).body.externalId, 'år/2 %');
});

test('PUT 202: __proto__ in the body is an ordinary unknown key', async (t) => {
  const { apiKey } = await world().account();
  const raw = '{"title":"x","price":10,"imageUrls":[],"__proto__":{"title":"y"}}';
  const reply = await put('proto', { apiKey, raw, headers: { 'content-type': 'application/json' } });
  t.is(reply.status, 202);
  t.deepEqual(
    reply.body.warnings.map((warning: { field: string }) => warning.field),
    ['__proto__'],
  );
});

// specification: external-id-at-most, 400, external-id-255-characters, malformed-json-long-external, bad-request-400
test('PUT 400: malformed JSON, broken UTF-8, no body, external_id over 255 characters', async (t) => {
  const { apiKey } = await world().account();
  const headers = { 'content-type': 'application/json' };
  isError(t, await put('B', { apiKey, raw: '{"title":', headers }), { status: 400, code: 'BAD_REQUEST' });
  isError(t, await put('B', { apiKey, raw: new Uint8Array([0x22, 0xff, 0x22]), headers }), {
    status: 400,
    code: 'BAD_REQUEST',
  });
  isError(t, await put('B', { apiKey }), { status: 400, code: 'BAD_REQUEST' });
  isError(t, await put('x'.repeat(256), { apiKey, body: anItem() }), { status: 400, code: 'BAD_REQUEST' });
  t.is((await put('x'.repeat(255), { apiKey, body: anItem() })).status, 202);
});

// specification: authentication-x-api-key, 401-the-message-says, unauthorized-401
test('PUT 401: no key, a wrong key, and a session instead of a key', async (t) => {
  const { token } = await world().account();
  for (const options of [{}, { apiKey: `sk_live_${'a'.repeat(43)}` }, { apiKey: 'x' }, { token }, { apiKey: token }]) {
    const reply = await put('C', { ...options, body: anItem() });
    isError(t, reply, { status: 401, code: 'UNAUTHORIZED' });
    t.regex(reply.body.error, /invalid or missing/i);
  }
});

test('PUT 401: a stranger is told so before anything of the body is looked at', async (t) => {
  isError(t, await put('C', { raw: '{', headers: { 'content-type': 'application/json' } }), {
    status: 401,
    code: 'UNAUTHORIZED',
  });
});

// specification: authentication-a-revoked-key
test('PUT 401: a revoked key fails at once', async (t) => {
  const { apiKey, token } = await world().account();
  const { keys } = (await world().call('GET', '/integration/api-keys', { token })).body;
  await world().call('DELETE', `/integration/api-keys/${keys[0].id}`, { token });
  isError(t, await put('D', { apiKey, body: anItem() }), { status: 401, code: 'UNAUTHORIZED' });
});

// specification: x-partner-account-a, all-reads-with-x
test('PUT 202: a reseller acts for its member, whose own key sees the item; the reseller itself does not', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  const headers = { 'x-partner-account': member.reference };
  const pushed = await put('M', { apiKey: reseller.apiKey, headers, body: anItem() });
  t.is(pushed.status, 202);
  t.is((await get('M', { apiKey: member.apiKey })).body.serviceItemId, pushed.body.itemId);
  t.is((await get('M', { apiKey: reseller.apiKey, headers })).status, 200);
  isError(t, await get('M', { apiKey: reseller.apiKey }), { status: 404, code: 'NOT_FOUND' });
});

// specification: x-partner-account-a, partner-account-forbidden-403
test('PUT 403: an unknown member and a caller that is no reseller get the same answer', async (t) => {
  const reseller = await world().reseller();
  const other = await world().reseller();
  const member = await world().memberOf(other);
  const stranger = await world().account();
  const replies = await Promise.all([
    put('N', { apiKey: reseller.apiKey, headers: { 'x-partner-account': 'nobody' }, body: anItem() }),
    put('N', { apiKey: reseller.apiKey, headers: { 'x-partner-account': member.reference }, body: anItem() }),
    put('N', { apiKey: stranger.apiKey, headers: { 'x-partner-account': member.reference }, body: anItem() }),
  ]);
  for (const reply of replies) isError(t, reply, { status: 403, code: 'PARTNER_ACCOUNT_FORBIDDEN' });
  t.is(new Set(replies.map((reply) => reply.text)).size, 1);
});

// specification: externalid-serviceitemid-servicestatus-marketplacestatus, marketplaceadid-marketplaceadurl-null-until
// specification: none-with-images-draft, pending-sync-until-the, get-the-item-status, etag-is-item-and, every-answer-holds-exactly
test('GET 200: the status, with an ETag of item and revision, never from a cache', async (t) => {
  const { apiKey } = await world().account();
  const { itemId } = (await put('H', { apiKey, body: anItem() })).body;
  const reply = await get('H', { apiKey });
  t.is(reply.status, 200);
  t.deepEqual(reply.body, {
    externalId: 'H',
    serviceItemId: itemId,
    serviceStatus: 'draft',
    marketplaceStatus: 'pending_sync',
    marketplaceAdId: null,
    marketplaceAdUrl: null,
    price: 149.5,
  });
  t.is(reply.headers.get('etag'), `"${itemId}.1"`);
  t.is(reply.headers.get('cache-control'), 'no-store');
});

// specification: 404-no-item-of, not-found-404
test('GET 404: an id of nobody, and the id of another account', async (t) => {
  const [owner, other] = [await world().account(), await world().account()];
  await put('I', { apiKey: owner.apiKey, body: anItem() });
  isError(t, await get('I', { apiKey: other.apiKey }), { status: 404, code: 'NOT_FOUND' });
  isError(t, await get('nothing', { apiKey: owner.apiKey }), { status: 404, code: 'NOT_FOUND' });
});

// specification: view-full-status-all
test('GET 200: view=full shows the whole item; another view is 400', async (t) => {
  const { apiKey } = await world().account();
  await put('full', { apiKey, body: anItem() });
  const read = (view: string) => world().call('GET', `/integration/v1/items/full?view=${view}`, { apiKey });
  t.like((await read('full')).body, { externalId: 'full', title: 'Bromsskiva', serviceStatus: 'draft' });
  isError(t, await read('half'), { status: 400, code: 'BAD_REQUEST' });
});
