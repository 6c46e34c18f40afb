import test from 'ava';
import fc from 'fast-check';

import { normaliseIsbn, normaliseLanguage } from '../../features/items/rules/book-codes.ts';
import { normalisePlate } from '../../features/vehicles/rules/vehicle.ts';
import { checkProperty } from '../support/check-property.ts';

for (const [input, stored] of [
  ['978-91-1-302848-4', '9789113028484'],
  ['9789113028484', '9789113028484'],
  ['91-1-302848-0', '9113028480'],
  ['0-8044-2957-x', '080442957X'],
  ['979 10 90636 07 1', '9791090636071'],
  // Check digit right, group not given to anyone yet: still an ISBN.
  ['9799999999990', '9799999999990'],
] as const) {
  // specification: isbn-isbn-10-or
  test(`ISBN ${input} is stored as ${stored}`, (t) => {
    t.is(normaliseIsbn(input), stored);
  });
}

for (const input of [
  '',
  '978-91-1-302848-5',
  '9113028481',
  '97891130284',
  '979-0-2600-0043-8',
  '1234567890128',
  'X113028480',
  '９７８９１１３０２８４８４',
]) {
  test(`"${input}" is no ISBN`, (t) => {
    t.is(normaliseIsbn(input), undefined);
  });
}

// specification: isbn-isbn-10-or
test('an ISBN-13 with any one digit changed is no ISBN', async (t) => {
  const isbn = '9789113028484';
  await checkProperty(
    t,
    fc.property(fc.integer({ min: 3, max: 12 }), fc.integer({ min: 1, max: 9 }), (place, step) => {
      const digit = (Number(isbn[place]) + step) % 10;
      return normaliseIsbn(isbn.slice(0, place) + String(digit) + isbn.slice(place + 1)) === undefined;
    }),
  );
});

for (const [input, stored] of [
  ['mlb 84a', 'MLB84A'],
  ['MLB84A', 'MLB84A'],
  ['ABC-123', 'ABC123'],
  ['öl', 'ÖL'],
  ['glassåå', 'GLASSÅÅ'],
  ['A\u030astrid', 'ÅSTRID'],
  ['MY CAR', 'MYCAR'],
] as const) {
  // specification: registrationplate-swedish-plate
  test(`plate ${input} is stored as ${stored}`, (t) => {
    t.is(normalisePlate(input), stored);
  });
}

for (const input of ['', 'A', 'ABCDEFGH', 'AB_12', 'ABC 123 4X', 'ÉCLAIR', '😀😀', 'ßab', 'ıab', ' - ', 'ABC\t12']) {
  // specification: registrationplate-swedish-plate
  test(`"${input}" is no Swedish plate`, (t) => {
    t.is(normalisePlate(input), undefined);
  });
}

for (const [input, stored] of [
  ['sv', 'sv'],
  ['SV-se', 'sv-SE'],
  ['en-gb', 'en-GB'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['iw', 'he'],
  ['sv-x-finland', 'sv-x-finland'],
] as const) {
  // specification: language-bcp-47
  test(`language ${input} is stored as ${stored}`, (t) => {
    t.is(normaliseLanguage(input), stored);
  });
}

// The last two are BCP 47 of the kinds that name no language in today's form.
for (const input of ['', 's', 'sv_SE', 'sv-', 'på svenska', '12', 'sv-SE-', ' sv', 'i-klingon', 'x-own']) {
  // specification: language-bcp-47
  test(`"${input}" is no language code`, (t) => {
    t.is(normaliseLanguage(input), undefined);
  });
}
