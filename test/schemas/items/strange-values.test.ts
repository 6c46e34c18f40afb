import test from 'ava';
import { isShortened, withIdWarnings } from '../../../schemas/items/external-id.ts';
import { withDoubts } from '../../../schemas/items/doubts.ts';
import { readItemRequest } from '../../../schemas/items/read-item-request.ts';
import { aBody } from './requests.ts';

const warningsOf = (externalId: string, title = 'Bromsskiva'): string[] => {
  const request = withIdWarnings(readItemRequest(aBody({ title })), externalId, 'externalId');
  return withDoubts(request, externalId, 'externalId').warnings.map(({ field, message }) => `${field} ${message}`);
};

for (const id of ['7,31235E+12', '7.31235E+12', '1,5e10', '9.99E13', '7E+12', '4,0E-05'])
  test(`an id that a spreadsheet has shortened is warned of: ${id}`, (t) => {
    t.true(isShortened(id));
    t.deepEqual(warningsOf(id), ['externalId is a long number that a spreadsheet has shortened; it is kept as sent']);
  });

for (const id of ['1E5', '12E3', '7312345678901', '7,31', 'E+12', 'A7,3E+12', '7E5', '0615', '-2', '+46 70', '1.5.E+2'])
  test(`an id that may be meant is not: ${id}`, (t) => {
    t.false(isShortened(id));
    t.deepEqual(warningsOf(id), []);
  });

for (const id of ['=A1', '="0615"', '=SUM(A1:A2)', '=+46'])
  test(`an id that looks like a formula is warned of: ${id}`, (t) => {
    t.deepEqual(warningsOf(id), ['externalId looks like a formula of a spreadsheet; it is kept as sent']);
  });

for (const [id, codes] of [
  ['A\u00A01', 'U+00A0'],
  ['A\u200B1', 'U+200B'],
  ['A\u00AD1\u20602', 'U+00AD, U+2060'],
  ['A\u30001', 'U+3000'],
] as const)
  test(`an id with ${codes} inside is warned of with the code`, (t) => {
    t.deepEqual(warningsOf(id), [`externalId has characters that can't be seen (${codes}); it is kept as sent`]);
  });

for (const value of [
  'NULL',
  '#REF!',
  '#N/A',
  'nan',
  'undefined',
  'None',
  '(null)',
  '#SAKNAS!',
  '#VÄRDEFEL!',
  '\\N',
  '######',
  '[object Object]',
  'N/A',
])
  test(`a value that stands for a missing one is warned of, as id and as title: ${value}`, (t) => {
    const said = `is "${value}", which stands for a missing value; it is kept as sent`;
    t.deepEqual(warningsOf(value, value), [`externalId ${said}`, `title ${said}`]);
  });

for (const value of ['StrÃ¥lkastare', 'Ã–lburk', 'Skiva â€“ fram', '15â€³ fälg', 'Str\uFFFDlkastare', 'CafÃ©'])
  test(`letters that were read in a wrong encoding are warned of: ${value}`, (t) => {
    const said = `has letters that were read in a wrong encoding: "${value}"; it is kept as sent`;
    t.deepEqual(warningsOf(value, value), [`externalId ${said}`, `title ${said}`]);
  });

for (const title of [
  'Strålkastare',
  'Nullkontakt',
  'Nan Goldin: bok',
  'Ãrbol',
  'SÃO PAULO',
  'Fälg 15"',
  'â',
  '#1 hit',
  'n/a-kabel',
  'Undefined Object',
])
  test(`what is a word is not: ${title}`, (t) => {
    t.deepEqual(warningsOf('A', title), []);
  });

test('a title that looks like a formula is warned of', (t) => {
  t.deepEqual(warningsOf('A', '=A1&B1'), ['title looks like a formula: "=A1&B1"; it is kept as sent']);
});
