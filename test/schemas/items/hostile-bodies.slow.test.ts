import test from 'ava';
import fc from 'fast-check';

import { Refusal } from '../../../features/rules/errors.ts';
import { readBatchRow } from '../../../schemas/items/batch.ts';
import { readExternalId } from '../../../schemas/items/external-id.ts';
import { readPriceRequest, readStatusRequest } from '../../../schemas/items/change-requests.ts';
import { readItemRequest } from '../../../schemas/items/read-item-request.ts';
import { domainSlugs } from '../../../features/rules/domains.ts';
import { aBody, aBodyWithDomain, parsed, problemsOf } from './requests.ts';
import { checkProperty } from '../../support/check-property.ts';

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom('\0', '\uD800', '__proto__', ''));
const anyValue = fc.oneof(
  fc.jsonValue(),
  anyText,
  fc.double(),
  fc.dictionary(anyText, fc.oneof(anyText, fc.jsonValue())),
  fc.array(anyText),
  fc.webUrl(),
);
const anyDomain = fc.oneof(
  anyValue,
  fc.record(
    {
      domain: fc.oneof(fc.constantFrom(...domainSlugs), anyText),
      part: fc.oneof(anyValue, fc.record({ oemNumber: anyValue, catalogCodes: anyValue }, { requiredKeys: [] })),
      vehicle: anyValue,
      conditionNote: anyValue,
      isbn: anyValue,
      language: anyValue,
      registrationPlate: anyValue,
      year: anyValue,
    },
    { requiredKeys: [] },
  ),
);
const nearlyRight = fc.record(
  {
    title: fc.oneof(fc.string({ minLength: 1 }), anyValue),
    price: fc.oneof(fc.integer({ min: 1, max: 1_000 }), anyValue),
    imageUrls: fc.oneof(fc.array(fc.webUrl({ validSchemes: ['https'] }), { maxLength: 11 }), anyValue),
    images: anyValue,
    description: anyValue,
    shippingCost: anyValue,
    weightKg: anyValue,
    currency: anyValue,
    schemaVersion: anyValue,
    domain: anyDomain,
  },
  { requiredKeys: ['title', 'price'] },
);
const rightButForDomain = anyDomain.map((domain) => ({ title: 'x', price: 1, imageUrls: [], domain }));

function throwsOnlyRefusals(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

test('no body makes a reader throw anything but a refusal', async (t) => {
  await checkProperty(
    t,
    fc.property(fc.oneof(fc.anything(), fc.jsonValue(), nearlyRight, rightButForDomain), (body) => {
      throwsOnlyRefusals(() => readItemRequest(body));
      throwsOnlyRefusals(() => readPriceRequest(body));
      throwsOnlyRefusals(() => readStatusRequest(body));
      throwsOnlyRefusals(() => readExternalId(body));
    }),
    { numRuns: 2_000 },
  );
});

test('what is accepted survives JSON and is accepted again with the same content', async (t) => {
  let acceptedCount = 0;
  await checkProperty(
    t,
    fc.property(fc.oneof(nearlyRight, rightButForDomain), (body) => {
      throwsOnlyRefusals(() => {
        const { content } = readItemRequest(body);
        acceptedCount += 1;
        const again = {
          ...body,
          domain: content.domain && { domain: content.domain.slug, ...content.domain.attributes },
        };
        t.deepEqual(readItemRequest(parsed(JSON.stringify(again))).content, content);
      });
    }),
    { numRuns: 2_000 },
  );
  t.true(acceptedCount > 100, `only ${acceptedCount} bodies were accepted: the test proves too little`);
});

test('keys named __proto__ and constructor change no prototype anywhere', (t) => {
  const body = parsed(`{
    "__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}},
    "title": "x", "price": 1, "imageUrls": [],
    "domain": {"domain": "auto_parts", "__proto__": {"polluted": 1, "conditionGrade": "C"},
      "part": {"__proto__": {"polluted": 1}, "catalogCodes": {"__proto__": "p"}}}
  }`);
  const { content, warnings } = readItemRequest(body);
  t.is(Reflect.get({}, 'polluted'), undefined);
  t.is(Reflect.get(content.domain?.attributes ?? {}, 'polluted'), undefined);
  t.is(JSON.stringify(content.domain?.attributes), '{"part":{"catalogCodes":{"__proto__":"p"}}}');
  t.deepEqual(
    warnings.map(({ field }) => field),
    ['__proto__', 'constructor', 'domain.__proto__', 'domain.part.__proto__'],
  );
});

test('what a body inherits does not count as sent', (t) => {
  const inherited = Object.create({ title: 'x', price: 1, imageUrls: [], domain: { domain: 'bilar' } });
  t.deepEqual(
    problemsOf(inherited).map(({ field, message }) => `${field} ${message}`),
    ['title is required', 'price is required', 'imageUrls is required'],
  );
  const domain = Object.create({ domain: 'art' });
  t.deepEqual(problemsOf(aBodyWithDomain(domain)), [{ field: 'domain.domain', message: 'is required' }]);
});

for (const [name, changes] of [
  ['an unknown field', (deep: unknown) => aBody({ nonsense: deep })],
  ['a unit domain', (deep: unknown) => aBodyWithDomain({ domain: 'art', deep })],
  ['a rich domain', (deep: unknown) => aBodyWithDomain({ domain: 'books', deep })],
] as const) {
  test(`a hundred thousand levels under ${name} do no harm`, (t) => {
    const deep: unknown = parsed(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
    let deeper = deep;
    for (let level = 0; level < 100_000; level += 1) deeper = { a: deeper };
    t.notThrows(() => readItemRequest(changes(deeper)));
  });
}

for (const [field, changes] of [
  ['title', (deep: unknown) => aBody({ title: deep })],
  ['imageUrls.0', (deep: unknown) => aBody({ imageUrls: [deep] })],
  ['domain.part.name', (deep: unknown) => aBodyWithDomain({ domain: 'auto_parts', part: { name: deep } })],
  [
    'domain.part.catalogCodes.a',
    (deep: unknown) => aBodyWithDomain({ domain: 'auto_parts', part: { catalogCodes: { a: deep } } }),
  ],
] as const) {
  test(`a hundred thousand levels at ${field} are a wrong type and nothing more`, (t) => {
    let deep: unknown = {};
    for (let level = 0; level < 100_000; level += 1) deep = { a: deep };
    t.deepEqual(problemsOf(changes(deep)), [{ field, message: 'must be a string' }]);
  });
}

test('megabytes of text are refused quickly and not repeated in the answer', (t) => {
  const huge = 'x'.repeat(5_000_000);
  const body = aBody({ title: huge, [huge]: 1, domain: { domain: huge } });
  // Its own time on the processor: others may keep the machine busy meanwhile.
  const started = process.cpuUsage();
  const problems = problemsOf(body);
  t.true(process.cpuUsage(started).user < 10_000_000);
  t.true(JSON.stringify(problems).length < 2_000);
});

test('warnings about endless names are short', (t) => {
  const { warnings } = readItemRequest(aBody({ ['x'.repeat(1_000_000)]: 1 }));
  t.true(JSON.stringify(warnings).length < 500);
});

const many = 250_000;
const manyOf = (entry: unknown): unknown[] => Array.from({ length: many }, () => entry);
const manyKeys = (value: unknown, prefix = ''): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: many / 2 }, (_, n) => [`${prefix}${n.toString(36)}`, value]));
const part = (catalogCodes: unknown): unknown => aBodyWithDomain({ domain: 'auto_parts', part: { catalogCodes } });

const hugeBodies: Readonly<Record<string, () => unknown>> = {
  'numbers as images': () => aBody({ imageUrls: manyOf(1) }),
  'empty texts as images': () => aBody({ imageUrls: manyOf('') }),
  'good images': () => aBody({ imageUrls: manyOf('https://images.example.com/1.jpg') }),
  'unknown fields': () => aBody(manyKeys(1, 'x')),
  'unknown attributes': () => aBodyWithDomain({ domain: 'auto_parts', ...manyKeys(1, 'x') }),
  'unknown attributes of a part': () => aBodyWithDomain({ domain: 'auto_parts', part: manyKeys(1, 'x') }),
  'codes that are numbers': () => part(manyKeys(1)),
  'codes that are lists': () => part(manyKeys([])),
  'good codes': () => part(manyKeys('a')),
  'an ISBN': () => aBodyWithDomain({ domain: 'books', isbn: 'a-1 '.repeat(many) }),
  'a plate': () => aBodyWithDomain({ domain: 'vehicles', registrationPlate: 'a-1 '.repeat(many) }),
  'a slug': () => aBodyWithDomain({ domain: 'å'.repeat(many) }),
};

for (const [what, make] of Object.entries(hugeBodies)) {
  test(`a body of a megabyte of ${what} is read soon and answered in a few words, as a row too`, (t) => {
    const row: unknown = Object.assign(Object(make()), { externalId: 'A' });
    const begun = process.cpuUsage();
    const read = readBatchRow(row);
    const { user, system } = process.cpuUsage(begun);
    // Usually 60; what is not linear takes minutes.
    t.true((user + system) / 1_000 < 5_000, `${(user + system) / 1_000} ms`);
    const said = 'refusal' in read ? (read.refusal.details ?? []) : read.request.warnings;
    t.true(said.length >= 1 && said.length <= 101);
    t.true(JSON.stringify(said).length < 20_000);
  });
}

test('of codes within the limit of their size more than a thousand wrong ones are told as a number', (t) => {
  const wrong = (count: number): unknown =>
    part({ good: 'x', ...Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n])) });
  t.is(problemsOf(wrong(1_000)).length, 101);
  t.deepEqual(problemsOf(wrong(1_001)), [
    { field: 'domain.part.catalogCodes', message: 'has 1001 entries that are not plain texts' },
  ]);
});

test('an image list that is too long is one problem, whatever is in it', (t) => {
  const tooLong = [{ field: 'imageUrls', message: 'must have at most 10 entries' }];
  t.deepEqual(problemsOf(aBody({ imageUrls: Array.from({ length: 11 }, () => 1) })), tooLong);
  t.is(problemsOf(aBody({ imageUrls: Array.from({ length: 10 }, () => 1) })).length, 10);
});

test('a row has the warnings of its PUT, its own names are none of them', (t) => {
  const row = readBatchRow(aBody({ externalId: 'A', account: 'M', colour: 'red' }));
  t.true('request' in row);
  if ('request' in row) t.deepEqual(row.request.warnings, readItemRequest(aBody({ colour: 'red' })).warnings);
});
