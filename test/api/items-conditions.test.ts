import test from 'ava';
import { isError, withApiWorld, type CallOptions, type Reply } from '../support/api-world.ts';

const world = withApiWorld(test);
const anItem = (fields: object = {}) => ({ title: 'Bromsskiva', price: 149.5, imageUrls: [], ...fields });
const at = (externalId: string, rest = '') => `/integration/v1/items/${externalId}${rest}`;
const get = (externalId: string, apiKey: string) => world().call('GET', at(externalId), { apiKey });
const put = (externalId: string, options: CallOptions) =>
  world().call('PUT', at(externalId), { body: anItem(), ...options });
const isLost = { status: 412, code: 'PRECONDITION_FAILED' };

/** Every write, each of which changes the item of {@link anItem}. */
const writes = {
  PUT: ['PUT', '', anItem({ price: 7 })],
  'PATCH price': ['PATCH', '/price', { price: 5 }],
  'PATCH status': ['PATCH', '/status', { status: 'not_listed' }],
  publish: ['POST', '/publish', undefined],
  DELETE: ['DELETE', '', undefined],
} as const;
type Write = keyof typeof writes;

function send(write: Write, externalId: string, options: CallOptions & { query?: string }): Promise<Reply> {
  const [method, rest, body] = writes[write];
  const path = at(externalId, rest) + (options.query ?? '');
  return world().call(method, path, { ...(body !== undefined && { body }), ...options });
}

for (const write of Object.keys(writes) as Write[]) {
  const call = (apiKey: string, tag: string) => send(write, 'A', { apiKey, headers: { 'if-match': tag } });

  // specification: if-match-on-put, precondition-failed-412
  test(`${write} with If-Match: 412 without effect when the item has moved on, 202 at the version that was read`, async (t) => {
    const { apiKey } = await world().account();
    const created = await put('A', { apiKey });
    const old = created.headers.get('etag') ?? '';
    const changed = await put('A', { apiKey, body: anItem({ price: 200 }) });
    const present = changed.headers.get('etag') ?? '';
    for (const stale of [old, '"x"', `${old}, "x.2"`]) {
      const answer = await call(apiKey, stale);
      isError(t, answer, isLost);
      t.notRegex(String(answer.body.error), /weak/);
    }
    for (const weak of [`W/${present}`, `W/${old}`, `"x", W/${present}`, `W/${present}, W/"x"`, 'W/""']) {
      const answer = await call(apiKey, weak);
      isError(t, answer, isLost);
      t.regex(String(answer.body.error), /weak tag \(W\/\) never matches: send the ETag without W\/.*proxy/, weak);
    }
    t.is((await get('A', apiKey)).headers.get('etag'), present);
    t.is((await call(apiKey, `"x", ${present}`)).status, 202);
  });

  // specification: if-match-on-put
  test(`${write} with If-Match: * takes any version; what is no tag is 400`, async (t) => {
    const { apiKey } = await world().account();
    await put('A', { apiKey });
    for (const bad of ['x', '"x', '*, "a"', ','])
      isError(t, await call(apiKey, bad), { status: 400, code: 'BAD_REQUEST' });
    t.is((await call(apiKey, '*')).status, 202);
  });

  // specification: 404-and-409-come
  test(`${write} with If-Match on an unknown external_id: ${write === 'PUT' ? 412 : 404}`, async (t) => {
    const { apiKey } = await world().account();
    const expected = write === 'PUT' ? isLost : { status: 404, code: 'NOT_FOUND' };
    isError(t, await call(apiKey, '*'), expected);
    isError(t, await call(apiKey, '"x"'), expected);
    isError(t, await get('A', apiKey), { status: 404, code: 'NOT_FOUND' });
  });

  // specification: validateonly-all-checks-the
  test(`${write} with validateOnly: 200 says what would happen, and nothing does`, async (t) => {
    const { apiKey, id } = await world().account();
    await put('A', { apiKey });
    const rows = () => world().store.connection.collection('items').find({ accountId: id }).toArray();
    const before = await rows();
    const reply = await send(write, 'A', { apiKey, query: '?validateOnly=true' });
    t.is(reply.status, 200);
    t.true(reply.body.valid);
    t.regex(reply.body.message, /would/);
    t.deepEqual(reply.body.warnings, []);
    t.deepEqual(await rows(), before);
    t.is((await send(write, 'A', { apiKey, query: '?validateOnly=false' })).status, 202);
  });

  // specification: validateonly-all-checks-the
  test(`${write} with validateOnly: the same refusals`, async (t) => {
    const { apiKey } = await world().account();
    await put('A', { apiKey });
    const check = (externalId: string, options: CallOptions & { query?: string }) =>
      send(write, externalId, { query: '?validateOnly=true', ...options });
    isError(t, await check('A', {}), { status: 401, code: 'UNAUTHORIZED' });
    isError(t, await check('A', { apiKey, headers: { 'if-match': '"x"' } }), isLost);
    for (const value of ['1', 'TRUE', '', 'yes']) {
      isError(t, await check('A', { apiKey, query: `?validateOnly=${value}` }), { status: 400, code: 'BAD_REQUEST' });
    }
    if (write !== 'PUT') isError(t, await check('nothing', { apiKey }), { status: 404, code: 'NOT_FOUND' });
    if (write === 'PUT' || write.startsWith('PATCH')) {
      isError(t, await check('A', { apiKey, body: {} }), { status: 422, code: 'VALIDATION_FAILED' });
    }
  });
}

test('PUT with validateOnly: would create, would update, would change nothing; warnings are given', async (t) => {
  const { apiKey } = await world().account();
  const check = (body: object) => world().call('PUT', `${at('V')}?validateOnly=true`, { apiKey, body });
  const create = await check(anItem({ titel: 'x' }));
  t.is(create.body.message, 'Item would be created');
  t.is(create.body.warnings.length, 2);
  isError(t, await get('V', apiKey), { status: 404, code: 'NOT_FOUND' });
  await put('V', { apiKey });
  t.is((await check(anItem({ price: 3 }))).body.message, 'Item would be updated');
  t.is((await check(anItem())).body.message, 'Item would be updated (unchanged)');
});

// specification: if-none-match-on
test('PUT with If-None-Match: * only creates', async (t) => {
  const { apiKey } = await world().account();
  const create = () => put('N', { apiKey, headers: { 'if-none-match': '*' } });
  t.is((await create()).body.message, 'Item created');
  isError(t, await create(), isLost);
  await world().call('DELETE', at('N'), { apiKey });
  t.is((await create()).body.message, 'Item created');
});

test('PUT with If-None-Match: a version that is not wanted; what is no tag is 400', async (t) => {
  const { apiKey } = await world().account();
  const created = await put('M', { apiKey });
  const send = (tag: string) => put('M', { apiKey, headers: { 'if-none-match': tag } });
  isError(t, await send(created.headers.get('etag') ?? ''), isLost);
  isError(t, await send('M'), { status: 400, code: 'BAD_REQUEST' });
  t.is((await send('"other"')).status, 202);
});

// specification: etag-is-item-and
test('a read ignores If-None-Match, because a status may change without a revision', async (t) => {
  const { apiKey } = await world().account();
  const etag = (await put('R', { apiKey })).headers.get('etag') ?? '';
  const reply = await world().call('GET', at('R'), { apiKey, headers: { 'if-none-match': etag } });
  t.is(reply.status, 200);
  t.is(reply.headers.get('etag'), etag);
});

test('a tag of the item that was deleted does not match the one created after it', async (t) => {
  const { apiKey } = await world().account();
  const old = (await put('T', { apiKey })).headers.get('etag') ?? '';
  await world().call('DELETE', at('T'), { apiKey });
  await put('T', { apiKey });
  isError(t, await put('T', { apiKey, headers: { 'if-match': old } }), isLost);
});

test('the whole item has a tag that changes with all that it shows, and If-Match takes it until the next write', async (t) => {
  const { id, apiKey } = await world().account();
  const written = (await put('W', { apiKey })).headers.get('etag') ?? '';
  const read = async () => (await world().call('GET', at('W', '?view=full'), { apiKey })).headers.get('etag') ?? '';
  const before = await read();
  t.true(before.startsWith(`${written.slice(0, -1)}.`));
  t.is(await read(), before);
  // As a look that brings a bid: no accepted write.
  const items = world().store.connection.collection('items');
  await items.updateOne({ accountId: id, externalId: 'W' }, { $inc: { version: 1 } });
  const after = await read();
  t.not(after, before);
  const price = (tag: string) => send('PATCH price', 'W', { apiKey, headers: { 'if-match': tag } });
  for (const stale of [after.replace(/\.(\d+)\.\d+"$/, '.9$1.1"'), `${written.slice(0, -1)}.x"`])
    isError(t, await price(stale), isLost);
  t.is((await price(before)).status, 202);
  for (const old of [before, after, written]) isError(t, await price(old), isLost);
});
