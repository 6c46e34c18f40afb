import test from 'ava';
import fc from 'fast-check';
import { problem } from '../../../features/rules/field-problems.ts';
import { csvRows } from '../../../client/files/csv-rows.ts';
import { errorFile } from '../../../client/files/error-file.ts';
import { planColumns } from '../../../client/files/columns.ts';
import type { BulkSyncError } from '../../../client/generated/types.gen.ts';
import { byteOrderMark, csvLanguages, csvLine, type CsvLanguage } from '../../../features/rules/csv.ts';
import { itemHeadings } from '../../../features/rules/exported-files.ts';
import { readBatchRow } from '../../../schemas/items/batch.ts';
import { open, read } from './support.ts';
import { checkProperty } from '../../support/check-property.ts';

interface Row {
  readonly externalId: string;
  readonly title: string;
  readonly price: number;
}

const isTaken = ({ externalId, title, price }: Row): boolean =>
  !('refusal' in readBatchRow({ externalId, title, price, imageUrls: [] }));

/** What spreadsheets and readers of their files give a meaning, and what they lose. */
const signs = [
  '=',
  '+',
  '-',
  '@',
  "'",
  '"',
  ';',
  ',',
  '|',
  ' ',
  '\u00A0',
  '\u200B',
  '＝',
  '#',
  '0',
  '1',
  '2',
  '7312345',
];
const words = ['E', '.', '/', ':', '%', 'å', 'Ö', 'mars', 'DEC', 'kr', 'true', 'sant', '=""', "''", 'null', '(', ')'];
const lineSigns = ['\t', '\r', '\n', '\r\n', '\u001A', '\u0085', '\u2028'];
const textOf = (parts: readonly string[]) =>
  fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 6 }).map((some) => some.join(''));
const price = fc.integer({ min: 100, max: 10_000_000_000 }).map((ore) => ore / 100);
const rows = (parts: readonly string[]) =>
  fc.array(fc.record({ externalId: textOf(parts), title: textOf([...signs, ...words]), price }).filter(isTaken), {
    minLength: 1,
    maxLength: 6,
  });

const headings = (language: CsvLanguage) => Object.values(itemHeadings).map((heading) => heading[language]);

/** A file of items as the dashboard exports it. */
const exported = (items: readonly Row[], language: CsvLanguage): string =>
  [
    byteOrderMark + csvLine(headings(language), language),
    ...items.map(({ externalId, title, price: amount }) =>
      csvLine(
        [externalId, title, 'art', amount, 'Till salu', 'Fel', null, { asRead: '2026-11-27 12:00:00' }],
        language,
      ),
    ),
  ].join('');

async function takenBack(content: string | Uint8Array): Promise<Row[]> {
  const { items } = await read(content, { pieceBytes: 1_000 });
  return Object.values(items).map(({ externalId, title, price: amount, domain }) => {
    if (JSON.stringify(domain) !== '{"domain":"art"}') throw new Error('the category is lost');
    return { externalId, title, price: amount } as Row;
  });
}

const isSame = (some: readonly Row[], others: readonly Row[]): boolean =>
  JSON.stringify(some) === JSON.stringify(others);

test('what we export we take back unchanged, whatever is in it, in both languages', async (t) => {
  await checkProperty(
    t,
    fc.asyncProperty(
      rows([...signs, ...words, ...lineSigns]),
      fc.constantFrom(...csvLanguages),
      async (items, language) => isSame(await takenBack(exported(items, language)), items),
    ),
    { numRuns: 400 },
  );
});

const cellsOf = async (content: string, separator: string): Promise<string[][]> => {
  const found: string[][] = [];
  const piece = async function* () {
    yield content.replace(byteOrderMark, '');
  };
  for await (const { cells } of csvRows(piece(), { separator, newline: '\n' })) found.push([...cells]);
  return found;
};

/** A file as Excel writes it: quotes only where they are needed. */
const saved = (table: readonly (readonly string[])[], separator: string): string =>
  table
    .map((cells) =>
      cells
        .map((cell) => (/["\r\n]/.test(cell) || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell))
        .join(separator),
    )
    .join('\r\n');

/** What a spreadsheet makes of a cell that it has read, and writes in its place; roughly, and rather too much. */
function asSpreadsheet(cell: string): string {
  const text = cell.trim();
  if (/^[=+\-@]/.test(text) && /[^\d.,\s=+\-@]/.test(text)) return '#NAMN?';
  if (/^[+-]?[\d\s\u00A0]*\d(?:[.,]\d+)?(?:E[+-]?\d+)?$/i.test(text)) {
    const number = Number(text.replaceAll(/[\s\u00A0]/g, '').replace(',', '.'));
    return number >= 1e11
      ? number.toExponential(5).replace('.', ',').replace('e', 'E')
      : String(number).replace('.', ',');
  }
  if (/^\(?\d[\d\s.,:/%()-]*$/.test(text)) return '2026-01-01';
  if (/^[\d\s/.-]*(?:mars|dec)[\d\s/.-]*$/i.test(text) && /\d/.test(text)) return 'dec-26';
  return /^(?:true|sant)$/i.test(text) ? 'SANT' : cell;
}

test('opened and saved by a spreadsheet, it is the same: other separators, no quotes, numbers in its own form', async (t) => {
  await checkProperty(
    t,
    fc.asyncProperty(
      rows([...signs, ...words]),
      fc.constantFrom(...csvLanguages),
      fc.constantFrom(';', ',', '\t'),
      fc.boolean(),
      // eslint-disable-next-line @typescript-eslint/max-params -- the library passes what it made
      async (items, language, separator, hasMark) => {
        const table = await cellsOf(exported(items, language), language === 'sv' ? ';' : ',');
        const [header = [], ...body] = table;
        const again = saved([header, ...body.map((cells) => cells.map(asSpreadsheet))], separator);
        return isSame(await takenBack((hasMark ? byteOrderMark : '') + again), items);
      },
    ),
    { numRuns: 400 },
  );
});

test('a text that Windows-1252 has is the same in it, too', async (t) => {
  const letters = ['Å', 'ö', 'é', 'Dörr', "'", '=', '0', '7', ';', ' ', '"'];
  await checkProperty(
    t,
    fc.asyncProperty(rows(letters), fc.constantFrom(...csvLanguages), async (items, language) => {
      const latin = items.map((item) => ({ ...item, title: `Dörr ${item.externalId}` })).filter(isTaken);
      const content = Buffer.from(exported(latin, language).replace(byteOrderMark, ''), 'latin1');
      return isSame(await takenBack(content), latin);
    }),
    { numRuns: 100 },
  );
});

test('so it is when a tool has written the ids as formulas that keep them texts', async (t) => {
  await checkProperty(
    t,
    fc.asyncProperty(rows(['0', '1', 'A', '"', ';', ',', '-', '=']), async (items) => {
      const body = items.map(({ externalId, title, price: amount }) => [
        `="${externalId.replaceAll('"', '""')}"`,
        `="${title.replaceAll('"', '""')}"`,
        'art',
        String(amount).replace('.', ','),
      ]);
      const trimmed = items.map((item) => ({ ...item, externalId: item.externalId.trim(), title: item.title.trim() }));
      return isSame(await takenBack(saved([headings('sv').slice(0, 4), ...body], ';')), trimmed);
    }),
    { numRuns: 200 },
  );
});

const reportOf = (line: number): BulkSyncError => ({
  line,
  externalId: null,
  severity: 'error',
  status: 422,
  error: 'Validation failed',
  code: 'VALIDATION_FAILED',
  details: [{ ...problem('price', 'too_large', { max: 1 }), message: 'must be at most 1; x;=1' }],
});

test('a file of errors has the lines as they were, of our own export and of any other file', async (t) => {
  await checkProperty(
    t,
    fc.asyncProperty(
      rows([...signs, ...words, ...lineSigns]),
      fc.constantFrom(...csvLanguages),
      fc.boolean(),
      async (items, language, isOwn) => {
        const own = exported(items, language);
        const separator = language === 'sv' ? ';' : ',';
        const foreign = saved(
          [
            ['externalId', 'title', 'price', 'domain'],
            ...items.map((item) => [item.externalId, item.title, String(item.price), 'art']),
          ],
          separator,
        );
        const content = isOwn ? own : foreign;
        const before = await read(content);
        const file = await open(content);
        if (file.format !== 'csv') return false;
        const lines = Object.keys(before.items).map(Number);
        let text = '';
        for await (const part of errorFile(file, planColumns(file.header).columns, lines.map(reportOf))) text += part;
        const after = await read(text);
        return JSON.stringify(Object.values(after.items)) === JSON.stringify(Object.values(before.items));
      },
    ),
    { numRuns: 200 },
  );
});
