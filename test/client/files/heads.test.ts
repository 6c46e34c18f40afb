import test from 'ava';
import { guessColumns } from '../../../client/files/guess-columns.ts';
import { cutLine, itemHeadings } from '../../../features/rules/exported-files.ts';
import { read, whyRefused } from './support.ts';

for (const [header, separator] of [
  ['"Artikel\nnr, internt";"Benämning, lång";"Pris, kr, inkl"', ';'],
  ['"Art;nr\r\ninternt","Be;nä;mning","Pris"', ','],
  ['"a\nb"\t"c,d;e"\t"f"', '\t'],
  ['"x, y\n, z"|b|c', '|'],
  ['"Fälg 15"" ,\n,";b;c', ';'],
] as const)
  test(`the separator is that of the whole header, over its line breaks: ${JSON.stringify(header)}`, async (t) => {
    const row = ['A', 'a', '1'].join(separator);
    const [externalId, title, price] = header
      .split(new RegExp(`${separator === '|' ? '\\|' : separator}(?=(?:[^"]*"[^"]*")*[^"]*$)`))
      .map((name) => name.replaceAll(/^"|"$/g, '').replaceAll('""', '"'));
    const map = { externalId, title, price } as Record<string, string>;
    const { items } = await read(`${header}\r\n${row}\r\n`, { map });
    t.like(Object.values(items)[0], { externalId: 'A', title: 'a', price: 1 });
  });

test('names of columns are compared as they are read: blanks of any kind, line breaks and what can not be seen', async (t) => {
  const { items } = await read('Art\u00a0nr;\u200BNamn;"Pris\ninkl"\nA;a;1\n', {
    map: { externalId: 'Art nr', title: 'namn', price: 'Pris inkl' },
  });
  t.like(items[3], { externalId: 'A', title: 'a', price: 1 });
});

const table = 'externalId;title;price\nA;a;1\nB;b;2\n';

for (const [title, header] of [
  ['Lagerlista 2026-11-27\n', 2],
  ['Lagerlista, Malmö, hela lagret\n', 2],
  ['Lagerlista;;\n', 2],
  ['Export från systemet\nSkapad 2026-11-27;;\n\n', 4],
  ['"Lager;lista, ""alla"""\n', 2],
] as const)
  test(`a title above the header is named, with the option that skips it: ${JSON.stringify(title)}`, async (t) => {
    const why = await whyRefused(title + table);
    t.is(
      why,
      `Line 1 looks like a title; the header is on line ${header}: --header-line ${header} reads it from there.`,
    );
    const { items } = await read(title + table, { headerLine: header });
    t.deepEqual(Object.keys(items).map(Number), [header + 1, header + 2]);
  });

test('a title is named above mapped columns, guessed ones and our own too', async (t) => {
  const mapped = await whyRefused('Lista\nKod;Vad;Kostar\nA;a;1\n', {
    map: { externalId: 'Kod', title: 'Vad', price: 'Kostar' },
  });
  t.regex(mapped, /^Line 1 looks like a title; the header is on line 2/);
  t.regex(await whyRefused('Lista\nArtikelnr,Benämning,Pris\nA,a,1\n'), /the header is on line 2/);
  t.regex(await whyRefused('Lista\nArtikel-id;Titel;Kategori;Pris\nA;a;;1\n'), /the header is on line 2/);
  t.regex(await whyRefused('Lista\na;b;c\nA;a;1\n'), /has no column externalId/);
});

test('a line without a row can not be the header', async (t) => {
  t.is(await whyRefused(table, { headerLine: 9 }), 'The file is empty.');
  t.regex(await whyRefused('a\n\nexternalId;title;price\n', { headerLine: 2 }), /no row that begins on line 2/);
});

for (const totals of ['Summa;3', 'Totalt', 'Total:', ';3', 'Summa: 2', 'SUM'])
  test(`a short last row of totals is named, with the option that skips it: ${totals}`, async (t) => {
    const file = `${table}${totals}\n\n`;
    t.is(await whyRefused(file), 'The last row, on line 4, looks like a row of totals: --skip-last 1 leaves it out.');
    const { items, noted } = await read(file, { skipLast: 1 });
    t.deepEqual(Object.keys(items), ['2', '3']);
    t.deepEqual(noted, []);
  });

for (const note of ['*** Slut på rapport ***', 'Utskriven 2026-11-27', 'A;b', '"Sida 1\nav 1"'])
  test(`a short last row that may be a note says so, and how to leave it out: ${JSON.stringify(note)}`, async (t) => {
    const told = await whyRefused(`externalId;title;price\nA;a;1\n${note}\n`);
    t.regex(told, /^The row on line 3 has \d cells?, but the header has 3: .* --skip-last 1 .* send it whole\.$/);
    t.notRegex(await whyRefused(`externalId;title;price\n${note}\nA;a;1\n`), /skip-last/);
  });

test('one with all cells is sent, fails by itself where it has no title, and is named', async (t) => {
  for (const totals of ['Summa;;3', ';;3', 'Totalt;2 artiklar;3', 'Total (2 artiklar);;3', 'Antal rader: 2;;3']) {
    const { noted } = await read(`${table}${totals}\n`);
    t.deepEqual(noted, ['The last row, on line 4, looks like a row of totals: --skip-last 1 leaves it out.'], totals);
  }
  t.deepEqual((await read(`${table}Summahylla;a;3\nC;c;3\n`)).noted, []);
});

test('a short row in the middle is no row of totals', async (t) => {
  t.regex(await whyRefused('externalId;title;price\nSumma;3\nB;b;2\n'), /row on line 2 has 2 cells/);
});

test('rows that are skipped at the end may be anything, and more than there are leave none', async (t) => {
  const { items } = await read(`${table}x;y;z;too;many\nUtskriven 2026\n`, { skipLast: 2 });
  t.deepEqual(Object.keys(items), ['2', '3']);
  t.deepEqual((await read(table, { skipLast: 9 })).items, {});
});

for (const [header, guessed] of [
  [['External ID', 'Title', 'Price'], { externalId: 'External ID', title: 'Title', price: 'Price' }],
  [
    ['EXTERNAL_ID', 'TITLE', 'PRICE', 'DESCRIPTION'],
    { externalId: 'EXTERNAL_ID', title: 'TITLE', price: 'PRICE', description: 'DESCRIPTION' },
  ],
  [
    ['externalid', 'titel', 'Weight_kg', 'shipping-cost'],
    { externalId: 'externalid', title: 'titel', weightKg: 'Weight_kg', shippingCost: 'shipping-cost' },
  ],
  [['Image URLs', 'Images', 'sku'], { imageUrls: 'Image URLs', externalId: 'sku' }],
  [
    ['Domain.Part.OemNumber', 'listing.reserveprice', 'Quantity'],
    {
      'domain.part.oemNumber': 'Domain.Part.OemNumber',
      'listing.reservePrice': 'listing.reserveprice',
      quantity: 'Quantity',
    },
  ],
  [
    ['Auto publish Tradera', 'Currency', 'externalId'],
    { autoPublishTradera: 'Auto publish Tradera', currency: 'Currency' },
  ],
] as const)
  test(`the fields' own names are guessed in any spelling: ${header.join(', ')}`, (t) => {
    t.deepEqual(guessColumns(header), guessed);
  });

for (const [language, separator] of [
  ['sv', ';'],
  ['en', ','],
] as const)
  test(`our own file that did not hold all rows is no snapshot, since it would take the others down: ${language}`, async (t) => {
    const header = ['externalId', 'title', 'price'] as const;
    const content = [header.map((name) => itemHeadings[name][language]), ['A', 'a', '1'], [cutLine[language]]]
      .map((cells) => cells.join(separator))
      .join('\n');
    const { items, noted } = await read(content);
    t.deepEqual(Object.keys(items), ['2']);
    t.regex(noted.join('\n'), /did not hold all rows \(line 3\)/);
    t.regex(await whyRefused(content, { isSnapshot: true }), /line 3\), so it can't be a snapshot/);
    const whole = content.slice(0, content.lastIndexOf('\n'));
    t.deepEqual(Object.keys((await read(whole, { isSnapshot: true })).items), ['2']);
  });
