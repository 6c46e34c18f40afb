import test from 'ava';
import { readItemRequest } from '../../../schemas/items/read-item-request.ts';
import { read, whyRefused } from './support.ts';

for (const [name, newline] of [
  ['LF', '\n'],
  ['CR LF', '\r\n'],
] as const) {
  test(`items stay on the lines of the file, over rows of several lines, empty lines and rows (${name})`, async (t) => {
    const rows = [
      'externalId;title;price',
      'A;"två',
      'rader ""citat""";1',
      '',
      '',
      'B;b;2',
      ';;',
      'C;"x',
      'y',
      'z";3',
      'D;d;4',
    ];
    const { items } = await read(`\uFEFF${rows.join(newline)}`);
    t.deepEqual(
      Object.entries(items).map(([line, item]) => [Number(line), item['externalId'], item['price']]),
      [
        [2, 'A', 1],
        [6, 'B', 2],
        [8, 'C', 3],
        [11, 'D', 4],
      ],
    );
    t.is(items[2]?.['title'], `två${newline}rader "citat"`);
  });
}

test('line numbers hold over a file that is much longer than what is read at once', async (t) => {
  const rows = Array.from({ length: 20_000 }, (_, index) => `${index + 2},"ö\n${'x'.repeat(index % 50)}",1`);
  const { items } = await read(['externalId,title,price', ...rows].join('\n'));
  const lines = Object.keys(items).map(Number);
  t.is(lines.length, 20_000);
  t.deepEqual(
    lines.filter((line, index) => line !== 2 + index * 2),
    [],
  );
});

test('columns become the fields of their dotted paths, in the types of the schema, and the service takes them', async (t) => {
  const header = [
    'externalId;account;title;price;weightKg;autoPublishTradera;imageUrls.1;imageUrls.0;domain',
    'domain.part.oemNumber;domain.vehicle.year;domain.part.catalogCodes.system.A;domain.part.name',
  ].join(';');
  const row = '007;butik;Skiva;1 499,50;4.2;ja;https://a.test/2.jpg;https://a.test/1.jpg;auto_parts;0615;2004;0412;';
  const { items, remarks } = await read(`${header}\n${row}\n`);
  t.deepEqual(remarks, []);
  const { externalId, account, ...item } = items[2] ?? {};
  t.deepEqual([externalId, account], ['007', 'butik']);
  t.deepEqual(item, {
    title: 'Skiva',
    price: 1499.5,
    weightKg: 4.2,
    autoPublishTradera: true,
    imageUrls: ['https://a.test/1.jpg', 'https://a.test/2.jpg'],
    domain: {
      domain: 'auto_parts',
      part: { oemNumber: '0615', catalogCodes: { 'system.A': '0412' } },
      vehicle: { year: 2004 },
    },
  });
  t.notThrows(() => readItemRequest(item));
});

test('blanks around a cell are no part of it, whatever its field is', async (t) => {
  const { items } = await read(
    'externalId;title;price;useAiEnhancement;imageUrls.0\n  NB-6 ;" Skiva\u00a0";\t10 ; ja ; https://a.test/1 \n',
  );
  t.deepEqual(items[2], {
    externalId: 'NB-6',
    title: 'Skiva',
    price: 10,
    useAiEnhancement: true,
    imageUrls: ['https://a.test/1'],
  });
});

test('an empty cell is left out, several images stand in one cell, and no images is an empty list', async (t) => {
  const { items } = await read(
    'externalId,title,price,description,images\nA,a,1,,https://a.test/1|https://a.test/2\nB,b,2,,\n',
  );
  t.deepEqual(items[2], { externalId: 'A', title: 'a', price: 1, images: ['https://a.test/1', 'https://a.test/2'] });
  t.deepEqual(items[3], { externalId: 'B', title: 'b', price: 2, imageUrls: [] });
});

test('prices come in every form that a person writes them', async (t) => {
  const prices = async (...cells: string[]) => {
    const { items } = await read(`externalId\ttitle\tprice\n${cells.map((cell) => `A\ta\t${cell}\n`).join('')}`);
    return Object.values(items).map(({ price }) => price);
  };
  const half = [
    '1499.50',
    '1499,50',
    '1 499,50',
    '1\u00a0499,50',
    '1\u202f499,50',
    '1.499,50',
    '1,499.50',
    "1'499,50",
    '1’499.50',
  ];
  t.deepEqual(
    await prices(...half),
    half.map(() => 1499.5),
  );
  const whole = [
    '450',
    '450 kr',
    '450kr',
    '450 kr.',
    '450:-',
    '450,-',
    '450 :-',
    '450 SEK',
    'SEK 450',
    'kr 450',
    '450,00 kr',
    '450.–',
  ];
  t.deepEqual(
    await prices(...whole),
    whole.map(() => 450),
  );
  t.deepEqual(
    await prices('1.499.500', '1,499,500', '-1.499,50', '1 000 000 kr'),
    [1499500, 1499500, -1499.5, 1000000],
  );
  const unclear = [
    '1.500',
    '1,500',
    '1.500 kr',
    '12,000',
    '1.49,50',
    '1,4,9',
    '450 euro',
    'från 450',
    '4 50',
    '1e3',
    '0x10',
  ];
  t.deepEqual(await prices(...unclear), unclear);
});

test('a currency is part of an amount alone', async (t) => {
  const { items } = await read('externalId;title;price;shippingCost;weightKg\nA;a;10 kr;79 kr;2 kr\n');
  t.like(items[2], { price: 10, shippingCost: 79, weightKg: '2 kr' });
});

test('what is no number or yes or no stays text, so that the service says which field is wrong', async (t) => {
  const { items } = await read('externalId\ttitle\tprice\tuseAiEnhancement\timageUrls\nA\ta\t1.234\tkanske\t\n');
  t.like(items[2], { price: '1.234', useAiEnhancement: 'kanske' });
});

test('a separator before three digits could mean two things and stays text; what can mean one thing is a number', async (t) => {
  const prices = async (...cells: string[]) => {
    const { items } = await read(`externalId;title;price\n${cells.map((cell) => `A;a;${cell}\n`).join('')}`);
    return Object.values(items).map(({ price }) => price);
  };
  const unclear = ['1,500', '1.500', '12,000', '-1,500', '999.999'];
  t.deepEqual(await prices(...unclear), unclear);
  t.deepEqual(await prices('1 500', '1500,000', '1 499,500', '0,125', '1,50'), [1500, 1500, 1499.5, 0.125, 1.5]);
});

test('empty lines before the header change neither what it is nor the numbers of lines', async (t) => {
  const { items } = await read('\uFEFF\r\n\r\nexternalId;title;price\r\nA;a, b, c, d;1\r\n');
  t.deepEqual(items, { 4: { externalId: 'A', title: 'a, b, c, d', price: 1, imageUrls: [] } });
  t.regex(await whyRefused('\n\ntitle;price\n'), /line 3/);
});

test('a column that is no field is named with the field it resembles, and left out', async (t) => {
  const { items, remarks } = await read('externalId,title,price,imageUrls,Weight_kg,__proto__.x,lager\nA,a,1,,3,y,z\n');
  t.deepEqual(items[2], { externalId: 'A', title: 'a', price: 1, imageUrls: [] });
  t.is(remarks.length, 3);
  t.regex(remarks[0] ?? '', /"Weight_kg" is not a field of an item and is left out\. Did you mean weightKg\?/);
});

test('a file that can not be meant is refused before anything is taken, with the line', async (t) => {
  const header = 'externalId,title,price\n';
  t.regex(await whyRefused('title,price\n'), /no column externalId/);
  t.regex(await whyRefused('externalId,title,price,title\n'), /column title twice/);
  for (const images of ['imageUrls,imageUrls.0', 'images,imageUrls', 'images.0,imageUrls.1'])
    t.regex(await whyRefused(`externalId,title,price,${images}\n`), /images in several ways/);
  t.regex(await whyRefused(''), /empty/);
  t.regex(await whyRefused(`${header}A,a,1\nB,b\n`), /row on line 3 has 2 cells, but the header has 3/);
  t.regex(await whyRefused(`${header}A,a,1\nB,b,2,x\n`), /row on line 3 has 4 cells, but the header has 3/);
});

test('separators at the end of rows are no cells, and cells that are left out there are empty', async (t) => {
  const { items, remarks } = await read('externalId;title;price;imageUrls;;\nA;a;1;;;;;\nB;b;2\n;;;;;;;;\nC;c;3;;\n');
  t.deepEqual(remarks, []);
  t.deepEqual(Object.keys(items), ['2', '3', '5']);
  t.deepEqual(items[3], { externalId: 'B', title: 'b', price: 2, imageUrls: [] });
});

test('the separator that a spreadsheet writes into the first line is taken, and its line counts', async (t) => {
  for (const [first, separator] of [
    ['sep=;', ';'],
    ['"sep=,"', ','],
    ['SEP=|', '|'],
    ['sep=\t', '\t'],
  ] as const) {
    const rows = [first, 'externalId title price'.replaceAll(' ', separator), 'A a 1'.replaceAll(' ', separator)];
    t.like((await read(rows.join('\r\n'))).items, { 3: { externalId: 'A', title: 'a', price: 1 } });
  }
});

test('a quote inside of a cell is text; one that opens and is not closed is named where it opens', async (t) => {
  const header = 'externalId;title;price\n';
  t.is((await read(`${header}A;Fälg 15";10\n`)).items[2]?.['title'], 'Fälg 15"');
  t.is((await read(`${header}A; "Fälg; 15""" ;10\n`)).items[2]?.['title'], 'Fälg; 15"');
  const rows = Array.from({ length: 500 }, (_, n) => `A${n};a;1\n`).join('');
  t.regex(await whyRefused(`${header}A;"a\nb";1\nB;"b;1\n${rows}`), /quote that opens on line 4 is never closed/);
  t.regex(await whyRefused(`${header}A;"a;1\n${rows}B;"b";1\n`), /line 503, which closes the one on line 2, comes "b"/);
  t.regex(await whyRefused(`${header}A;"a"b;1\n`), /line 2, which closes the one on line 2, comes "b"/);
  t.regex(
    await whyRefused(`${header}A;"${'a'.repeat(1_100_000)}`, { pieceBytes: 65_536 }),
    /begins on line 2 has more than 1,000,000 characters.* Perhaps its quote is never closed/,
  );
});

test('lines that end in CR alone are lines', async (t) => {
  const { items } = await read('externalId;title;price\rA;a;1\r\rB;"b\rc";2\rC;c;3\r');
  t.deepEqual(Object.keys(items), ['2', '4', '6']);
});

test('columns of other names are mapped, and the first refusal says how', async (t) => {
  const content =
    'Artikelnr;Benämning;Pris;Lagersaldo;Bild 1;Bild 2\nA;Dörr;450 kr;3;https://a.test/1;https://a.test/2\n';
  const why = await whyRefused(content);
  t.regex(why, /no column externalId, title, price\. It has: Artikelnr \| Benämning \| Pris/);
  const suggested = /--map '(.*)'/.exec(why)?.[1] ?? '';
  t.is(suggested, 'externalId=Artikelnr,title=Benämning,price=Pris,imageUrls.0=Bild 1,imageUrls.1=Bild 2');
  const map = Object.fromEntries(suggested.split(',').map((pair) => pair.split('=')));
  const { items, remarks } = await read(content, { map, set: { domain: 'auto_parts', autoPublishTradera: 'ja' } });
  t.deepEqual(items[2], {
    externalId: 'A',
    title: 'Dörr',
    price: 450,
    imageUrls: ['https://a.test/1', 'https://a.test/2'],
    domain: { domain: 'auto_parts' },
    autoPublishTradera: true,
  });
  t.deepEqual(remarks, ['Column "Lagersaldo" is not a field of an item and is left out.']);
});

test('a column may be two fields, a mapped one counts before a column of the field’s name, and blanks and case do not', async (t) => {
  const content = 'externalId;title;price; Namn \nA;kort;1;Lång\n';
  const { items, remarks } = await read(content, { map: { title: 'namn', description: 'Namn' } });
  t.like(items[2], { title: 'Lång', description: 'Lång' });
  t.true(remarks.some((remark) => remark.startsWith('Column "title"')));
});

test('a mapping that can not be meant is refused', async (t) => {
  const content = 'externalId;title;price;Namn\n';
  t.regex(await whyRefused(content, { map: { titel: 'Namn' } }), /"titel" is not a field of an item/);
  t.regex(await whyRefused(content, { map: { Title: 'Namn' } }), /Did you mean title\?/);
  t.regex(
    await whyRefused(content, { map: { title: 'Titel' } }),
    /no column "Titel", which is mapped to title\. It has: externalId/,
  );
  t.regex(await whyRefused(content, { map: { imageUrls: 'Namn', 'imageUrls.0': 'title' } }), /images in several ways/);
  t.regex(await whyRefused(content, { map: { domain: 'Namn' }, set: { 'domain.domain': 'art' } }), /domain twice/);
});
