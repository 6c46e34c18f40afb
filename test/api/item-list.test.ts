import test from 'ava';
import { isError, withApiWorld, type Reply, type TestAccount } from '../support/api-world.ts';
import { itemListOn, type Listed } from '../support/item-list-calls.ts';
import { present } from '../support/clock.ts';
import { said } from '../support/said.ts';

const world = withApiWorld(test);
const { base, put, list, readAll, progress } = itemListOn(world);

const putAll = (account: TestAccount, items: Readonly<Record<string, object>>) =>
  Promise.all(Object.entries(items).map(([externalId, fields]) => put(account, externalId, fields)));
const idsOf = (reply: Reply): string[] => {
  if (reply.status !== 200) throw new Error(reply.text);
  return (reply.body.items as Listed[]).map(({ externalId }) => externalId);
};
const found = async (account: TestAccount, query: Record<string, string>): Promise<string[]> =>
  idsOf(await list(account, query)).sort();

test('GET 200: each entry is the status of an item with title, domain, time and thumbnail, never from a cache', async (t) => {
  const account = await world().account();
  await put(account, 'A1', { title: 'Ratt', price: 149.5, domain: { domain: 'bildelar' } });
  const reply = await list(account);
  t.is(reply.headers.get('cache-control'), 'no-store');
  t.is(reply.body.nextCursor, null);
  const [entry] = reply.body.items;
  const status = (await world().call('GET', `${base}/A1`, { apiKey: account.apiKey })).body;
  t.deepEqual(entry, {
    ...status,
    title: 'Ratt',
    domain: 'auto_parts',
    updatedAt: entry.updatedAt,
    waitingFor: null,
    thumbnailUrl: null,
  });
});

test('GET 200: newest first, whatever was updated since, 50 a page unless told otherwise', async (t) => {
  const account = await world().account();
  for (let n = 0; n < 52; n += 1) {
    await put(account, `N${n}`);
    world().pass(1);
  }
  await put(account, 'N0', { price: 200 });
  const reply = await list(account);
  t.is(reply.body.items.length, 50);
  t.deepEqual(idsOf(reply).slice(0, 3), ['N51', 'N50', 'N49']);
  t.deepEqual(idsOf(await list(account, { cursor: reply.body.nextCursor, limit: '50' })), ['N1', 'N0']);
  t.is((await list(account, { limit: '1' })).body.items.length, 1);
});

test('GET 200: 20 items just written come in five pages, each once', async (t) => {
  const account = await world().account();
  for (let n = 0; n < 20; n += 1) await put(account, `N${n}`);
  const entries = await readAll(account, { limit: '4' });
  t.is(entries.length, 20);
  t.is(new Set(entries.map(({ externalId }) => externalId)).size, 20);
});

// specification: the-list-updatedsince-and
test('GET 200: updatedSince goes from the oldest change to the newest, ends, and tells what to ask with next time', async (t) => {
  const account = await world().account();
  for (const name of ['A', 'B', 'C']) await put(account, name);
  await put(account, 'A', { price: 200 });
  const askedAt = present().getTime();
  const first = await list(account, { updatedSince: '1970-01-01', limit: '2' });
  t.deepEqual(idsOf(first), ['B', 'C']);
  const answeredAt = present().getTime();
  t.is(first.body.nextUpdatedSince, null);
  const last = await list(account, { updatedSince: '1970-01-01', limit: '2', cursor: first.body.nextCursor });
  t.deepEqual(idsOf(last), ['A']);
  t.is(last.body.nextCursor, null);
  const { nextUpdatedSince } = last.body;
  t.true(Date.parse(nextUpdatedSince) < answeredAt, 'what comes after the first page is not passed');
  t.true(Date.parse(nextUpdatedSince) > askedAt - 60_000);
  await put(account, 'B', { price: 300 });
  t.is(idsOf(await list(account, { updatedSince: nextUpdatedSince })).at(-1), 'B');
  t.is((await list(account)).body.nextUpdatedSince, null);
});

// specification: all-reads-with-x
test('GET 200: an account sees its own items alone, a reseller those of the member it names', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  const stranger = await world().account();
  await put(reseller, 'mine');
  await put(member, 'theirs');
  await put(stranger, 'foreign');
  t.deepEqual(idsOf(await list(reseller)), ['mine']);
  t.deepEqual(idsOf(await list(reseller, {}, { 'x-partner-account': member.reference })), ['theirs']);
  isError(t, await list(stranger, {}, { 'x-partner-account': member.reference }), {
    status: 403,
    code: 'PARTNER_ACCOUNT_FORBIDDEN',
  });
  isError(t, await world().call('GET', base), { status: 401, code: 'UNAUTHORIZED' });
});

test("GET 400: another account's cursor, which would skip items in silence", async (t) => {
  const [one, other] = [await world().account(), await world().account()];
  await putAll(one, { A: {}, B: {}, C: {} });
  await putAll(other, { X: {}, Y: {} });
  const { nextCursor } = (await list(one, { limit: '1' })).body;
  isError(t, await list(other, { cursor: nextCursor }), { status: 400, code: 'BAD_REQUEST' });
});

test('GET 200: deleted items are gone from the list', async (t) => {
  const account = await world().account();
  await putAll(account, { stays: {}, goes: {} });
  await world().call('DELETE', `${base}/goes`, { apiKey: account.apiKey });
  t.deepEqual(await found(account, {}), ['stays']);
  t.deepEqual(await found(account, { q: 'bromsskiva' }), ['stays']);
  await put(account, 'goes');
  t.deepEqual(await found(account, {}), ['goes', 'stays']);
});

test('GET 200: the items with a problem, each with its own, together with state, words, order and pages; a start is none', async (t) => {
  const account = await world().account();
  const stranger = await world().account();
  for (const name of ['A', 'B', 'C', 'D', 'E']) {
    await put(account, name, { title: name === 'C' ? 'Ratt' : 'Bromsskiva' });
    world().pass(1);
  }
  await put(stranger, 'X');
  await progress(stranger, 'X', { stage: 'given_up' });
  await progress(account, 'A', { stage: 'given_up' });
  await progress(account, 'B', { waitingFor: 'marketplace_reconnection', since: world().now() });
  await progress(account, 'C', { stage: 'given_up' });
  await progress(account, 'D', { waitingFor: 'start_time', since: world().now() });
  const problems = ({ body }: Reply) =>
    body.items.map((row: Record<string, string>) => [row['externalId'], row['problem']]);
  t.deepEqual(problems(await list(account, { problem: 'any' })), [
    ['C', 'given_up'],
    ['B', 'marketplace_reconnection'],
    ['A', 'given_up'],
  ]);
  t.deepEqual(idsOf(await list(account, { problem: 'given_up' })), ['C', 'A']);
  t.deepEqual(idsOf(await list(account, { problem: 'given_up', sort: 'created' })), ['A', 'C']);
  t.deepEqual(idsOf(await list(account, { problem: 'any', updatedSince: '1970-01-01' })).sort(), ['A', 'B', 'C']);
  t.deepEqual(idsOf(await list(account, { problem: 'any', q: 'ratt' })), ['C']);
  t.deepEqual(idsOf(await list(account, { problem: 'any', serviceStatus: 'sold' })), []);
  t.deepEqual(idsOf(await list(account, { problem: 'images' })), []);
  const pages = await readAll(account, { problem: 'any', limit: '1' });
  t.deepEqual(
    pages.map(({ externalId }) => externalId),
    ['C', 'B', 'A'],
  );
  t.false('problem' in (await list(account)).body.items[0]);
  const { nextCursor } = (await list(account, { problem: 'any', limit: '1' })).body;
  isError(t, await list(account, { cursor: nextCursor }), { status: 400, code: 'BAD_REQUEST' });
  for (const problem of ['start_time', 'receiver', '', 'ANY'])
    isError(t, await list(account, { problem }), { status: 400, code: 'BAD_REQUEST' });
  await put(account, 'B', { price: 300 });
  await progress(account, 'B', { waitingFor: null, since: null });
  t.deepEqual(idsOf(await list(account, { problem: 'any' })), ['C', 'A']);
});

// specification: the-list-filters-by
test('GET 200: filters by state, domain and time, alone and together', async (t) => {
  const account = await world().account();
  await putAll(account, {
    draft: { imageUrls: ['https://img.example.se/1.jpg'] },
    book: { domain: { domain: 'books' } },
    part: { domain: { domain: 'auto_parts' } },
    sold: { domain: { domain: 'books' } },
  });
  await put(account, 'other', { domain: { domain: 'other' } });
  await world().call('PATCH', `${base}/sold/status`, { apiKey: account.apiKey, body: { status: 'sold' } });
  t.deepEqual(await found(account, { serviceStatus: 'draft' }), ['draft']);
  t.deepEqual(await found(account, { serviceStatus: 'active' }), ['book', 'other', 'part']);
  t.deepEqual(await found(account, { domain: 'books' }), ['book', 'sold']);
  t.deepEqual(await found(account, { domain: 'BÖCKER' }), ['book', 'sold']);
  t.deepEqual(await found(account, { domain: 'reservdel' }), ['part']);
  t.deepEqual(await found(account, { domain: 'other' }), ['draft', 'other']);
  isError(t, await list(account, { domain: '' }), { status: 400, code: 'BAD_REQUEST' });
  t.deepEqual(await found(account, { domain: 'books', serviceStatus: 'sold' }), ['sold']);
  t.deepEqual(await found(account, { domain: 'books', serviceStatus: 'draft' }), []);
  t.deepEqual(await found(account, { marketplaceStatus: 'pending_sync', domain: 'other', q: 'bromsskivor' }), [
    'draft',
    'other',
  ]);
  t.deepEqual(await found(account, { marketplaceStatus: 'sync_error' }), []);
  const time = (await list(account)).body.items[0].updatedAt as string;
  t.true((await found(account, { updatedSince: time })).includes('sold'));
  t.deepEqual(await found(account, { updatedSince: '2100-01-01' }), []);
  t.is((await found(account, { updatedSince: '2020-01-01T00:00:00+01:00' })).length, 5);
});

// specification: all-others-full-text, the-list-filters-by
test('GET 200: q finds items that have all the words, in any Swedish form, in title or description', async (t) => {
  const account = await world().account();
  await putAll(account, {
    A: { title: 'Bromsskivor fram', description: 'Till Volvo V70, obegagnade.' },
    B: { title: 'Strålkastare', description: 'Volvo 240. Bromsar ingår ej.' },
    C: { title: 'Idéer om kök', description: '$where: {"a": 1} .* [x](y)' },
  });
  t.deepEqual(await found(account, { q: 'volvo' }), ['A', 'B']);
  t.deepEqual(await found(account, { q: 'VOLVO bromsskiva' }), ['A']);
  t.deepEqual(await found(account, { q: 'volvo strålkastaren' }), ['B']);
  t.deepEqual(await found(account, { q: 'stralkastare' }), ['B']);
  t.deepEqual(await found(account, { q: 'kastare' }), ['B']);
  t.deepEqual(await found(account, { q: 'ide' }), ['C']);
  t.deepEqual(await found(account, { q: '$where' }), ['C']);
  t.deepEqual(await found(account, { q: '.* (' + 'x' }), ['C']);
  await put(account, 'A', { title: 'Ratt', description: '' });
  t.deepEqual(await found(account, { q: 'bromsskiva' }), []);
  t.deepEqual(await found(account, { q: 'ratten' }), ['A']);
});

// specification: plate-live-lookup-that, oem-number-filters-by, the-list-filters-by
test('GET 200: plate, oem_number and isbn find an item however they are written', async (t) => {
  const account = await world().account();
  await putAll(account, {
    car: { domain: { domain: 'vehicles', registrationPlate: 'MLB 84A' } },
    part: { domain: { domain: 'auto_parts', part: { oemNumber: '1K0 615 301 AA' } } },
    book: { domain: { domain: 'books', isbn: '978-0-306-40615-7' } },
  });
  for (const plate of ['MLB84A', 'mlb 84a']) t.deepEqual(await found(account, { plate }), ['car']);
  for (const oem of ['1k0615301aa', '1K0-615-301 AA']) t.deepEqual(await found(account, { oem_number: oem }), ['part']);
  for (const isbn of ['9780306406157', '0-306-40615-2']) t.deepEqual(await found(account, { isbn }), ['book']);
  t.deepEqual(await found(account, { plate: 'MLB84A', domain: 'books' }), []);
  t.deepEqual(await found(account, { plate: 'MLB84A', q: 'bromsskiva', serviceStatus: 'active' }), ['car']);
  t.deepEqual(await found(account, { plate: 'ABC123' }), []);
});

const [aTime, anId] = ['2026-11-21T12:00:00.000Z', '10000000-0000-4000-8000-000000000001'];
/** None of this list as it is: of its former orders, with operators, without an id, of a list with `updatedSince`. */
const cursors: readonly unknown[][] = [
  ['down', `${aTime}~${anId}`, aTime, anId, '    '],
  ['up', `${aTime}~${anId}`, aTime, anId, '    '],
  ['down', '9', 0],
  [anId, { $gt: '' }, anId, '    '],
  [anId, aTime, { $gt: '' }, '    '],
  [anId, aTime, '    '],
  [anId, aTime, anId, aTime, '    '],
  [anId, aTime, anId, aTime, aTime, '    '],
];

// specification: 400
test('GET 400: a bad or unknown parameter is named', async (t) => {
  const account = await world().account();
  const bad: [string, string][] = [
    ['limit', '0'],
    ['limit', '201'],
    ['limit', '1e2'],
    ['limit', '-1'],
    ['limit', ''],
    ['serviceStatus', 'Active'],
    ['serviceStatus', 'toString'],
    ['marketplaceStatus', 'draft'],
    ['domain', 'cars and more'],
    ['domain', '__proto__'],
    ['updatedSince', 'yesterday'],
    ['updatedSince', '2026-02-30'],
    ['updatedSince', '2026-11-21T12:00:00'],
    ['q', ''],
    ['q', '.*'],
    ['q', 'och'],
    ['q', 'a b c d e f g h j k l'],
    ['q', 'x'.repeat(256)],
    ['plate', '!'],
    ['oem_number', '--'],
    ['isbn', '978-0-306-40615-8'],
    ['cursor', ''],
    ['cursor', 'x'],
    ...cursors.map((parts): [string, string] => ['cursor', Buffer.from(JSON.stringify(parts)).toString('base64url')]),
    ['q[$ne]', '1'],
    ['$where', 'sleep(1000)'],
    ['servicestatus', 'active'],
  ];
  for (const [name, value] of bad) {
    const reply = await list(account, { [name]: value });
    isError(t, reply, { status: 400, code: 'BAD_REQUEST' });
    t.deepEqual(
      reply.body.details.map(({ field }: { field: string }) => field),
      [name],
      `${name}=${value}`,
    );
  }
});

test('GET 400: every bad parameter is named at once', async (t) => {
  const reply = await list(await world().account(), { limit: 'x', isbn: 'x', nope: 'x' });
  t.deepEqual(
    reply.body.details.map(({ field }: { field: string }) => field),
    ['limit', 'isbn', 'nope'],
  );
});

test('GET 400: a cursor goes on only with the filters that it was made with', async (t) => {
  const account = await world().account();
  await putAll(account, { A: {}, B: {} });
  const { nextCursor } = (await list(account, { limit: '1', domain: 'other' })).body;
  isError(t, await list(account, { cursor: nextCursor }), { status: 400, code: 'BAD_REQUEST' });
  t.is((await list(account, { cursor: nextCursor, domain: 'övrigt', limit: '5' })).status, 200);
});

test('GET 400: a parameter given twice, of which nobody knows which one counts', async (t) => {
  const account = await world().account();
  const reply = await world().call('GET', `${base}?q=ratt&q=v%C3%A4xell%C3%A5da`, { apiKey: account.apiKey });
  isError(t, reply, { status: 400, code: 'BAD_REQUEST' });
  t.deepEqual(said(reply.body.details), [{ field: 'q', message: 'must be there only once, as text' }]);
});
