import test from 'ava';
import { showUnseen } from '../../../features/rules/unseen-text.ts';
import { read } from './support.ts';

const itemOf = async (header: string, row: string) => (await read(`externalId;title;${header}\nA;a;${row}\n`)).items[2];
const priceOf = async (cell: string) => (await itemOf('price', cell))?.['price'];

for (const [cell, text] of [
  ['="0615"', '0615'],
  ['"=""0615"""', '0615'],
  ['" =""7312345678901"" "', '7312345678901'],
  ['="a""b"', 'a"b'],
  ['=""', undefined],
  ['"=""1;2"""', '1;2'],
] as const)
  test(`a cell that keeps spreadsheets from making a number is its text, in every column: ${cell}`, async (t) => {
    const { items } = await read(`externalId;title;price;domain.part.oemNumber\n${cell};${cell};"=""450""";${cell}\n`);
    const own = { externalId: text, title: text, price: 450, domain: text && { part: { oemNumber: text } } };
    for (const [name, value] of Object.entries(own)) t.deepEqual(items[2]?.[name], value);
  });

test('the names of columns may be written so too, and other formulas are texts', async (t) => {
  const { items } = await read('="externalId";="title";price\n=A1;=SUM(1);=450*2\n');
  t.like(items[2], { externalId: '=A1', title: '=SUM(1)', price: '=450*2' });
});

for (const [cell, text] of [
  ["'=1+1", '=1+1'],
  ["'0615", '0615'],
  ["'+46 70", '+46 70'],
  ["''tis", "'tis"],
  ["'2026-11-27", '2026-11-27'],
  ["x,'@SUM(1)", 'x,@SUM(1)'],
] as const)
  test(`an apostrophe that guards a cell is no part of it, and that is told: ${cell}`, async (t) => {
    const { items, noted } = await read(`externalId\ttitle\tprice\n${cell}\ta\t1\nB\t${cell}\t1\n`);
    t.is(items[2]?.['externalId'], text);
    t.is(items[3]?.['title'], text);
    t.deepEqual(noted, [
      '2 cells (the first on line 2): the apostrophe that keeps a spreadsheet from changing the text is not part of it.',
    ]);
  });

for (const cell of ["it's", "'tis", "O'Neill", "'n"])
  test(`an apostrophe that guards nothing is text: ${cell}`, async (t) => {
    const { items, noted } = await read(`externalId;title;price\n${cell};a;1\n`);
    t.is(items[2]?.['externalId'], cell);
    t.deepEqual(noted, []);
  });

test('in front of a number an apostrophe means nothing', async (t) => {
  for (const cell of ["'450", "'1499,50", "'450 kr"]) t.is(typeof (await priceOf(cell)), 'number', cell);
});

for (const cell of [
  'https://a.test/1.jpg,https://a.test/2.jpg',
  'https://a.test/1.jpg, https://a.test/2.jpg',
  '"https://a.test/1.jpg;https://a.test/2.jpg"',
  'https://a.test/1.jpg https://a.test/2.jpg',
  '"https://a.test/1.jpg\nhttps://a.test/2.jpg"',
  'https://a.test/1.jpg|https://a.test/2.jpg',
  '"https://a.test/1.jpg ; https://a.test/2.jpg;"',
  'https://a.test/1.jpg,https://a.test/2.jpg,',
  'https://a.test/1.jpg<br>https://a.test/2.jpg<br />',
  'https://a.test/1.jpg\u00A0https://a.test/2.jpg',
  'https://a.test/1.jpg，https://a.test/2.jpg、',
])
  test(`several addresses in a cell are taken one by one: ${JSON.stringify(showUnseen(cell))}`, async (t) => {
    const { items, noted } = await read(`externalId;title;price;imageUrls\nA;a;1;${cell}\n`);
    t.deepEqual(items[2]?.['imageUrls'], ['https://a.test/1.jpg', 'https://a.test/2.jpg']);
    const told =
      'A cell on line 2: several addresses of images, separated by blanks, commas or semicolons; each is taken by itself.';
    t.deepEqual(noted, cell.includes('|') ? [] : [told]);
  });

test('an address with commas or another address in it is one', async (t) => {
  for (const address of ['https://a.test/w_200,h_200/https://b.test/1.jpg', 'https://a.test/1.jpg?size=20,20'])
    t.deepEqual((await itemOf('price;imageUrls', `1;${address}`))?.['imageUrls'], [address]);
});

test('an amount that is marked to have no öre has thousands before three digits', async (t) => {
  for (const cell of [
    '1.499,-',
    '1.499:-',
    '1,499.-',
    "1'499.-",
    '1 499,-',
    'kr 1.499,–',
    '1.499,--',
    '1.499,− kr',
    '1499,-',
  ])
    t.is(await priceOf(cell), 1499, cell);
  t.is(await priceOf('1.499.500,-'), 1_499_500);
  t.is(await priceOf('12.000:-'), 12_000);
  t.is(await priceOf('450,-'), 450);
  for (const cell of ['1.499', '1,499', '1.49.9,-', '1.499 -']) t.is(await priceOf(cell), cell);
});

test('a number may have a minus sign of any kind in front, and none behind', async (t) => {
  for (const sign of ['-', '\u2212', '\u2013', '\u2011', '\uFE63', '\uFF0D']) {
    t.is(await priceOf(`${sign}5`), -5, sign);
    t.is(await priceOf(`${sign}1 499,50 kr`), -1499.5, sign);
    t.is(await priceOf(`5${sign}`), `5${sign}`);
    t.is(await priceOf(sign), sign);
  }
  t.is(await priceOf('\u22121,500'), '\u22121,500');
});
