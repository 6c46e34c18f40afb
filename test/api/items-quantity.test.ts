import test from 'ava';
import { isError, withApiWorld, type TestAccount } from '../support/api-world.ts';
import { ok } from '../support/audit-steps.ts';
import { said } from '../support/said.ts';

const world = withApiWorld(test);
const path = '/integration/v1/items/A';
const put = ({ apiKey }: TestAccount, body: object, headers = {}) =>
  world().call('PUT', path, { apiKey, headers, body: { title: 'Ratt', price: 450, imageUrls: [], ...body } });
const patch = ({ apiKey }: TestAccount, body: unknown, headers: Record<string, string> = {}) =>
  world().call('PATCH', `${path}/quantity`, { apiKey, body, headers });
const read = ({ apiKey }: TestAccount) => ok(world().call('GET', path, { apiKey }));
const tagOf = (reply: { headers: Headers }): string => reply.headers.get('etag') ?? '';
const sell = ({ token }: TestAccount) =>
  ok(
    world().call('POST', '/partner/orders', {
      token,
      body: { externalId: 'A', platform: 'service_card', amount: 500 },
    }),
  );

test('PATCH 202: with the ETag that was read, and the status shows what is left', async (t) => {
  const account = await world().account();
  await ok(put(account, { quantity: 3 }));
  const before = await read(account);
  t.is(before.body.quantity, 3);
  const reply = await ok(patch(account, { quantity: 5 }, { 'If-Match': tagOf(before) }));
  t.is(reply.body.message, 'Quantity updated');
  const after = await read(account);
  t.is(after.body.quantity, 5);
  t.is(tagOf(after), tagOf(reply));
});

test('PATCH 412: a sale since the read is not counted back', async (t) => {
  const account = await world().account();
  await ok(put(account, { quantity: 3 }));
  const before = await read(account);
  await sell(account);
  isError(t, await patch(account, { quantity: 3 }, { 'If-Match': tagOf(before) }), {
    status: 412,
    code: 'PRECONDITION_FAILED',
  });
  t.is((await read(account)).body.quantity, 2);
});

test('PATCH 428: If-Match is required, and * sets the number whatever was sold', async (t) => {
  const account = await world().account();
  await ok(put(account, { quantity: 3 }));
  isError(t, await patch(account, { quantity: 1 }), { status: 428, code: 'PRECONDITION_REQUIRED' });
  await ok(patch(account, { quantity: 1 }, { 'If-Match': '*' }));
  t.is((await read(account)).body.quantity, 1);
});

for (const quantity of [-1, 1.5, 10_001, '3', null])
  test(`PATCH and PUT 422: ${JSON.stringify(quantity)} is no quantity`, async (t) => {
    const account = await world().account();
    await ok(put(account, {}));
    const reply = await patch(account, { quantity }, { 'If-Match': '*' });
    isError(t, reply, { status: 422, code: 'VALIDATION_FAILED' });
    t.is(reply.body.details[0].field, 'quantity');
    if (quantity !== null) t.is((await put(account, { quantity })).status, 422);
  });

test('PATCH 404: of an item that is not there', async (t) => {
  const account = await world().account();
  isError(t, await patch(account, { quantity: 1 }, { 'If-Match': '*' }), { status: 404, code: 'NOT_FOUND' });
});

test('PUT 202: the same number again does not count a sale back, another one does and says so', async (t) => {
  const account = await world().account();
  await ok(put(account, { quantity: 3 }));
  await sell(account);
  t.is((await ok(put(account, { quantity: 3 }))).body.message, 'Item updated (unchanged)');
  t.is((await read(account)).body.quantity, 2);
  const reply = await ok(put(account, { quantity: 9 }));
  t.deepEqual(said(reply.body.warnings), [
    { field: 'quantity', message: '1 sold since 3 was told, which left 2; from now on 9 counts' },
  ]);
  t.is((await read(account)).body.quantity, 9);
});

test('the dashboard sets it by session, with the same condition', async (t) => {
  const account = await world().account();
  await ok(put(account, { quantity: 3 }));
  const byToken = (headers: Record<string, string>) =>
    world().call('PATCH', '/partner/items/A/quantity', { token: account.token, body: { quantity: 7 }, headers });
  isError(t, await byToken({}), { status: 428, code: 'PRECONDITION_REQUIRED' });
  await ok(byToken({ 'If-Match': tagOf(await read(account)) }));
  t.is((await read(account)).body.quantity, 7);
});

test('publish 409: none is left', async (t) => {
  const account = await world().account();
  await ok(put(account, { quantity: 0 }));
  const reply = await world().call('POST', `${path}/publish`, { apiKey: account.apiKey });
  isError(t, reply, { status: 409, code: 'CONFLICT' });
  t.regex(reply.body.error, /None of this item is left/);
});
