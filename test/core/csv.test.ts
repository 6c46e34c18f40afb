import test from 'ava';
import { csvLine } from '../../core/csv.ts';
import { vatWithinOre } from '../../core/money.ts';

test('Swedish files have semicolons and decimal commas, English ones commas and points', (t) => {
  t.is(csvLine(['A1', 1_249.5, null, -3], 'sv'), 'A1;1249,5;;-3\r\n');
  t.is(csvLine(['A1', 1_249.5, null, -3], 'en'), 'A1,1249.5,,-3\r\n');
});

test('text with separators, quotes, line breaks or blanks at its ends is quoted', (t) => {
  t.is(csvLine(['a;b', 'c,d', 'e"f', 'g\nh', ' i'], 'sv'), '"a;b";"c,d";"e""f";"g\nh";" i"\r\n');
});

for (const text of ['=1+1', '+46 70', '-2', '@SUM(A1)', '\t=1', '  =cmd|x', '\r=1'])
  test(`text that a spreadsheet would run begins with an apostrophe: ${JSON.stringify(text)}`, (t) => {
    t.regex(csvLine([text], 'sv'), /^"?'/);
  });

test('the VAT within a price is exact to the öre', (t) => {
  t.is(vatWithinOre(10_000, 25), 2_000);
  t.is(vatWithinOre(9_990, 6), 565);
  t.is(vatWithinOre(9_990, 0), 0);
});
