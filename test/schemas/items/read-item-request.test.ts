import { inspect } from 'node:util';
import test from 'ava';
import { problem } from '../../../features/rules/field-problems.ts';

import { deepEqual } from '../../../features/rules/deep-equal.ts';
import { formats } from '../../../schemas/formats.ts';
import { showUnseen } from '../../../features/rules/unseen-text.ts';
import { readItemRequest } from '../../../schemas/items/read-item-request.ts';
import { aBody, problemsOf, refusalOf } from './requests.ts';
import { said } from '../../support/said.ts';

// specification: currency-default-sek, autopublishtradera-default-false, useaienhancement-default-false
test('a minimal body gets the defaults of the specification', (t) => {
  t.deepEqual(readItemRequest(aBody()), {
    content: {
      title: 'Bromsskiva',
      description: '',
      priceOre: 15_000,
      shippingCostOre: null,
      weightKg: null,
      currency: 'SEK',
      imageUrls: [],
      domain: null,
      useAiEnhancement: false,
      listing: null,
      quantity: null,
    },
    autoPublish: false,
    warnings: [],
  });
});

// specification: shippingcost-optional-0-is, weightkg-optional-number, autopublishtradera-default-false
// specification: useaienhancement-default-false
test('a full body arrives as content, money in öre', (t) => {
  const request = readItemRequest(
    aBody({
      description: 'Text\nmed rader',
      price: 149,
      shippingCost: 0,
      weightKg: 4.25,
      currency: 'SEK',
      imageUrls: ['https://images.example.com/1.jpg'],
      domain: { domain: 'art' },
      schemaVersion: '1.0.0',
      autoPublishTradera: true,
      useAiEnhancement: true,
    }),
  );
  t.deepEqual(request, {
    content: {
      title: 'Bromsskiva',
      description: 'Text\nmed rader',
      priceOre: 14_900,
      shippingCostOre: 0,
      weightKg: 4.25,
      currency: 'SEK',
      imageUrls: ['https://images.example.com/1.jpg'],
      domain: { slug: 'art', attributes: {} },
      useAiEnhancement: true,
      listing: null,
      quantity: null,
    },
    autoPublish: true,
    warnings: [],
  });
});

for (const [name, changes] of [
  ['a title of one character', { title: 'x' }],
  ['a title of 255 characters', { title: 'x'.repeat(255) }],
  ['a title of 255 emoji', { title: '🚗'.repeat(255) }],
  ['a description of 20,000 characters', { description: 'x'.repeat(20_000) }],
  ['a price of 1', { price: 1 }],
  ['a price of 1.00', { price: 1.0 }],
  ['a price of 100 million', { price: 100_000_000 }],
  ['free shipping', { shippingCost: 0 }],
  ['a weight of 0', { weightKg: 0 }],
  ['10 images', { imageUrls: Array.from({ length: 10 }, (_, n) => `https://a.example/${n}`) }],
  ['an image URL with a port', { imageUrls: ['https://a.example:8443/1.jpg'] }],
  ['an image URL with a query and non-ASCII letters', { imageUrls: ['https://a.example/bild å.jpg'.replace(' ', '')] }],
  ['an upper-case scheme', { imageUrls: ['HTTPS://a.example/1.jpg'] }],
  ['schemaVersion 12.0.3', { schemaVersion: '12.0.3' }],
  ['domain null', { domain: null }],
] as const) {
  // specification: title-required-at-most, description-optional-plain-text, price-required-at-least, shippingcost-optional-0-is
  // specification: imageurls-required-https-at, schemaversion-of-the-form
  test(`${name} is accepted`, (t) => {
    t.deepEqual(readItemRequest(aBody(changes)).warnings, []);
  });
}

const httpsUrl = (reason: string): string => `must be an HTTPS URL: ${reason}`;
const digits = 'send digits without quotes, with a point before decimals, such as 1499.50';
const oneLine = formats.title.told().message;
const text = 'must not contain NUL characters or unpaired surrogates';

const severalAddresses = httpsUrl('it has several addresses: send each on its own');

for (const url of [
  'https://a.test/1.jpghttps://a.test/2.jpg',
  'https://a.test/1https://a.test/2',
  'https://a.test/1.jpg","https://a.test/2.jpg',
  'https://a.test/1.jpg<br>https://a.test/2.jpg',
  'https://a.test/1.jpg\u00A0https://a.test/2.jpg',
  'https://a.test/1.jpg，https://a.test/2.jpg',
  String.raw`https://a.test/1.jpg\nhttps://a.test/2.jpg`,
  String.raw`https://a.test/1.jpg\https://a.test/2.jpg`,
  'https://a.test/1.jpg%C2%A0https://a.test/2.jpg',
  'https://a.test/1.jpg%22%2C%22https://a.test/2.jpg',
  'https://a.test/1.jpg;https%3A%2F%2Fa.test/2.jpg',
  'https://a.test/1.jpg,ftp://a.test/2.jpg',
])
  test(`two addresses in one are told as that: ${showUnseen(url)}`, (t) => {
    const details = [{ field: 'imageUrls.0', message: severalAddresses }];
    t.like(
      t.throws(() => readItemRequest(aBody({ imageUrls: [url] }))),
      { details },
    );
  });

for (const url of [
  'https://a.test/fetch/w_1,h_2/https://b.test/1.jpg',
  'https://a.test/web/2020/https://b.test/1.jpg',
  'https://a.test/plain/f:https://b.test/1.jpg',
  'https://a.test/?https://b.test/1.jpg',
  'https://a.test/?u=https://b.test/1.jpg&v=https://b.test/2.jpg',
  'https://a.test/?u=%2Fhttps://b.test/1.jpg',
  'https://a.test/?u=https%3A%2F%2Fb.test%2F1.jpg',
  'https://https.test/http/1.jpg',
])
  test(`an address within an address is one: ${url}`, (t) => {
    t.deepEqual(readItemRequest(aBody({ imageUrls: [url] })).content.imageUrls, [url]);
  });

for (const [changes, field, message] of [
  [{ title: 7 }, 'title', 'must be a string: put it in double quotes'],
  [{ title: null }, 'title', 'must be a string'],
  [{ title: '' }, 'title', 'must not be empty'],
  [{ title: ' \t ' }, 'title', 'must not be blank'],
  [{ title: 'x'.repeat(256) }, 'title', 'must be at most 255 characters'],
  [{ title: '\u200B\uFEFF \u2060' }, 'title', 'must not be blank'],
  [{ title: 'a\0b' }, 'title', oneLine],
  [{ title: 'a\uD800' }, 'title', oneLine],
  [{ title: '\uDC00a' }, 'title', oneLine],
  [{ title: 'a\nb' }, 'title', oneLine],
  [{ title: 'a\tb' }, 'title', oneLine],
  [{ title: 'a\u001Bb' }, 'title', oneLine],
  [{ title: 'a\u2028b' }, 'title', oneLine],
  [{ description: 'x'.repeat(20_001) }, 'description', 'must be at most 20000 characters'],
  [{ description: '\0' }, 'description', text],
  [{ price: '150' }, 'price', 'must be a number, not the text "150": send 150 without quotes'],
  [{ price: null }, 'price', 'must be a number'],
  [{ price: Number.NaN }, 'price', 'must be a number'],
  [{ price: Infinity }, 'price', 'must be a number'],
  [{ price: 0 }, 'price', 'must be at least 1'],
  [{ price: 0.99 }, 'price', 'must be at least 1'],
  [{ price: -1 }, 'price', 'must be at least 1'],
  [{ price: 100_000_000.01 }, 'price', 'must be at most 100000000'],
  [{ price: 1e300 }, 'price', 'must be at most 100000000'],
  [{ price: 149.999 }, 'price', 'must have at most two decimals'],
  [{ price: 1.005 }, 'price', 'must have at most two decimals'],
  [{ shippingCost: -0.01 }, 'shippingCost', 'must be at least 0'],
  [{ shippingCost: 1.001 }, 'shippingCost', 'must have at most two decimals'],
  [{ shippingCost: '10,50' }, 'shippingCost', 'must be a number, not the text "10,50": send 10.50 without quotes'],
  [{ weightKg: '1,500' }, 'weightKg', `must be a number, not the text "1,500": ${digits}`],
  [{ weightKg: 'x'.repeat(50) }, 'weightKg', `must be a number, not the text "${'x'.repeat(40)}…": ${digits}`],
  [{ weightKg: -1 }, 'weightKg', 'must be at least 0'],
  [{ weightKg: 100_001 }, 'weightKg', 'must be at most 100000'],
  [{ currency: 'EUR' }, 'currency', 'must be SEK'],
  [{ currency: 'sek' }, 'currency', 'must be SEK'],
  [{ schemaVersion: '1.0' }, 'schemaVersion', 'must have the form 1.0.0'],
  [{ schemaVersion: 'v1.0.0' }, 'schemaVersion', 'must have the form 1.0.0'],
  [{ schemaVersion: '1.0.0\n' }, 'schemaVersion', 'must have the form 1.0.0'],
  [{ schemaVersion: 1 }, 'schemaVersion', 'must be a string: put it in double quotes'],
  [
    { autoPublishTradera: 'true' },
    'autoPublishTradera',
    'must be true or false, not the text "true": send true or false without quotes',
  ],
  [{ useAiEnhancement: 1 }, 'useAiEnhancement', 'must be true or false'],
  [{ imageUrls: null }, 'imageUrls', 'must be an array'],
  [{ imageUrls: 'https://a.example/1' }, 'imageUrls', 'must be an array, also with one entry: put it in [ ]'],
  [
    { imageUrls: Array.from({ length: 11 }, (_, n) => `https://a.example/${n}`) },
    'imageUrls',
    'must have at most 10 entries',
  ],
  [{ imageUrls: [`https://a.example/${'x'.repeat(2_048)}`] }, 'imageUrls.0', 'must be at most 2048 characters'],
  [{ imageUrls: ['https://a.example/1', 'http://a.example/2'] }, 'imageUrls.1', httpsUrl('it begins with http://')],
  [{ imageUrls: [''] }, 'imageUrls.0', httpsUrl('it is empty')],
  [{ imageUrls: ['https://'] }, 'imageUrls.0', httpsUrl('two slashes and a host follow https:')],
  [{ imageUrls: ['https:///a.example/1'] }, 'imageUrls.0', httpsUrl('two slashes and a host follow https:')],
  [{ imageUrls: ['https:a.example'] }, 'imageUrls.0', httpsUrl('two slashes and a host follow https:')],
  [{ imageUrls: [' https://a.example/1'] }, 'imageUrls.0', httpsUrl('it begins or ends with a blank')],
  [
    { imageUrls: ['https://user:secret@a.example/1'] },
    'imageUrls.0',
    httpsUrl('it must not hold a user name or password'),
  ],
  [{ imageUrls: ['ftp://a.example/1'] }, 'imageUrls.0', httpsUrl('it does not begin with https://')],
  [{ imageUrls: ['data:image/png;base64,AA'] }, 'imageUrls.0', httpsUrl('it does not begin with https://')],
  [{ imageUrls: ['https://a.example/bild 1.jpg'] }, 'imageUrls.0', httpsUrl('it has a space: write %20')],
  [
    { imageUrls: ['https://a.example/1.jpg, /2.jpg'] },
    'imageUrls.0',
    httpsUrl('it has a space beside a separator: send several addresses each on its own'),
  ],
  [{ imageUrls: ['https://a.example/1.jpg,https://a.example/2.jpg'] }, 'imageUrls.0', severalAddresses],
  [{ imageUrls: ['https://a.example/1.jpg;https://a.example/2.jpg'] }, 'imageUrls.0', severalAddresses],
  [{ imageUrls: ['https://a.example/1.jpg https://a.example/2.jpg'] }, 'imageUrls.0', severalAddresses],
  [{ imageUrls: ['https://a.example/1.jpg, https://a.example/2.jpg'] }, 'imageUrls.0', severalAddresses],
  [{ imageUrls: ['https://a.example/1.jpg,%20HTTPS://a.example/2.jpg'] }, 'imageUrls.0', severalAddresses],
  [{ imageUrls: ['https://a.example/1.jpg\nhttps://a.example/2.jpg'] }, 'imageUrls.0', severalAddresses],
  [{ imageUrls: ['https://a.example/1.jpg|https://a.example/2.jpg'] }, 'imageUrls.0', severalAddresses],
  [{ imageUrls: ['https://a.example/1.jpg;http://a.example/2.jpg'] }, 'imageUrls.0', severalAddresses],
  [{ imageUrls: ['https://a.example/1.jpg%2Chttps://a.example/2.jpg'] }, 'imageUrls.0', severalAddresses],
  [{ imageUrls: ['https:\\\\a.example'] }, 'imageUrls.0', httpsUrl('it has a backslash: write /')],
  [{ imageUrls: ['https://a.example:99999/'] }, 'imageUrls.0', httpsUrl('its host or port is not valid')],
  [{ imageUrls: ['https://a.example/\t1'] }, 'imageUrls.0', httpsUrl('it has a control character')],
  [{ imageUrls: [1] }, 'imageUrls.0', 'must be a string: put it in double quotes'],
  [{ imageUrls: [null] }, 'imageUrls.0', 'must be a string'],
  [{ domain: 'art' }, 'domain', 'must be an object or null, such as {"domain":"art"}'],
  [{ domain: [] }, 'domain', 'must be an object or null'],
  [{ domain: {} }, 'domain.domain', 'is required'],
  [{ domain: { domain: null } }, 'domain.domain', 'must be a string'],
  [{ domain: { domain: 1 } }, 'domain.domain', 'must be a string: put it in double quotes'],
] as const) {
  // specification: title-required-at-most, description-optional-plain-text, price-required-at-least, weightkg-optional-number
  // specification: currency-default-sek, imageurls-required-https-at, schemaversion-of-the-form
  // specification: schemaversion-changes-nothing-another, at-most-two-decimals
  test(`${inspect(changes).slice(0, 70)} is refused at ${field}: ${message}`, (t) => {
    t.deepEqual(problemsOf(aBody(changes)), [{ field, message }]);
  });
}

for (const field of ['title', 'price', 'imageUrls']) {
  // specification: title-required-at-most, price-required-at-least, imageurls-required-https-at, imageurls-may-be-empty
  test(`${field} is required`, (t) => {
    const { [field]: _left, ...body } = aBody();
    t.deepEqual(problemsOf(body), [{ field, message: 'is required' }]);
  });
}

for (const body of [undefined, null, [], 'text', 1, true]) {
  test(`a body that is ${JSON.stringify(body)} is refused as a whole`, (t) => {
    t.deepEqual(problemsOf(body), [{ field: 'body', message: 'must be a JSON object' }]);
  });
}

// specification: 3-validation-failure-422
test('all problems come at once, as VALIDATION_FAILED', (t) => {
  const body = { title: '', price: 0.5, imageUrls: ['http://x'], domain: { domain: 'books', isbn: '1', author: 2 } };
  const refusal = refusalOf(() => readItemRequest(body));
  t.is(refusal.code, 'VALIDATION_FAILED');
  t.is(refusal.message, 'Validation failed');
  t.deepEqual(refusal.details?.map(({ field }) => field).toSorted(), [
    'domain.author',
    'domain.isbn',
    'imageUrls.0',
    'price',
    'title',
  ]);
});

for (const name of ['images', 'image_urls']) {
  // specification: imageurls-also-images-and, imageurls-may-be-empty
  test(`${name} is another name of imageUrls, and its problems name imageUrls`, (t) => {
    const { imageUrls: _left, ...body } = aBody();
    t.deepEqual(readItemRequest({ ...body, [name]: ['https://a.example/1'] }).content.imageUrls, [
      'https://a.example/1',
    ]);
    t.deepEqual(readItemRequest({ ...body, [name]: [] }).warnings, []);
    t.deepEqual(problemsOf({ ...body, [name]: ['http://a.example/1'] }), [
      { field: 'imageUrls.0', message: httpsUrl('it begins with http://') },
    ]);
    t.deepEqual(problemsOf({ ...body, [name]: null }), [{ field: 'imageUrls', message: 'must be an array' }]);
  });
}

// specification: imageurls-also-images-and, imageurls-may-be-empty
test('two names of the image list at once are refused, even when both are right', (t) => {
  t.deepEqual(problemsOf(aBody({ images: ['https://a.example/1'] })), [
    { field: 'imageUrls', message: 'must be sent under one name only, not as imageUrls and images' },
  ]);
  t.like(problemsOf(aBody({ imageUrls: ['https://a.example/1'], images: [] })), [{ field: 'imageUrls' }]);
});

test('what view=full says about the images, sent back beside imageUrls, is refused with words that help', (t) => {
  const [problem] = problemsOf(aBody({ images: [{ sourceUrl: 'https://a.example/1', state: 'hosted' }] }));
  t.is(problem?.field, 'imageUrls');
  t.regex(problem?.message ?? '', /one name only.*leave out images, which view=full adds/);
  t.like(problemsOf(aBody({ imageUrls: [], images: [] })), [{ field: 'imageUrls' }]);
});

test('null in an optional field is the same as leaving it out', (t) => {
  const names = 'description shippingCost weightKg currency schemaVersion autoPublishTradera useAiEnhancement domain';
  const nulls = Object.fromEntries(names.split(' ').map((name) => [name, null]));
  t.deepEqual(readItemRequest(aBody(nulls)), readItemRequest(aBody()));
});

test('-0 is read as 0, also in a domain', (t) => {
  const domain = { domain: 'vehicles', mileageKm: -0 };
  const { content } = readItemRequest(aBody({ shippingCost: -0, weightKg: -0, domain }));
  const read = [content.shippingCostOre, content.weightKg, content.domain?.attributes['mileageKm']];
  t.true(read.every((value) => Object.is(value, 0)));
  t.true(deepEqual({ a: -0 }, { a: 0 }));
});

test('a language that nothing is known by is stored with a warning', (t) => {
  const warningsOf = (language: string) => readItemRequest(aBody({ domain: { domain: 'books', language } })).warnings;
  for (const known of ['sv', 'en-GB', 'swe', 'se', 'zh-Hans-TW']) t.deepEqual(warningsOf(known), [], known);
  for (const unknown of ['svenska', 'xx']) t.like(warningsOf(unknown), [{ field: 'domain.language' }], unknown);
  const refused = problemsOf(aBody({ domain: { domain: 'books', language: 'x-private' } }));
  t.regex(refused[0]?.message ?? '', /private .* not supported/);
});

test('an image sent twice is kept once, with a warning', (t) => {
  const [a, b] = ['https://a.example/1', 'https://a.example/2'];
  const { content, warnings } = readItemRequest(aBody({ imageUrls: [a, b, a] }));
  t.deepEqual(content.imageUrls, [a, b]);
  t.deepEqual(said(warnings), [{ field: 'imageUrls.2', message: 'repeats imageUrls.0 and is ignored' }]);
});

// specification: at-most-two-decimals
test('öre are kept exactly and named in warnings, because the marketplace takes whole kronor', (t) => {
  const { content, warnings } = readItemRequest(aBody({ price: 149.5, shippingCost: 79.49 }));
  t.is(content.priceOre, 14_950);
  t.is(content.shippingCostOre, 7_949);
  t.deepEqual(said(warnings), [
    {
      field: 'price',
      message: 'is sent to the marketplace as 150 SEK: it takes whole kronor only, rounded half up',
    },
    {
      field: 'shippingCost',
      message: 'is sent to the marketplace as 79 SEK: it takes whole kronor only, rounded half up',
    },
  ]);
});

test('unknown fields are ignored and named', (t) => {
  const body = aBody({ tilte: 'x', external_reference: 'forged', source: 'forged', schema_version: '9.9.9' });
  const { content, warnings } = readItemRequest(body);
  t.deepEqual(content, readItemRequest(aBody()).content);
  const message = 'is not a known field and is ignored';
  t.deepEqual(said(warnings), [
    { field: 'tilte', message: `${message}; did you mean title?` },
    { field: 'external_reference', message },
    { field: 'source', message },
    { field: 'schema_version', message: `${message}; did you mean schemaVersion?` },
  ]);
});

test('a refused body has its unknown fields named too, with the name that is near, also those of a domain', (t) => {
  const domain = { domain: 'auto_parts', conditionGrade: 'D', part: { oemNummer: '1', x: 1 }, vehicle: [1] };
  const { title: _title, price: _price, ...body } = aBody({ titel: 'Dörr', pris: 10, Image_URLs: [], domain });
  const unknown = (name: string): string => `is not a known field; did you mean ${name}?`;
  t.deepEqual(
    problemsOf(body).filter(({ message }) => message.startsWith('is not')),
    [
      { field: 'titel', message: unknown('title') },
      { field: 'pris', message: unknown('price') },
      { field: 'Image_URLs', message: unknown('imageUrls') },
      { field: 'domain.part.oemNummer', message: unknown('oemNumber') },
      { field: 'domain.part.x', message: 'is not a known field' },
    ],
  );
});

test('a thousand unknown fields give 20 warnings and a count', (t) => {
  const unknown = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`x${n}`, n]));
  const { warnings } = readItemRequest(aBody(unknown));
  t.is(warnings.length, 21);
  t.deepEqual(warnings.at(-1), problem('body', 'more_ignored_fields', { count: 980 }));
});

for (const url of [
  'https://res.example.com/image/fetch/w_200,h_200/https://a.example/1.jpg',
  'https://a.example/resize?width=20,20&url=https://b.example/1.jpg',
  'https://a.example/a,b;c.jpg',
  'https://a.example/https',
  'https://a.example/x%20https.jpg',
])
  test(`an address with another one in its path or query is one address: ${url}`, (t) => {
    t.deepEqual(readItemRequest(aBody({ imageUrls: [url] })).content.imageUrls, [url]);
  });
