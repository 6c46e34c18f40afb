import { randomUUID } from 'node:crypto';
import test from 'ava';
import { routes } from '../../api/routes.ts';
import { isIdempotent } from '../../api/http/route.ts';
import { isError, withApiWorld, type TestAccount } from '../support/api-world.ts';

const world = withApiWorld(test);
const url = 'https://erp.example.se/hooks';
const anItem = { title: 'Strålkastare', price: 450, imageUrls: [] };
const aKey = () => `key-${randomUUID()}`;
const keyed = (key: string) => ({ 'idempotency-key': key });

const create = (token: string, key: string, body: object = { url }) =>
  world().call('POST', '/integration/webhooks', { token, body, headers: keyed(key) });
const list = async (token: string) => (await world().call('GET', '/integration/webhooks', { token })).body.webhooks;
const listKeys = async (token: string) => (await world().call('GET', '/integration/api-keys', { token })).body.keys;

/** A second sender on another connection: has its session renewed after the clock was moved past it. */
const signIn = async ({ email, password }: TestAccount): Promise<string> =>
  (await world().call('POST', '/auth/login', { body: { email, password } })).body.accessToken;

// specification: honoured-on-every-post
test('create 201 again: the same record with its secret, Location and Idempotency-Replayed; one endpoint', async (t) => {
  const { token } = await world().account();
  const key = aKey();
  const first = await create(token, key);
  t.is(first.status, 201);
  t.is(first.headers.get('idempotency-replayed'), null);
  for (const again of [await create(token, key), await create(token, key)]) {
    t.is(again.status, 201);
    t.is(again.text, first.text);
    t.is(again.headers.get('idempotency-replayed'), 'true');
    t.is(again.headers.get('location'), first.headers.get('location'));
    t.is(again.headers.get('cache-control'), 'no-store');
    t.not(again.headers.get('x-request-id'), first.headers.get('x-request-id'));
  }
  t.is((await list(token)).length, 1);
});

test('without a key, and with another one, each call creates', async (t) => {
  const { token } = await world().account();
  await create(token, aKey());
  await create(token, aKey());
  await world().call('POST', '/integration/webhooks', { token, body: { url } });
  t.is((await list(token)).length, 3);
});

// specification: honoured-on-every-post
test('generate 200 again: the same raw key, one API key, also without a body', async (t) => {
  const { token } = await world().account();
  const headers = keyed(aKey());
  const generate = () => world().call('POST', '/integration/api-keys/generate', { token, headers });
  const [first, again] = [await generate(), await generate()];
  t.is(first.status, 200);
  t.deepEqual(again.body, first.body);
  t.is((await listKeys(token)).length, 2, 'that of the test account, and one more');
});

// specification: honoured-on-every-post
test('publish 202 again: the ETag of then, and nothing is published a second time', async (t) => {
  const { apiKey } = await world().account();
  const path = '/integration/v1/items/A1';
  await world().call('PUT', path, { apiKey, body: anItem });
  const publish = (query = '') =>
    world().call('POST', `${path}/publish${query}`, { apiKey, headers: keyed('same-for-each') });
  const first = await publish();
  t.is(first.status, 202, first.text);
  await world().call('PATCH', `${path}/price`, { apiKey, body: { price: 77 } });
  const again = await publish();
  t.is(again.status, 202);
  t.is(again.headers.get('etag'), first.headers.get('etag'));
  t.is(again.headers.get('idempotency-replayed'), 'true');
  const other = await publish('?validateOnly=true');
  isError(t, other, { status: 422, code: 'VALIDATION_FAILED' });
});

// specification: other-body-422
test('another body under the same key: 422 at the header, and nothing is created', async (t) => {
  const { token } = await world().account();
  const key = aKey();
  await create(token, key);
  for (const body of [{ url: `${url}/2` }, { url, description: 'more' }, { description: 'invalid as well' }]) {
    const reply = await create(token, key, body);
    isError(t, reply, { status: 422, code: 'VALIDATION_FAILED' });
    t.is(reply.body.details[0].field, 'Idempotency-Key');
  }
  t.is((await list(token)).length, 1);
});

// specification: other-body-422
test('a refusal is not kept: the corrected body goes through under the same key', async (t) => {
  const { token } = await world().account();
  const key = aKey();
  isError(t, await create(token, key, { url: 'http://erp.example.se' }), { status: 422, code: 'VALIDATION_FAILED' });
  isError(t, await create(token, key, { url, scope: 'members' }), {
    status: 403,
    code: 'RESELLER_AGREEMENT_REQUIRED',
  });
  const good = await create(token, key);
  t.is(good.status, 201);
  t.is(good.headers.get('idempotency-replayed'), null);
});

// specification: still-running-409-request
test('of 20 calls at once one creates; the others get its answer or 409 with Retry-After', async (t) => {
  const { token } = await world().account();
  const key = aKey();
  const replies = await Promise.all(Array.from({ length: 20 }, () => create(token, key)));
  const done = replies.filter(({ status }) => status === 201);
  t.is(done.filter(({ headers }) => headers.get('idempotency-replayed') === null).length, 1);
  for (const reply of replies.filter(({ status }) => status !== 201)) {
    isError(t, reply, { status: 409, code: 'REQUEST_IN_PROGRESS' });
    t.regex(reply.headers.get('retry-after') ?? '', /^\d+$/);
  }
  t.is((await list(token)).length, 1);
  t.deepEqual(new Set(done.map(({ text }) => text)), new Set([(await create(token, key)).text]));
});

// specification: scoped-to-account-method
test('a key counts for one account, one path and its parameters', async (t) => {
  const [one, other] = [await world().account(), await world().account()];
  const key = aKey();
  const ids = [(await create(one.token, key)).body.id, (await create(other.token, key)).body.id];
  t.not(ids[0], ids[1]);
  const generated = await world().call('POST', '/integration/api-keys/generate', {
    token: one.token,
    headers: keyed(key),
  });
  t.is(generated.status, 200);
  for (const externalId of ['A1', 'A2']) {
    await world().call('PUT', `/integration/v1/items/${externalId}`, { apiKey: one.apiKey, body: anItem });
    const path = `/integration/v1/items/${externalId}/publish`;
    const reply = await world().call('POST', path, { apiKey: one.apiKey, headers: keyed(key) });
    t.is(reply.status, 202);
    t.is(reply.headers.get('idempotency-replayed'), null);
  }
});

// specification: scoped-to-account-method
test('a key of a reseller counts for each member by itself', async (t) => {
  const reseller = await world().reseller();
  const members = [await world().memberOf(reseller), await world().memberOf(reseller)];
  const itemIds = [];
  for (const { reference } of members) {
    const headers = { 'x-partner-account': reference, ...keyed('the-same') };
    const { apiKey } = reseller;
    await world().call('PUT', '/integration/v1/items/A1', { apiKey, body: anItem, headers });
    const reply = await world().call('POST', '/integration/v1/items/A1/publish', { apiKey, headers });
    t.is(reply.headers.get('idempotency-replayed'), null);
    itemIds.push(reply.body.itemId);
  }
  t.is(new Set(itemIds).size, 2);
});

// specification: scoped-to-account-method
test('the spelling of the path makes no difference', async (t) => {
  const { apiKey } = await world().account();
  await world().call('PUT', '/integration/v1/items/A1', { apiKey, body: anItem });
  const publish = (path: string) => world().call('POST', path, { apiKey, headers: keyed('k') });
  await publish('/integration/v1/items/A1/publish');
  for (const path of ['/integration/v1/items/%41%31/publish', '/integration/v1/items/A1/publish/'])
    t.is((await publish(path)).headers.get('idempotency-replayed'), 'true');
});

// specification: 1-to-255-visible
test('400: no key, too long, blanks, beyond ASCII, twice', async (t) => {
  const { token } = await world().account();
  for (const key of ['', 'x'.repeat(256), 'a key', 'nyckel-ä', 'one, other', 'tab\there'])
    isError(t, await create(token, key), { status: 400, code: 'BAD_REQUEST' });
  t.is((await create(token, 'x'.repeat(255))).status, 201);
  t.is((await create(token, '!"~')).status, 201);
  t.is((await list(token)).length, 2);
});

// specification: scoped-to-account-method
test('what a stranger sends is not looked at: 401, also under a key that was used', async (t) => {
  const { token, apiKey } = await world().account();
  const key = aKey();
  await create(token, key);
  isError(t, await create('no.session.at-all', key), { status: 401, code: 'UNAUTHORIZED' });
  const withKey = await world().call('POST', '/integration/webhooks', { apiKey, body: { url }, headers: keyed(key) });
  isError(t, withKey, { status: 401, code: 'UNAUTHORIZED' });
});

// specification: honoured-on-every-post
test('a replayed answer stays the first one, whatever has happened to the resource', async (t) => {
  const { token } = await world().account();
  const key = aKey();
  const first = await create(token, key);
  await world().call('DELETE', `/integration/webhooks/${first.body.id}`, { token });
  t.is((await create(token, key)).text, first.text);
  t.is((await list(token)).length, 0);
});

// specification: answers-that-hold-a
test('neither the secret nor the key of a call stands anywhere in the database', async (t) => {
  const { token } = await world().account();
  const key = aKey();
  const { secret } = (await create(token, key)).body;
  const headers = keyed(key);
  const { apiKey } = (await world().call('POST', '/integration/api-keys/generate', { token, headers })).body;
  const { db } = world().store.connection;
  const everything = [];
  for (const { collectionName } of (await db?.collections()) ?? [])
    everything.push(...((await db?.collection(collectionName).find().toArray()) ?? []));
  const text = JSON.stringify(everything);
  t.true(text.includes('answerEncrypted'));
  for (const hidden of [secret, apiKey, key]) t.false(text.includes(hidden));
  t.false(JSON.stringify(world().logLines).includes(key));
});

// specification: for-24-hours
test.serial('after 24 hours the key is free', async (t) => {
  const person = await world().account();
  const key = aKey();
  const first = await create(person.token, key);
  world().pass(23 * 3_600_000);
  t.is((await create(await signIn(person), key)).text, first.text);
  world().pass(3_600_001);
  const later = await create(await signIn(person), key, { url, description: 'another body' });
  t.is(later.status, 201);
  t.not(later.body.id, first.body.id);
});

// specification: honoured-on-every-post
test('every POST with a credential honours the header, but those that create nothing when repeated', (t) => {
  const others = routes.filter(
    (route) => route.method === 'post' && !isIdempotent(route) && route.credential !== 'none',
  );
  t.deepEqual(
    others.map(({ path }) => path),
    [
      '/auth/password',
      '/auth/email',
      '/auth/email/verification',
      '/integration/webhooks/{id}/rotate-secret',
      '/integration/webhook-settings/rotate-secret',
      '/integration/v1/webhooks/{id}/rotate-secret',
      // Each begins a login of its own; one is completed once.
      '/partner/marketplace-connection/login',
      '/partner/marketplace-connection/login/complete',
      // An address gets one mail a day.
      '/business/invitations',
      // The simulated marketplace refuses what has happened.
      '/integration/v1/sandbox/items/{external_id}/sell',
      '/integration/v1/sandbox/items/{external_id}/end',
      '/integration/v1/sandbox/orders/{id}/pay',
    ],
  );
});
