import test from 'ava';
import { problem } from '../../features/rules/field-problems.ts';
import { withApiWorld, type TestAccount } from '../support/api-world.ts';
import { aLine, bulkPath, errorsOf, upload } from './support/bulk-calls.ts';
import { chunkDependencies, playBulk } from './support/play-bulk.ts';

const world = withApiWorld(test);

/** The dry run, and the bulk sync with its errors. */
async function sync(account: TestAccount, lines: readonly unknown[], query = '') {
  const check = await upload(world(), account, lines, { query: `?validateOnly=true${query}` });
  const { id } = (await upload(world(), account, lines, { query: `?${query}` })).body;
  await playBulk(chunkDependencies(world().store), id);
  const get = (path: string) => world().call('GET', path, { apiKey: account.apiKey });
  const { body } = await get(`${bulkPath}/${id}`);
  return { check: check.body, bulk: body, errors: errorsOf(await get(`${bulkPath}/${id}/errors`)) };
}

/** Severity, line and the messages about the id, of each. */
const aboutIds = (errors: readonly Record<string, unknown>[]) =>
  errors.map(({ severity, line, details = [] }) => [
    severity,
    line,
    ...(details as { field: string; message: string }[]).flatMap(({ field, message }) =>
      field === 'externalId' ? [message] : [],
    ),
  ]);

const shortened = 'is a long number that a spreadsheet has shortened; it is kept as sent';
const two = (line: number) => `is in line ${line} too, for another item: a spreadsheet has shortened both ids`;

test('each line with a shortened id is warned of, and two different ones with the same id fail, both of them', async (t) => {
  const account = await world().account();
  const id = '7,31235E+12';
  const lines = [aLine(id), aLine('A'), aLine('8,1E+12'), aLine(id, { title: 'En annan' }), aLine('1E5'), aLine('1E5')];
  const { check, bulk, errors } = await sync(account, lines);
  t.like(bulk, { created: 3, failed: 2 });
  t.like(check, { failed: 2 });
  const expected = [
    ['error', 1, two(4)],
    ['error', 4, two(1)],
    ['warning', 3, shortened],
    ['warning', 6, 'is in line 5 too: the last line of an id counts'],
  ];
  t.deepEqual(aboutIds(errors), expected);
  t.deepEqual(aboutIds(check.errors), expected);
  const item = await world().call('GET', `/integration/v1/items/${encodeURIComponent(id)}`, { apiKey: account.apiKey });
  t.is(item.status, 404);
});

test('equal lines with a shortened id are one item, as with any other id', async (t) => {
  const account = await world().account();
  const { bulk, errors } = await sync(account, [aLine('7.31E+12'), aLine('7.31E+12')]);
  t.like(bulk, { created: 1, unchanged: 1, failed: 0, repeated: 1 });
  t.deepEqual(aboutIds(errors), [
    ['warning', 1, shortened],
    ['warning', 2, 'is in line 1 too: the last line of an id counts', shortened],
  ]);
});

test('three lines, two of them equal, are two items all the same, and one that is refused is another one', async (t) => {
  const account = await world().account();
  const lines = [
    aLine('7E+12'),
    aLine('7E+12'),
    aLine('7E+12', { price: 2 }),
    aLine('8E+12'),
    aLine('8E+12', { price: 0 }),
  ];
  const { check, bulk } = await sync(account, lines);
  t.like(bulk, { created: 0, failed: 5 });
  t.like(check, { failed: 5 });
});

test('the same shortened id of two members is no collision', async (t) => {
  const reseller = await world().reseller();
  const members = [await world().memberOf(reseller), await world().memberOf(reseller)];
  const lines = members.map(({ reference }, n) => aLine('7,3E+12', { account: reference, price: n + 1 }));
  t.like((await sync(reseller, lines)).bulk, { created: 2, failed: 0 });
});

test('a snapshot keeps the item that has a shortened id which two lines share', async (t) => {
  const account = await world().account();
  await sync(account, [aLine('7,3E+12'), aLine('A')]);
  const lines = [aLine('7,3E+12', { price: 1 }), aLine('7,3E+12', { price: 2 }), aLine('A')];
  t.like((await sync(account, lines, '&mode=snapshot')).bulk, { removed: 0, failed: 2 });
});

test('a file whose column of ids was shortened as a whole is refused, with what to do', async (t) => {
  const account = await world().account();
  const lines = Array.from({ length: 1_001 }, (_, n) => aLine(`7,${n}1E+12`));
  const { status, body } = await upload(world(), account, lines);
  t.is(status, 422);
  t.regex(body.details[0].message, /that a spreadsheet has shortened, .* in 1001 lines: make the column text there/);
});

test('two rows of a batch with one shortened id fail both, and equal ones as any other', async (t) => {
  const { apiKey } = await world().account();
  const rows = [aLine('7,3E+12'), aLine('7,3E+12', { price: 2 }), aLine('8,3E+12'), aLine('8,3E+12'), aLine('A')];
  const { body } = await world().call('POST', '/integration/v1/items/batch', { apiKey, body: { items: rows } });
  t.deepEqual(
    body.results.map(({ status }: { status: number }) => status),
    [422, 422, 202, 409, 202],
  );
  t.is(body.results[0].details[0].message, two(2).replace('line 2', 'another row'));
});

/** Pairs that look the same. */
const pairs = [
  ['Å-1', 'A\u030A-1'],
  ['fälg', 'fa\u0308lg'],
  ['１２３', '123'],
  ['A\u00A01', 'A 1'],
  ['ﬁlter', 'filter'],
] as const;

for (const [one, other] of pairs)
  test(`of two ids that differ by their Unicode form only, the second is warned of: ${one}`, async (t) => {
    const looks = (where: string) => `looks like ${where}, but is written with other characters: they are two items`;
    for (const [first, second] of [
      [one, other],
      [other, one],
    ] as const) {
      const account = await world().account();
      const { check, bulk, errors } = await sync(account, [aLine(first), aLine('B'), aLine(second)]);
      t.like(bulk, { created: 3 });
      const said = aboutIds(errors).filter(([, line]) => line === 3);
      t.deepEqual(said[0]?.[2], looks('the id in line 1'));
      t.deepEqual(aboutIds(check.errors).find(([, line]) => line === 3)?.[2], looks('the id in line 1'));
    }
  });

test('an id that looks like that of an item that is there is warned of, by PUT, batch, bulk sync and dry run', async (t) => {
  const account = await world().account();
  const put = async (id: string) => {
    const body = { title: 'a', price: 1, imageUrls: [] };
    const path = `/integration/v1/items/${encodeURIComponent(id)}`;
    return (await world().call('PUT', path, { apiKey: account.apiKey, body })).body.warnings;
  };
  const twoItems = (field: string) => problem(field, 'lookalike_id', {});
  t.is(await put('Å-1'), undefined);
  t.deepEqual(await put('A\u030A-1'), [twoItems('external_id')]);
  // It is there now, and no news.
  t.is(await put('A\u030A-1'), undefined);
  await put('Ö-1');
  await put('Ä-1');
  const rows = [aLine('O\u0308-1'), aLine('é'), aLine('e\u0301')];
  const batch = await world().call('POST', '/integration/v1/items/batch', {
    apiKey: account.apiKey,
    body: { items: rows },
  });
  t.deepEqual(
    batch.body.results.map(({ warnings }: { warnings?: object[] }) => warnings),
    [[twoItems('externalId')], undefined, [twoItems('externalId')]],
  );
  const { check, errors } = await sync(account, [aLine('A\u0308-1')]);
  for (const found of [check.errors, errors]) t.deepEqual(aboutIds(found), [['warning', 1, twoItems('').message]]);
});

test('values that were lost on the way are told once a file, with the first line and the count', async (t) => {
  const account = await world().account();
  const lines = [
    aLine('A1', { title: 'StrÃ¥lkastare' }),
    aLine('#REF!'),
    aLine('A2', { title: 'NULL' }),
    aLine('A3', { title: 'nan' }),
    aLine('A4', { title: 'Ã–lburk' }),
    aLine('A5', { title: '=A1' }),
    aLine('A6', { title: '#N/A', price: 0 }),
  ];
  const { check, bulk, errors } = await sync(account, lines);
  const remarks = [
    { ...problem('title', 'wrong_encoding', { text: 'StrÃ¥lkastare' }), line: 1, count: 2 },
    { ...problem('externalId', 'placeholder', { text: '#REF!' }), line: 2, count: 1 },
    { ...problem('title', 'placeholder', { text: 'NULL' }), line: 3, count: 2 },
    { ...problem('title', 'formula', { text: '=A1' }), line: 6, count: 1 },
  ];
  t.deepEqual(check.remarks, remarks);
  t.deepEqual(bulk.remarks, remarks);
  t.like(bulk, { created: 6, failed: 1, warned: 0 });
  t.is(errors.length, 1);
});
