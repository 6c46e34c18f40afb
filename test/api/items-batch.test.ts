import { randomUUID } from 'node:crypto';
import test from 'ava';
import { isError, startApiWorld, withApiWorld, generousLimits, type CallOptions } from '../support/api-world.ts';
import { said } from '../support/said.ts';

const world = withApiWorld(test);
const path = '/integration/v1/items/batch';
const anItem = { title: 'Strålkastare', price: 450, imageUrls: [] };
const aRow = (externalId: string, change: object = {}) => ({ externalId, ...anItem, ...change });

const post = (options: CallOptions & { items: readonly unknown[]; query?: string }) =>
  world().call('POST', `${path}${options.query ?? ''}`, { ...options, body: { items: options.items } });
const read = (apiKey: string, externalId: string, headers = {}) =>
  world().call('GET', `/integration/v1/items/${encodeURIComponent(externalId)}?view=full`, { apiKey, headers });

/** Status and id of each row, in order. */
const rowsOf = (body: { results: { externalId: string | null; status: number }[] }) =>
  body.results.map(({ externalId, status }) => [externalId, status]);

// specification: a-strange-id-and
test('200: a strange id and a publication without a marketplace connection are warned of in their row, as by the PUT', async (t) => {
  const { apiKey } = await world().account();
  const items = [aRow(' A'), aRow('B', { autoPublishTradera: true }), aRow('C')];
  for (const query of ['?validateOnly=true', '']) {
    const { body } = await post({ apiKey, items, query });
    t.deepEqual(
      body.results.map(({ warnings = [] }: { warnings?: { field: string }[] }) => warnings.map(({ field }) => field)),
      [['externalId'], ['autoPublishTradera'], []],
    );
  }
});

// specification: post-integration-v1-items
test('200: one result for each row in the order sent, with the messages and warnings of the PUT', async (t) => {
  const { apiKey } = await world().account();
  await world().call('PUT', '/integration/v1/items/same', { apiKey, body: anItem });
  await world().call('PUT', '/integration/v1/items/changed', { apiKey, body: anItem });
  const items = [aRow('changed', { title: 'Ny' }), aRow('new', { color: 'red' }), aRow('same'), aRow('ö/1 b')];
  const { status, body } = await post({ apiKey, items });
  t.is(status, 200);
  t.deepEqual(
    body.results.map(({ externalId, status: of, message }: Record<string, unknown>) => [externalId, of, message]),
    [
      ['changed', 202, 'Item updated'],
      ['new', 202, 'Item created'],
      ['same', 202, 'Item updated (unchanged)'],
      ['ö/1 b', 202, 'Item created'],
    ],
  );
  t.deepEqual(
    body.results.map(({ warnings = [] }: { warnings?: { field: string }[] }) => warnings.map(({ field }) => field)),
    [[], ['color'], [], []],
  );
  for (const { externalId, itemId } of body.results) t.is((await read(apiKey, externalId)).body.serviceItemId, itemId);
  t.is((await read(apiKey, 'changed')).body.title, 'Ny');
});

test('200: a name that stands twice in a row is warned of in that row', async (t) => {
  const { apiKey } = await world().account();
  const row = JSON.stringify(aRow('twice')).replace('"price"', '"price":1,"price"');
  const raw = `{"items":[${JSON.stringify(aRow('once'))},${row}]}`;
  const { body } = await world().call('POST', path, { apiKey, raw, headers: { 'content-type': 'application/json' } });
  const message = 'stands there more than once: the last one counts';
  t.is(body.results[0].warnings, undefined);
  t.deepEqual(said(body.results[1].warnings), [{ field: 'price', message }]);
  t.is((await read(apiKey, 'twice')).body.price, 450);
});

// specification: one-bad-item-never
test('200: a bad row fails alone, with every problem relative to the row', async (t) => {
  const { apiKey } = await world().account();
  const items = [
    aRow('a'),
    aRow('b', { price: 0, title: '', imageUrls: ['http://x.test/1.jpg'] }),
    { ...anItem },
    aRow('', {}),
    aRow('x'.repeat(256)),
    aRow('c', { account: 7 }),
    { ...anItem, externalId: 12 },
    'text',
    null,
    [],
    aRow('d', { account: null, description: null }),
  ];
  const { status, body } = await post({ apiKey, items });
  t.is(status, 200);
  t.deepEqual(rowsOf(body), [
    ['a', 202],
    ['b', 422],
    [null, 422],
    [null, 422],
    [null, 422],
    ['c', 422],
    [null, 422],
    [null, 422],
    [null, 422],
    [null, 422],
    ['d', 202],
  ]);
  const fields = body.results.map(({ details = [] }: { details?: { field: string }[] }) =>
    details.map((of) => of.field),
  );
  t.deepEqual(fields[1].toSorted(), ['imageUrls.0', 'price', 'title']);
  t.deepEqual(fields[2], ['externalId']);
  t.deepEqual(fields[5], ['account']);
  t.deepEqual(fields[7], ['body']);
  t.deepEqual(Object.keys(body.results[1]), ['externalId', 'status', 'error', 'code', 'details']);
  t.is(body.results[1].code, 'VALIDATION_FAILED');
  t.is((await read(apiKey, 'b')).status, 404);
});

// specification: duplicates-within-one-batch
test('200: of rows with the same external_id the first counts, later ones are refused with CONFLICT', async (t) => {
  const { apiKey } = await world().account();
  const items = [
    aRow('a', { title: 'Ett' }),
    aRow('b'),
    aRow('a', { title: 'Två' }),
    aRow('c', { price: 0 }),
    aRow('c'),
  ];
  const { body } = await post({ apiKey, items });
  t.deepEqual(rowsOf(body), [
    ['a', 202],
    ['b', 202],
    ['a', 409],
    ['c', 422],
    ['c', 409],
  ]);
  t.is(body.results[2].code, 'CONFLICT');
  t.is((await read(apiKey, 'a')).body.title, 'Ett');
});

// specification: one-bad-item-never, account-names-the-member
test('200: rows of members go to their accounts, whatever ids they share; an unknown reference fails its row', async (t) => {
  const reseller = await world().reseller();
  const [one, other] = [await world().memberOf(reseller), await world().memberOf(reseller)];
  const stranger = await world().memberOf(await world().reseller());
  const { apiKey } = reseller;
  const items = [
    aRow('A', { title: 'Egen' }),
    aRow('A', { title: 'Ett', account: one.reference }),
    aRow('A', { title: 'Två', account: other.reference }),
    aRow('A', { title: 'Igen', account: one.reference }),
    aRow('A', { account: stranger.reference }),
    aRow('A', { account: one.id }),
  ];
  const { body } = await post({ apiKey, items });
  t.deepEqual(
    body.results.map(({ status }: { status: number }) => status),
    [202, 202, 202, 409, 403, 403],
  );
  t.is(body.results[4].code, 'PARTNER_ACCOUNT_FORBIDDEN');
  t.is(body.results[1].account, one.reference);
  t.false('account' in body.results[0]);
  t.is((await read(apiKey, 'A')).body.title, 'Egen');
  for (const [member, title] of [
    [one, 'Ett'],
    [other, 'Två'],
  ] as const) {
    const partner = { 'x-partner-account': member.reference };
    t.is((await read(apiKey, 'A', partner)).body.title, title);
    t.is((await read(member.apiKey, 'A')).body.title, title);
    const timeline = await world().call('GET', '/integration/v1/items/A/timeline', { apiKey: member.apiKey });
    t.is(timeline.body.entries[0].actor, 'reseller');
  }
  t.is((await read(stranger.apiKey, 'A')).status, 404);
});

// specification: duplicates-within-one-batch
test('200: X-Partner-Account is the account of rows that name none, and those that name it are the same', async (t) => {
  const reseller = await world().reseller();
  const [one, other] = [await world().memberOf(reseller), await world().memberOf(reseller)];
  const headers = { 'x-partner-account': one.reference };
  const items = [aRow('A'), aRow('A', { account: one.reference }), aRow('A', { account: other.reference })];
  const { body } = await post({ apiKey: reseller.apiKey, headers, items });
  t.deepEqual(rowsOf(body), [
    ['A', 202],
    ['A', 409],
    ['A', 202],
  ]);
  t.is((await read(reseller.apiKey, 'A')).status, 404);
  t.is((await read(one.apiKey, 'A')).status, 200);
});

// specification: validateonly-true-idempotency-key
test('200: validateOnly says the same of every row, and nothing is stored', async (t) => {
  const { apiKey } = await world().account();
  await post({ apiKey, items: [aRow('there')] });
  const items = [aRow('new'), aRow('there', { title: 'Ny' }), aRow('there'), aRow('bad', { price: 0 })];
  const { status, body } = await post({ apiKey, items, query: '?validateOnly=true' });
  t.is(status, 200);
  t.deepEqual(
    body.results.map(({ status: of, message }: { status: number; message?: string }) => [of, message]),
    [
      [200, 'Item would be created'],
      [200, 'Item would be updated'],
      [409, undefined],
      [422, undefined],
    ],
  );
  t.false('itemId' in body.results[0]);
  t.is((await read(apiKey, 'new')).status, 404);
  t.is((await read(apiKey, 'there')).body.title, anItem.title);
});

// specification: at-most-500
test('422: no rows, 501 rows, no list, another field beside it; nothing is stored', async (t) => {
  const { apiKey } = await world().account();
  const many = (count: number) => Array.from({ length: count }, (_of, index) => aRow(`m${index}`));
  isError(t, await post({ apiKey, items: [] }), { status: 422, code: 'VALIDATION_FAILED' });
  isError(t, await post({ apiKey, items: many(501) }), { status: 422, code: 'VALIDATION_FAILED' });
  for (const body of [{}, { items: {} }, [], null, { items: [aRow('m0')], dryRun: true }])
    isError(t, await world().call('POST', path, { apiKey, body }), { status: 422, code: 'VALIDATION_FAILED' });
  t.is((await read(apiKey, 'm0')).status, 404);
  const { status, body } = await post({ apiKey, items: many(500) });
  t.is(status, 200);
  t.is(body.results.length, 500);
  t.true(body.results.every((of: { status: number }) => of.status === 202));
});

// specification: at-most-500
test('400 and 413: an unknown parameter, and a body over 5 MB; one of 4 MB is taken', async (t) => {
  const { apiKey } = await world().account();
  isError(t, await post({ apiKey, items: [aRow('a')], query: '?validateonly=true' }), {
    status: 400,
    code: 'BAD_REQUEST',
  });
  const big = (count: number) =>
    Array.from({ length: count }, (_of, index) => aRow(`b${index}`, { description: 'x'.repeat(20_000) }));
  isError(t, await post({ apiKey, items: big(300) }), { status: 413, code: 'PAYLOAD_TOO_LARGE' });
  t.is((await post({ apiKey, items: big(200) })).status, 200);
});

// specification: validateonly-true-idempotency-key
test('a batch sent again under its Idempotency-Key is answered again and not done again', async (t) => {
  const { apiKey } = await world().account();
  const headers = { 'idempotency-key': randomUUID() };
  const items = [aRow('a'), aRow('b', { price: 0 })];
  const first = await post({ apiKey, headers, items });
  await world().call('PUT', '/integration/v1/items/a', { apiKey, body: { ...anItem, title: 'Senare' } });
  const again = await post({ apiKey, headers, items });
  t.is(again.text, first.text);
  t.is(again.headers.get('idempotency-replayed'), 'true');
  t.is((await read(apiKey, 'a')).body.title, 'Senare');
  isError(t, await post({ apiKey, headers, items: [aRow('c')] }), { status: 422, code: 'VALIDATION_FAILED' });
});

// specification: a-batch-counts-one
test('a batch counts as one request for every ten rows, and one that is too large for what is left writes nothing', async (t) => {
  const slow = { burst: 12, perSecond: 0.001 };
  const limited = await startApiWorld({ rateLimits: { ...generousLimits, key: slow } });
  try {
    const { apiKey } = await limited.account();
    const rows = (count: number) => Array.from({ length: count }, (_of, index) => aRow(`r${index}`));
    const batch = (count: number) => limited.call('POST', path, { apiKey, body: { items: rows(count) } });
    t.regex((await batch(101)).headers.get('ratelimit') ?? '', /;r=1(;|$)/);
    isError(t, await batch(11), { status: 429, code: 'RATE_LIMITED' });
    t.is(await limited.store.connection.collection('items').countDocuments(), 101);
  } finally {
    await limited.close();
  }
});
