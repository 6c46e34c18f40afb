import test from 'ava';
import { withApiWorld, type TestAccount } from '../support/api-world.ts';
import { aLine, bulkPath, errorsOf, upload } from './support/bulk-calls.ts';
import { chunkDependencies, playBulk } from './support/play-bulk.ts';

const world = withApiWorld(test);

const rich = {
  description: 'Fin.',
  price: 100,
  shippingCost: 79,
  weightKg: 2,
  imageUrls: ['https://erp.example/1.jpg'],
  domain: { domain: 'auto_parts', part: { oemNumber: '0615', name: 'Skiva', catalogCodes: { a: '1' } } },
  listing: { durationDays: 5, reservePrice: 800 },
  useAiEnhancement: true,
};
const bare = { description: undefined, price: 100, imageUrls: [] };

async function push(account: TestAccount, ...ids: string[]): Promise<void> {
  for (const id of ids)
    await world().call('PUT', `/integration/v1/items/${id}`, { apiKey: account.apiKey, body: { title: id, ...rich } });
}

async function sync(account: TestAccount, lines: readonly unknown[], query: string) {
  const check = (await upload(world(), account, lines, { query: `?validateOnly=true&${query}` })).body;
  const { id } = (await upload(world(), account, lines, { query: `?${query}` })).body;
  await playBulk(chunkDependencies(world().store), id);
  const get = (path: string) => world().call('GET', path, { apiKey: account.apiKey });
  return {
    check,
    bulk: (await get(`${bulkPath}/${id}`)).body,
    errors: errorsOf(await get(`${bulkPath}/${id}/errors`)),
  };
}

const read = async ({ apiKey }: TestAccount, id: string) =>
  (await world().call('GET', `/integration/v1/items/${id}?view=full`, { apiKey })).body;

const all = [
  'description',
  'domain',
  'domain.part.catalogCodes',
  'domain.part.name',
  'domain.part.oemNumber',
  'imageUrls',
  'listing.durationDays',
  'listing.reservePrice',
  'shippingCost',
  'weightKg',
];

test('a line replaces its item; the dry run and the bulk sync count by field what is emptied', async (t) => {
  const account = await world().account();
  await push(account, 'A', 'B', 'C');
  const lines = [aLine('A', bare), aLine('B', { ...bare, description: 'Ny' }), aLine('C', rich), aLine('new', bare)];
  const { check, bulk } = await sync(account, lines, 'mode=merge');
  const expected = all.map((field) => ({ field, lines: field === 'description' ? 1 : 2 }));
  const sorted = expected.toSorted((one, other) => other.lines - one.lines || one.field.localeCompare(other.field));
  t.deepEqual(check.leftOutFields, sorted);
  t.like(bulk, { leftOut: 'empty', created: 1, updated: 3 });
  t.deepEqual(bulk.leftOutFields, sorted);
  t.like(await read(account, 'A'), { description: '', imageUrls: [], shippingCost: null, listing: null });
});

test('with leftOut=keep what lines leave out stays, is counted, and the item is unchanged', async (t) => {
  const account = await world().account();
  await push(account, 'A', 'B');
  const before = [await read(account, 'A'), await read(account, 'B')];
  const lines = [
    aLine('A', { ...bare, title: 'A' }),
    aLine('B', { ...bare, title: 'B', price: 120, domain: { domain: 'auto_parts', part: { name: 'Ny' } } }),
    aLine('C', bare),
  ];
  const { check, bulk, errors } = await sync(account, lines, 'leftOut=keep');
  t.like(bulk, { leftOut: 'keep', created: 1, updated: 1, unchanged: 1, failed: 0 });
  t.deepEqual(errors, []);
  const ofBoth = all.filter((field) => field !== 'domain' && field !== 'domain.part.name');
  const expected = [...ofBoth.map((field) => ({ field, lines: 2 })), { field: 'domain', lines: 1 }];
  t.deepEqual(bulk.leftOutFields, [...expected, { field: 'domain.part.name', lines: 1 }]);
  t.deepEqual(check.leftOutFields, bulk.leftOutFields);
  const [a, b] = [await read(account, 'A'), await read(account, 'B')];
  t.deepEqual(a, before[0]);
  t.like(b, {
    price: 120,
    description: 'Fin.',
    shippingCost: 79,
    weightKg: 2,
    imageUrls: rich.imageUrls,
    useAiEnhancement: true,
    listing: rich.listing,
    extendedAttributes: { domain: 'auto_parts', part: { oemNumber: '0615', name: 'Ny', catalogCodes: { a: '1' } } },
  });
  t.like(await read(account, 'C'), { description: '', imageUrls: [] });
});

test('what can not be kept fails its line, in the dry run too: another category, and a price above a kept reserve price', async (t) => {
  const account = await world().account();
  await push(account, 'A', 'B', 'C', 'D');
  const lines = [
    aLine('A', { ...bare, domain: { domain: 'books' } }),
    aLine('B', { ...bare, price: 900 }),
    aLine('C', { ...bare, useAiEnhancement: false }),
    aLine('D', { ...bare, domain: { domain: 'auto_parts', part: { catalogCodes: { b: 'x'.repeat(64_000 - 2) } } } }),
  ];
  const { check, bulk, errors } = await sync(account, lines, 'leftOut=keep');
  t.like(bulk, { updated: 2, failed: 2 });
  t.like(check, { failed: 2 });
  t.deepEqual(check.errors, errors);
  t.like(errors, [
    { line: 1, code: 'VALIDATION_FAILED', details: [{ field: 'domain.domain' }] },
    { line: 2, details: [{ field: 'listing.reservePrice', message: 'must be above the price (900 SEK)' }] },
  ]);
  const [first] = errors as { details: { message: string }[] }[];
  t.is(
    first?.details[0]?.message,
    "is another category than the item's auto_parts, which would empty domain.part.oemNumber, domain.part.name, domain.part.catalogCodes: leave it as it is, or replace the item",
  );
  t.like(await read(account, 'A'), { extendedAttributes: { domain: 'auto_parts' } });
  t.like(await read(account, 'C'), { useAiEnhancement: false, description: 'Fin.' });
});

test('kept and new catalogue codes together have the bound of one push', async (t) => {
  const account = await world().account();
  const codes = (key: string) => ({
    ...bare,
    domain: { domain: 'auto_parts', part: { catalogCodes: { [key]: 'x'.repeat(40_000) } } },
  });
  await sync(account, [aLine('A', codes('a'))], 'leftOut=keep');
  const { bulk, errors } = await sync(account, [aLine('A', codes('b'))], 'leftOut=keep');
  t.like(bulk, { failed: 1 });
  t.like(errors, [{ details: [{ field: 'domain.part.catalogCodes', message: 'must be at most 64 KB in total' }] }]);
});

test('several lines of an item are counted one after the other', async (t) => {
  const account = await world().account();
  await push(account, 'A');
  const lines = [aLine('A', bare), aLine('A', { ...bare, price: 120 })];
  const { check, bulk } = await sync(account, lines, 'mode=merge');
  t.deepEqual(
    bulk.leftOutFields,
    all.map((field) => ({ field, lines: 1 })),
  );
  t.deepEqual(check.leftOutFields, bulk.leftOutFields);
});

test('of members each line meets the item of its own account', async (t) => {
  const reseller = await world().reseller();
  const [one, other] = [await world().memberOf(reseller), await world().memberOf(reseller)];
  await push(one, 'A');
  const lines = [one, other].map(({ reference }) => aLine('A', { ...bare, account: reference }));
  const { check, bulk } = await sync(reseller, lines, 'mode=merge');
  for (const about of [check, bulk])
    t.deepEqual(
      about.leftOutFields,
      all.map((field) => ({ field, lines: 1 })),
    );
});

test('leftOut has two values, and is part of what an Idempotency-Key stands for', async (t) => {
  const account = await world().account();
  t.is((await upload(world(), account, [aLine('A')], { query: '?leftOut=yes' })).status, 400);
  const headers = { 'idempotency-key': crypto.randomUUID() };
  t.is((await upload(world(), account, [aLine('A')], { query: '?leftOut=keep', headers })).status, 202);
  t.is((await upload(world(), account, [aLine('A')], { query: '?leftOut=keep', headers })).status, 202);
  t.is((await upload(world(), account, [aLine('A')], { headers })).status, 422);
});
