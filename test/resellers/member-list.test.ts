import test from 'ava';
import { comparePlaces, isMemberFound } from '../../features/resellers/rules/member-list.ts';

test('a member is found by parts of its name and its reference, with å, ä and ö or without', (t) => {
  const member = { memberName: 'Umeå Bildelar AB', externalId: 'butik-017' };
  for (const text of ['umeå', 'umea', 'DELAR', '017', 'butik umea', ' bil  17 '.trim()])
    t.true(isMemberFound(member, text), text);
  for (const text of ['luleå', '018', 'umea norr']) t.false(isMemberFound(member, text), text);
});

test('numbers have the highest first, texts are sorted as Swedish is, and equal ones by id', (t) => {
  const sorted = (values: readonly (string | number)[]) =>
    values
      .map((value, index) => ({ value, id: String(index) }))
      .toSorted(comparePlaces)
      .map(({ value }) => value);
  t.deepEqual(sorted([0, 3, 1]), [3, 1, 0]);
  t.deepEqual(sorted(['Östen', 'Åke', 'butik-10', 'Zoo', 'butik-9']), ['butik-9', 'butik-10', 'Zoo', 'Åke', 'Östen']);
  t.true(comparePlaces({ value: 1, id: 'a' }, { value: 1, id: 'b' }) < 0);
});
