import test from 'ava';

import { domainRows, domainSlugs } from '../../../features/rules/domains.ts';
import { formats } from '../../../schemas/formats.ts';
import { readItemRequest } from '../../../schemas/items/read-item-request.ts';
import { aBodyWithDomain, parsed, problemsOf } from './requests.ts';
import { said } from '../../support/said.ts';

const readDomainOf = (domain: unknown) => readItemRequest(aBodyWithDomain(domain)).content.domain;
const warningsOf = (domain: unknown) => said(readItemRequest(aBodyWithDomain(domain)).warnings);
const ignored = (field: string) => ({ field, message: 'is not a known field and is ignored' });

for (const slug of domainSlugs) {
  // specification: all-attributes-optional
  test(`${slug} alone is a whole domain: every attribute is optional`, (t) => {
    t.deepEqual(readDomainOf({ domain: slug }), { slug, attributes: {} });
    t.deepEqual(warningsOf({ domain: slug }), []);
  });
}

for (const { slug, kind } of domainRows) {
  // specification: unit-domains-ignore-other, rich-domains-name-what, unknown-fields-and-attributes
  test(`${slug} ${kind === 'rich' ? 'names what it ignores' : 'ignores other fields silently'}`, (t) => {
    const sent = { domain: slug, nonsense: { deep: 1 }, external_reference: 'forged' };
    t.deepEqual(readDomainOf(sent), { slug, attributes: {} });
    t.deepEqual(
      warningsOf(sent),
      kind === 'rich' ? [ignored('domain.nonsense'), ignored('domain.external_reference')] : [],
    );
  });
}

test('an alias is stored as its slug', (t) => {
  t.is(readDomainOf({ domain: 'Reservdel' })?.slug, 'auto_parts');
  t.is(readDomainOf({ domain: '' })?.slug, 'other');
});

for (const slug of ['bilar', '__proto__', 'constructor']) {
  // specification: unknown-slug-422-decisions
  test(`the unknown slug ${slug} is refused with the list of the known ones`, (t) => {
    t.deepEqual(problemsOf(aBodyWithDomain({ domain: slug })), [
      { field: 'domain.domain', message: `must be one of: ${domainSlugs.join(', ')}` },
    ]);
  });
}

test('an endless slug is refused', (t) => {
  const problems = problemsOf(aBodyWithDomain({ domain: 'x'.repeat(101) }));
  t.deepEqual(problems[0], { field: 'domain.domain', message: 'must be at most 100 characters' });
});

for (const [slug, attributes] of [
  [
    'auto_parts',
    {
      vehicle: { manufacturer: 'Volvo', model: 'V70', year: 2008, vehicleType: 'Bil' },
      part: { name: 'Bromsskiva', oemNumber: '1K0 615', catalogCodes: { a: '1' } },
      conditionGrade: 'A*',
      conditionNote: 'Repa',
    },
  ],
  ['auto_parts', { vehicle: {}, part: {}, conditionNote: null }],
  ['vehicles', { make: 'Volvo', model: 'V70', year: 1800, mileageKm: 0, fuelType: 'hybrid', color: 'blå' }],
  ['electronics', { serialNumber: ' A-1 ', memoryGb: 128, batteryHealthPercentage: 0 }],
  ['computers', { serialNumber: 'A', memoryGb: 0, batteryHealthPercentage: 100 }],
  ['fashion', { size: '42', material: 'ull', gender: 'unisex' }],
  ['books', { isbn: '9789113028484', author: 'Selma Lagerlöf', publisher: 'Bonniers', language: 'sv' }],
  ['watches', { brand: 'Halda', modelReference: '2005', movementType: 'manual', caseSizeMm: 38 }],
] as const) {
  // specification: attributes-stored-verbatim, vehicle-manufacturer-vehicle-model, part-name-string, conditiongrade-a-a-b
  // specification: make-model-color-string, serialnumber-string, batteryhealthpercentage-0-to-100
  test(`${slug} keeps ${JSON.stringify(attributes).slice(0, 60)} as it was sent`, (t) => {
    t.deepEqual(readDomainOf({ domain: slug, ...attributes }), { slug, attributes });
    t.deepEqual(warningsOf({ domain: slug, ...attributes }), []);
  });
}

for (const vehicleType of ['Bil', 'MC', 'Skoter', 'ATV', 'Husvagn', 'Moped', 'Traktor']) {
  // specification: vehicle-vehicletype-one-of
  test(`vehicleType ${vehicleType} is accepted`, (t) => {
    t.notThrows(() => readDomainOf({ domain: 'auto_parts', vehicle: { vehicleType } }));
  });
}

const longText = 'x'.repeat(256);
const tooLong = 'must be at most 255 characters';
const inQuotes = 'must be a string: put it in double quotes';
const unstorable = 'must not contain NUL characters or unpaired surrogates';
const noInteger = (text: string): string => `must be an integer, not the text "${text}": send ${text} without quotes`;
for (const [slug, attributes, field, message] of [
  ['auto_parts', { vehicle: 'Volvo' }, 'vehicle', 'must be an object'],
  ['auto_parts', { vehicle: null }, 'vehicle', 'must be an object'],
  ['auto_parts', { part: [] }, 'part', 'must be an object'],
  ['auto_parts', { part: { oemNumber: 7 } }, 'part.oemNumber', inQuotes],
  ['auto_parts', { part: { oemNumber: longText } }, 'part.oemNumber', tooLong],
  ['auto_parts', { part: { name: '\uD800' } }, 'part.name', unstorable],
  ['auto_parts', { part: { catalogCodes: [] } }, 'part.catalogCodes', 'must be an object'],
  ['auto_parts', { part: { catalogCodes: { a: 1 } } }, 'part.catalogCodes.a', inQuotes],
  ['auto_parts', { part: { catalogCodes: { a: { b: '1' } } } }, 'part.catalogCodes.a', 'must be a string'],
  ['auto_parts', { part: { catalogCodes: { a: 'a\0' } } }, 'part.catalogCodes.a', unstorable],
  ['auto_parts', { part: { catalogCodes: { a: '\uDE97' } } }, 'part.catalogCodes.a', unstorable],
  ['auto_parts', { vehicle: { year: '2008' } }, 'vehicle.year', noInteger('2008')],
  ['auto_parts', { vehicle: { year: 2008.5 } }, 'vehicle.year', 'must be an integer'],
  ['auto_parts', { vehicle: { year: 1799 } }, 'vehicle.year', 'must be at least 1800'],
  ['auto_parts', { vehicle: { year: 2201 } }, 'vehicle.year', 'must be at most 2200'],
  [
    'auto_parts',
    { vehicle: { vehicleType: 'bil' } },
    'vehicle.vehicleType',
    'must be one of: Bil, MC, Skoter, ATV, Husvagn, Moped, Traktor',
  ],
  ['auto_parts', { conditionGrade: 'D' }, 'conditionGrade', 'must be one of: A*, A, B, C'],
  ['auto_parts', { conditionNote: 1 }, 'conditionNote', 'must be a string or null: put it in double quotes'],
  ['auto_parts', { conditionNote: 'x'.repeat(5_001) }, 'conditionNote', 'must be at most 5000 characters'],
  ['vehicles', { registrationPlate: 'A' }, 'registrationPlate', 'must be a Swedish registration plate such as MLB 84A'],
  ['vehicles', { mileageKm: -1 }, 'mileageKm', 'must be at least 0'],
  ['vehicles', { mileageKm: 1.5 }, 'mileageKm', 'must be an integer'],
  ['vehicles', { fuelType: 'bensin' }, 'fuelType', 'must be one of: petrol, diesel, electric, hybrid'],
  ['vehicles', { make: null }, 'make', 'must be a string'],
  ['electronics', { batteryHealthPercentage: -1 }, 'batteryHealthPercentage', 'must be at least 0'],
  ['electronics', { batteryHealthPercentage: 101 }, 'batteryHealthPercentage', 'must be at most 100'],
  ['computers', { batteryHealthPercentage: 101 }, 'batteryHealthPercentage', 'must be at most 100'],
  ['computers', { memoryGb: '16' }, 'memoryGb', noInteger('16')],
  ['fashion', { gender: 'men' }, 'gender', 'must be one of: mens, womens, unisex, kids'],
  ['fashion', { size: 42 }, 'size', inQuotes],
  ['books', { isbn: '9789113028485' }, 'isbn', 'must be an ISBN-10 or ISBN-13 with a correct check digit'],
  ['books', { language: 'sv_SE' }, 'language', formats['language-tag'].told('').message],
  ['watches', { movementType: 'solar' }, 'movementType', 'must be one of: automatic, quartz, manual'],
  ['watches', { caseSizeMm: 0 }, 'caseSizeMm', 'must be at least 1'],
] as const) {
  // specification: vehicle-manufacturer-vehicle-model, vehicle-year-integer, vehicle-vehicletype-one-of, part-oemnumber-string
  // specification: conditiongrade-a-a-b, make-model-color-string, mileagekm-integer, fueltype-one-of-four, memorygb-integer
  // specification: batteryhealthpercentage-0-to-100, size-material-string, gender-one-of-four, isbn-isbn-10-or, language-bcp-47
  // specification: movementtype-one-of-three, casesizemm-integer, unknown-fields-and-attributes
  test(`${slug} refuses ${JSON.stringify(attributes).slice(0, 60)} at domain.${field}: ${message}`, (t) => {
    t.deepEqual(problemsOf(aBodyWithDomain({ domain: slug, ...attributes })), [{ field: `domain.${field}`, message }]);
  });
}

// specification: registrationplate-swedish-plate
test('ISBN, language and plate are stored in one form', (t) => {
  t.deepEqual(readDomainOf({ domain: 'books', isbn: '978-91-1-302848-4', language: 'SV-se' })?.attributes, {
    isbn: '9789113028484',
    language: 'sv-SE',
  });
  t.deepEqual(readDomainOf({ domain: 'vehicles', registrationPlate: 'mlb 84a' })?.attributes, {
    registrationPlate: 'MLB84A',
  });
});

// specification: rich-domains-name-what
test('unknown fields inside attribute objects are ignored and named with their whole path', (t) => {
  const sent = { domain: 'auto_parts', part: { oemNo: '1', name: 'x' }, vehicle: { source: 'forged' } };
  t.deepEqual(readDomainOf(sent)?.attributes, { part: { name: 'x' }, vehicle: {} });
  t.deepEqual(warningsOf(sent), [ignored('domain.part.oemNo'), ignored('domain.vehicle.source')]);
});

const codes = (catalogCodes: unknown) => ({ domain: 'auto_parts', part: { catalogCodes } });

// specification: part-catalogcodes-verbatim-whatever
test('catalogCodes are kept verbatim whatever their keys', (t) => {
  const json =
    '{"a.b":"1","$set":"2","__proto__":"3","":"4","constructor":"5","line\\nend":"6","å ö":"","domain":"7","a/b~c":"8"}';
  const domain = readDomainOf(codes(parsed(json)));
  t.is(JSON.stringify(domain?.attributes['part']), `{"catalogCodes":${json}}`);
});

test('a thousand catalog codes are accepted', (t) => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`system-${n}`, `code-${n}`]));
  t.deepEqual(readDomainOf(codes(many))?.attributes, { part: { catalogCodes: many } });
});

// specification: part-catalogcodes-what-can
test('catalogCodes may take 64 KB, keys and values together in UTF-8, and not a byte more', (t) => {
  t.notThrows(() => readDomainOf(codes({ a: 'x'.repeat(65_535) })));
  t.notThrows(() => readDomainOf(codes({ å: 'å'.repeat(32_767) })));
  for (const tooMuch of [{ a: 'x'.repeat(65_536) }, { å: `${'å'.repeat(32_767)}x` }, { ['x'.repeat(65_537)]: '' }]) {
    t.deepEqual(problemsOf(aBodyWithDomain(codes(tooMuch))), [
      { field: 'domain.part.catalogCodes', message: 'must be at most 64 KB in total' },
    ]);
  }
});

test('keys of catalogCodes that can not be stored are refused', (t) => {
  for (const key of ['a\0', '\uD800']) {
    t.deepEqual(problemsOf(aBodyWithDomain(codes({ [key]: '1' }))), [
      {
        field: 'domain.part.catalogCodes',
        message: 'has a key that must not contain NUL characters or unpaired surrogates',
      },
    ]);
  }
});

test('at most 100 problems are listed, the rest is counted', (t) => {
  const wrong = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, n]));
  const problems = problemsOf(aBodyWithDomain(codes(wrong)));
  t.is(problems.length, 101);
  t.deepEqual(problems.at(-1), { field: 'body', message: 'has 900 more problems that are not listed' });
});
