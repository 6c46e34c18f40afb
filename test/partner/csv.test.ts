import test from 'ava';
import fc from 'fast-check';
import { csvLine, guardText, unguardText } from '../../features/rules/csv.ts';
import { vatWithinOre } from '../../features/rules/money.ts';
import { checkProperty } from '../support/check-property.ts';

test('Swedish files have semicolons and decimal commas, English ones commas and points', (t) => {
  t.is(csvLine(['A1', 1_249.5, null, -3], 'sv'), 'A1;1249,5;;-3\r\n');
  t.is(csvLine(['A1', 1_249.5, null, -3], 'en'), 'A1,1249.5,,-3\r\n');
});

test('text with separators, quotes, line breaks or blanks at its ends is quoted', (t) => {
  t.is(csvLine(['a;b', 'c,d', 'e"f', 'g\nh', 'a\tb'], 'sv'), '"a;b";"c,d";"e""f";"g\nh";"a\tb"\r\n');
  t.is(csvLine([' i'], 'sv'), "' i\r\n");
});

for (const text of [
  ...[
    '=1+1',
    '+46 70',
    '-2',
    '@SUM(A1)',
    '\t=1',
    '  =cmd|x',
    '\r=1',
    '＝1',
    '＠x',
    '\u200B=1',
    '\uFEFF+1',
    '−1',
    '﹢1',
  ],
  // What a spreadsheet would make another text of.
  ...['0615', '7312345678901', '1E5', '1,5', '1.5', '2026-11-27', '1/2', '10:30', '5 %', 'MAR1', '2 maj', 'sept-2'],
  ...['.70E7', ',5E3', '0e1 +', '1E2-', '1 E1', '231E 11', '0E0.+', 'kr72+', '2+kr', '02kr-', 'kr +,0', '7 E77-'],
  ...[
    '2 maj 10:30',
    '27 nov 2026 5:30 pm',
    "okt '26",
    '2:PM',
    '10 31pm',
    'October 30Friday',
    'fre 27 nov',
    'dec-1 (2)',
  ],
  ...['true', 'FALSKT', '450 kr', '5 pm', '(5)', ' a', 'a ', "'tis"],
])
  test(`a text that a spreadsheet would run or change begins with an apostrophe: ${JSON.stringify(text)}`, (t) => {
    t.regex(csvLine([text], 'sv'), /^"?'/);
    t.is(unguardText(guardText(text)), text);
  });

for (const text of [
  'A-1',
  '12345',
  '0',
  'Fälg 15"',
  "it's",
  'Marklampa 5',
  '1K0 615 301 AA',
  'a=b',
  'x - y',
  'junior 3',
  ...['E12', '12E', 'A1E5', '1E5A', '12 D', 'kr', 'E', '5 kronor', 'dec', 'maj', 'Nov X 3'],
  '',
])
  test(`an ordinary text is written as it is: ${JSON.stringify(text)}`, (t) => {
    t.is(guardText(text), text);
    t.is(unguardText(text), text);
  });

test('a date stays one', (t) => {
  t.is(csvLine([{ asRead: '2026-11-27 12:00:00' }, '2026-11-27'], 'sv'), "2026-11-27 12:00:00;'2026-11-27\r\n");
});

/** Texts made of what spreadsheets and readers of their files give a meaning. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          '=',
          '+',
          '-',
          '@',
          "'",
          '"',
          ';',
          ',',
          '\t',
          '|',
          '\r',
          '\n',
          '\r\n',
          ' ',
          '\u00A0',
          '\u200B',
          '＝',
          '\uFEFF',
        ],
        ...['0', '1', '12', 'E', '.', '/', ':', '%', 'a', 'Å', 'jan', 'kr', 'true', '=""', "''", '\u001A'],
      ),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    ),
    { maxLength: 7 },
  )
  .map((parts) => parts.join(''));

test('what is guarded is the same text again, whatever it is', async (t) => {
  await checkProperty(
    t,
    fc.property(nasty, (text) => unguardText(guardText(text)) === text),
    { numRuns: 5_000 },
  );
});

const formula = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠]/u;

test('no cell begins a formula, by whichever sign a program separates, and whether it knows quotes or not', async (t) => {
  await checkProperty(
    t,
    fc.property(fc.array(nasty, { minLength: 1, maxLength: 3 }), fc.constantFrom('sv', 'en'), (texts, language) => {
      const line = csvLine(texts, language);
      const cells = [';', ',', '\t', '|'].flatMap((delimiter) => [
        ...parsed(line, delimiter),
        ...line.split(new RegExp(`[\r\n${delimiter}]`)),
      ]);
      return !cells.some((cell) => formula.test(cell));
    }),
    { numRuns: 2_000 },
  );
});

/** As a spreadsheet reads it: a quote opens at the beginning of a cell only, and behind its end text goes on. */
function parsed(text: string, delimiter: string): string[] {
  const cells: string[] = [];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)(?:"|$))?([^\r\n${delimiter}]*)(?:[\r\n${delimiter}]|$)`, 'y');
  while (cell.lastIndex < text.length) {
    const [, quoted = '', plain = ''] = cell.exec(text) ?? [];
    cells.push(quoted.replaceAll('""', '"') + plain);
  }
  return cells;
}

test('the VAT within a price is exact to the öre', (t) => {
  t.is(vatWithinOre(10_000, 25), 2_000);
  t.is(vatWithinOre(9_990, 6), 565);
  t.is(vatWithinOre(9_990, 0), 0);
});
