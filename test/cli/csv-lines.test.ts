import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { UsageError } from '../../cli/exit-codes.ts';
import { csvAsNdjson, readCsvColumns } from '../../cli/sync/csv-lines.ts';
import { readItemRequest } from '../../schemas/items/read-item-request.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Read {
  readonly warnings: readonly string[];
  /** Items by the number of their line. */
  readonly items: Readonly<Record<number, Record<string, unknown>>>;
}

async function read(content: string | Uint8Array): Promise<Read> {
  const file = join(temporaryFolder('csv'), 'items.csv');
  writeFileSync(file, content);
  const { columns, warnings } = await readCsvColumns(file);
  const chunks: Uint8Array[] = [];
  for await (const chunk of csvAsNdjson(file, columns)) chunks.push(chunk);
  const lines = Buffer.concat(chunks).toString('utf8').split('\n');
  const found = lines.map((line, index) => [index + 1, line] as const).filter(([, line]) => line !== '');
  return { warnings, items: Object.fromEntries(found.map(([number, line]) => [number, JSON.parse(line)])) };
}

const rejects = async (content: string | Uint8Array): Promise<string> => {
  try {
    await read(content);
    return '';
  } catch (error) {
    return error instanceof UsageError ? error.message : `not a UsageError: ${String(error)}`;
  }
};

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
  const { items, warnings } = await read(`${header}\n${row}\n`);
  t.deepEqual(warnings, []);
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
    ...{ externalId: 'NB-6', title: 'Skiva', price: 10, useAiEnhancement: true, imageUrls: ['https://a.test/1'] },
  });
});

test('an empty cell is left out, several images stand in one cell, and no images is an empty list', async (t) => {
  const { items } = await read(
    'externalId,title,price,description,images\nA,a,1,,https://a.test/1|https://a.test/2\nB,b,2,,\n',
  );
  t.deepEqual(items[2], { externalId: 'A', title: 'a', price: 1, images: ['https://a.test/1', 'https://a.test/2'] });
  t.deepEqual(items[3], { externalId: 'B', title: 'b', price: 2, imageUrls: [] });
});

test('what is no number or yes or no stays text, so that the service says which field is wrong', async (t) => {
  const { items } = await read('externalId\ttitle\tprice\tuseAiEnhancement\timageUrls\nA\ta\t1.234,50\tkanske\t\n');
  t.like(items[2], { price: '1.234,50', useAiEnhancement: 'kanske' });
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
  t.regex(await rejects('\n\ntitle;price\n'), /line 3/);
});

test('a column that is no field is named with the field it resembles, and left out', async (t) => {
  const { items, warnings } = await read(
    'externalId,title,price,imageUrls,Weight_kg,__proto__.x,lager\nA,a,1,,3,y,z\n',
  );
  t.deepEqual(items[2], { externalId: 'A', title: 'a', price: 1, imageUrls: [] });
  t.is(warnings.length, 3);
  t.regex(warnings[0] ?? '', /"Weight_kg" is no field of an item and is left out\. Is it weightKg\?/);
});

test('a file that can not be meant is refused before anything is taken, with the line', async (t) => {
  const header = 'externalId,title,price\n';
  t.regex(await rejects('title,price\n'), /no column externalId/);
  t.regex(await rejects('externalId,title,price,title\n'), /column title twice/);
  for (const images of ['imageUrls,imageUrls.0', 'images,imageUrls', 'images.0,imageUrls.1'])
    t.regex(await rejects(`externalId,title,price,${images}\n`), /images in several ways/);
  t.regex(await rejects(''), /empty/);
  t.regex(await rejects(`${header}A,a,1\nB,b\n`), /line 3/);
  t.regex(await rejects(`${header}A,"a,1\n`), /line 2/);
  t.regex(await rejects(Buffer.from(`${header}A,Sk\xe5p,1\n`, 'latin1')), /not UTF-8/);
});
