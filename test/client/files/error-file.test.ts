import test from 'ava';
import { problem } from '../../../features/rules/field-problems.ts';
import { planColumns, type ColumnWish } from '../../../client/files/columns.ts';
import { errorFile } from '../../../client/files/error-file.ts';
import type { BulkSyncError } from '../../../client/generated/types.gen.ts';
import { open, read } from './support.ts';

const refused = (line: number, field: string, message: string): BulkSyncError => ({
  line,
  externalId: null,
  severity: 'error',
  status: 422,
  error: 'Validation failed',
  code: 'VALIDATION_FAILED',
  details: [{ ...problem(field, 'required'), message }],
});
const warning = (line: number, field: string, message: string): BulkSyncError => ({
  line,
  externalId: null,
  severity: 'warning',
  status: 202,
  error: 'The line was taken, with a warning',
  details: [{ ...problem(field, 'required'), message }],
});

async function errorsOf(content: string | Uint8Array, reports: readonly BulkSyncError[], wish: ColumnWish = {}) {
  const file = await open(content);
  const columns = file.format === 'csv' ? planColumns(file.header, wish).columns : [];
  let text = '';
  for await (const part of errorFile(file, columns, reports)) text += part;
  return text;
}

const csv = [
  'sep=;',
  'Artikelnr;Namn;Pris;Publicera',
  'A;"två',
  'rader ""citat""";1.500;ja',
  'B;b;2;kanske',
  'C;;3;',
  'D;d;4;nej;;',
].join('\r\n');
const wish = { map: { externalId: 'Artikelnr', title: 'Namn', price: 'Pris', autoPublishTradera: 'Publicera' } };

test('the lines of a CSV file stand there with their cells as they were, and what is wrong in front', async (t) => {
  const text = await errorsOf(
    csv,
    [
      refused(3, 'price', 'must be a number, not the text "1.500": send digits'),
      refused(5, 'autoPublishTradera', 'must be true or false'),
      refused(6, 'title', 'is required'),
      warning(7, 'price', 'is sent to the marketplace as 4 SEK'),
      warning(3, 'externalId', 'is in line 7 too'),
    ],
    wish,
  );
  t.deepEqual(text.split('\r\n'), [
    '\uFEFF#line;#severity;#error;Artikelnr;Namn;Pris;Publicera',
    '3;error;"Pris (price) ""1.500"" is no clear number: 1499.50, 1 499,50 and 1.499,50 are; so are 1500 and 1 500, but neither 1.500 nor 1,500";A;"två',
    'rader ""citat""";1.500;ja',
    '5;error;"Publicera (autoPublishTradera) ""kanske"" is neither yes nor no: write ja, yes, true or 1; nej, no, false or 0";B;b;2;kanske',
    '6;error;Namn (title) is required;C;;3;',
    '7;warning;"Pris (price) ""4"" is sent to the marketplace as 4 SEK";D;d;4;nej',
    '3;warning;"Artikelnr (externalId) ""A"" is in line 7 too";A;"två',
    'rader ""citat""";1.500;ja',
    '',
  ]);
});

test('a corrected file of errors is a file of items for the same mapping, and a second one has no trace of the first', async (t) => {
  const first = await errorsOf(csv, [refused(3, 'price', 'must be a number')], wish);
  const corrected = first.replace(';1.500;ja', ';1500;ja');
  const { items, remarks } = await read(corrected, wish);
  t.deepEqual(items[2], {
    externalId: 'A',
    title: 'två\r\nrader "citat"',
    price: 1500,
    autoPublishTradera: true,
    imageUrls: [],
  });
  t.deepEqual(remarks, ['There is no column imageUrls: new items will have no images.']);
  const second = await errorsOf(corrected, [refused(2, 'title', 'must be one line')], wish);
  t.is(second.split('\r\n')[0], '\uFEFF#line;#severity;#error;Artikelnr;Namn;Pris;Publicera');
  t.regex(second, /\r\n2;error;"Namn \(title\) ""två/);
});

test('an item in JSON has its report as first field, one that is no object is in the report, and both can be sent again', async (t) => {
  const content = '{"externalId":"A","price":1.10}\nnonsense\n{}\n';
  const reports = [
    refused(1, 'title', 'is required'),
    refused(2, 'body', 'is no JSON'),
    refused(3, 'externalId', 'is required'),
  ];
  const text = await errorsOf(content, reports);
  t.is(text.split('\n')[0], `{"#report":${JSON.stringify(reports[0])},"externalId":"A","price":1.10}`);
  t.deepEqual(JSON.parse(text.split('\n')[1] ?? ''), { '#report': { ...reports[1], input: 'nonsense' } });
  t.deepEqual(JSON.parse(text.split('\n')[2] ?? ''), { '#report': reports[2] });
  t.deepEqual((await read(text)).items, { 1: { externalId: 'A', price: 1.1 }, 2: {}, 3: {} });
  t.is(
    await errorsOf(text, [refused(1, 'title', 'is required')]),
    `{"#report":${JSON.stringify(reports[0])},"externalId":"A","price":1.1}\n`,
  );
});

test('the values of a list become lines', async (t) => {
  const text = await errorsOf('[\n{"externalId":"A"},\n{"externalId":"B",\n"x":1}]', [
    refused(2, 'title', 'is required'),
  ]);
  t.deepEqual((await read(text)).items, { 1: { externalId: 'B', x: 1 } });
});

for (const [cell, what] of [
  ['1:79,3:0', 'is no list of shipping options: write 1:79|3:0, which is option 1 for 79 SEK and option 3 for nothing'],
  ['postnord', 'is no list of shipping options: write 1:79|3:0, which is option 1 for 79 SEK and option 3 for nothing'],
  ['1:79,50', 'is no list of shipping options: write 1:79|3:0, which is option 1 for 79 SEK and option 3 for nothing'],
  ['=A1', 'is a formula: save the file with the values that it gives'],
  ['', 'is required'],
] as const)
  test(`what is wrong with shipping options is told in their words: "${cell}"`, async (t) => {
    const name = 'listing.shippingOptions';
    const file = `externalId\ttitle\tprice\t${name}\nA\ta\t1\t${cell}\n`;
    const text = await errorsOf(file, [refused(2, name, 'is required')]);
    t.true(text.replaceAll('""', '"').includes(`${name}${cell === '' ? '' : ` "${cell}"`} ${what}`), text);
  });

test('a problem of one of several shipping options is told of their column', async (t) => {
  const file = 'externalId;title;price;Frakt\nA;a;1;1:79|1:0\n';
  const map = { 'listing.shippingOptions': 'Frakt' };
  const field = 'listing.shippingOptions.1.optionId';
  const text = await errorsOf(file, [refused(2, field, 'stands there more than once')], { map });
  t.regex(text, /Frakt \(listing\.shippingOptions\.1\.optionId\) ""1:79\|1:0"" stands there more than once/);
});

test('a value is shown with the codes of what can not be seen in it', async (t) => {
  const text = await errorsOf('externalId;title;price\nA;a;1\u200B5\n', [refused(2, 'price', 'must be a number')]);
  t.regex(text, /price ""1<U\+200B>5"" is no clear number/);
});

test('a formula in a price is named as one', async (t) => {
  const text = await errorsOf('externalId;title;price\nA;a;=B2*2\n', [refused(2, 'price', 'must be a number')]);
  t.regex(text, /price ""=B2\*2"" is a formula/);
});

test('without a report there is no file', async (t) => {
  t.is(await errorsOf(csv, [], wish), '');
});
