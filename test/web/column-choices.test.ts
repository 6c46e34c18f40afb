import test from 'ava';
import { planColumns } from '../../client/files/columns.ts';
import {
  isChosen,
  rivalOf,
  suggestChoices,
  wishOf,
  type ColumnChoice,
} from '../../web/dashboard/src/pages/send-file/column-choices.ts';

const headerOf = (...names: string[]) => ({ line: 1, names });
const fieldsOf = (choices: readonly ColumnChoice[]) => choices.map(({ column, field }) => [column, field]);
const choose = (choices: readonly ColumnChoice[], column: string, field: string) =>
  choices.map((choice) => (choice.column === column ? { ...choice, field } : choice));

test('a column is suggested by its own name or by what it looks like; what nothing is known of is left out', (t) => {
  const header = headerOf('Artikelnr', 'title', 'Pris', 'Bild 1', 'Bild 2', 'Hyllplats', '#error', '');
  t.deepEqual(fieldsOf(suggestChoices(header)), [
    ['Artikelnr', 'externalId'],
    ['title', 'title'],
    ['Pris', 'price'],
    ['Bild 1', 'imageUrls.0'],
    ['Bild 2', 'imageUrls.1'],
    ['Hyllplats', ''],
  ]);
});

test('of columns with the same name only the first can be chosen, because a mapping is by name', (t) => {
  t.deepEqual(
    suggestChoices(headerOf('externalId', 'title', 'title', 'price')).map(({ index }) => index),
    [0, 1, 3],
  );
});

test('the reader of files makes exactly the chosen columns of it, also where one with the name of a field is left out', (t) => {
  const header = headerOf('externalId', 'title', 'price', 'description', 'Annons');
  const choices = choose(choose(suggestChoices(header), 'title', ''), 'Annons', 'title');
  const { columns, remarks } = planColumns(header, wishOf(choose(choices, 'description', ''), { domain: 'books' }));
  t.deepEqual(
    columns.map(({ field, source }) => [field.name, 'text' in source ? source.text : source.name]),
    [
      ['externalId', 'externalId'],
      ['price', 'price'],
      ['title', 'Annons'],
      ['domain', 'books'],
    ],
  );
  t.deepEqual(remarks, [{ kind: 'noImages' }]);
});

test('two columns for one field are told at the later one; any number may be left out', (t) => {
  const choices = choose(suggestChoices(headerOf('externalId', 'title', 'Namn', 'price', 'Hylla')), 'Namn', 'title');
  t.deepEqual(
    choices.map((choice) => rivalOf(choices, choice)),
    [undefined, undefined, 'title', undefined, undefined],
  );
  t.true(isChosen(choices, 'title'));
  t.false(isChosen(choices, 'domain'));
});
