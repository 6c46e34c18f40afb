import test from 'ava';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvRows } from '../../../client/files/csv-rows.ts';
import { checkProperty } from '../../support/check-property.ts';

async function rowsOf(text: string, { separator, length }: { separator: string; length: number }) {
  const pieces = async function* () {
    for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
  };
  const rows = [];
  for await (const row of csvRows(pieces(), { separator, newline: '\n' })) rows.push(row);
  return rows;
}

const cell = fc.string({ unit: fc.constantFrom('a', 'ö', '"', ';', ',', '\n', '\r\n', ' ', '1'), maxLength: 6 });

/** As a spreadsheet writes it: quotes where it has to, and here and there where it need not. */
const written = (text: string, separator: string): string =>
  /["\r\n]|^\s|\s$|^$/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text;

test('any file of quoted cells is read as csv-parse reads it, wherever its text is cut, and rows know their lines', async (t) => {
  await checkProperty(
    t,
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 }),
      fc.constantFrom(';', ',', '\t'),
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 9 }),
      // eslint-disable-next-line @typescript-eslint/max-params -- the library passes what it made
      async (table, separator, newline, length) => {
        const lines = table.map((cells) => cells.map((text) => written(text, separator)).join(separator));
        const text = lines.join(newline);
        const rows = await rowsOf(text, { separator, length });
        const expected: unknown = parse(text, {
          delimiter: separator,
          relax_column_count: true,
          record_delimiter: ['\r\n', '\n'],
        });
        t.deepEqual(
          rows.map(({ cells }) => cells),
          expected as string[][],
        );
        let line = 1;
        for (const [index, row] of rows.entries()) {
          t.is(row.line, line);
          line += (lines[index] ?? '').split('\n').length;
        }
      },
    ),
    { numRuns: 500 },
  );
});
