import test from 'ava';
import { domainRows } from '../../features/rules/domains.ts';
import { isError, withApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test);
const convert = (fromMarket: unknown, externalId: unknown, toMarket: unknown) =>
  world().call('POST', '/categories/convert', { body: { fromMarket, externalId, toMarket } });

// specification: slug-labelen-labelsv-descriptionen, get-categories-array-of
test('GET /categories 200: the 18 records with exactly the fields of the specification, without a key', async (t) => {
  const { status, body } = await world().call('GET', '/categories');
  t.is(status, 200);
  t.is(body.length, 18);
  for (const record of body) {
    t.deepEqual(Object.keys(record).sort(), ['descriptionEn', 'labelEn', 'labelSv', 'searchFields', 'slug']);
    for (const name of ['slug', 'labelEn', 'labelSv', 'descriptionEn']) t.true(record[name].length > 0);
  }
});

// specification: searchfields-key-labelsv-labelen
test('GET /categories 200: search fields of vehicles, auto parts and books, none of the others', async (t) => {
  const { body } = await world().call('GET', '/categories');
  const fields = body.flatMap(({ slug, searchFields }: { slug: string; searchFields: Record<string, string>[] }) =>
    searchFields.map((field) => [slug, field]),
  );
  t.deepEqual(
    fields.map(([slug, field]: [string, Record<string, string>]) => [slug, field['key'], field['fieldType']]),
    [
      ['auto_parts', 'oem_number', 'text'],
      ['vehicles', 'plate', 'registration_plate'],
      ['books', 'isbn', 'text'],
    ],
  );
  for (const [, field] of fields) {
    t.deepEqual(Object.keys(field).sort(), ['fieldType', 'key', 'labelEn', 'labelSv', 'placeholder']);
  }
});

// specification: response-servicecategory-externalid-market, post-categories-convert-conversion, mapped-confidence-1-0
// specification: from-the-marketplace-externalid
test('POST /categories/convert 200: every row of the static map from the marketplace, certain', async (t) => {
  for (const { slug, inboundCategoryIds } of domainRows) {
    for (const categoryId of inboundCategoryIds) {
      const { status, body } = await convert('marketplace', String(categoryId), 'service');
      t.is(status, 200);
      t.deepEqual(body, {
        serviceCategory: slug,
        externalId: null,
        market: 'marketplace',
        confidence: 1,
        aiConverted: false,
      });
    }
  }
});

// specification: response-servicecategory-externalid-market, mapped-confidence-1-0, service-to-marketplace-the
test('POST /categories/convert 200: every row of the static map to the marketplace, certain', async (t) => {
  for (const { slug, outboundCategoryId } of domainRows) {
    if (outboundCategoryId === null) continue;
    const { status, body } = await convert('service', slug, 'marketplace');
    t.is(status, 200);
    t.deepEqual(body, {
      serviceCategory: slug,
      externalId: String(outboundCategoryId),
      market: 'marketplace',
      confidence: 1,
      aiConverted: false,
    });
  }
});

test('POST /categories/convert 200: an alias of a slug counts as the slug', async (t) => {
  const { body } = await convert('service', 'Bildelar', 'marketplace');
  t.like(body, { serviceCategory: 'auto_parts', externalId: '520', confidence: 1 });
});

// specification: not-mapped-classified-0
test('POST /categories/convert 200: a category beside the map is classified by its name', async (t) => {
  for (const [categoryId, slug] of [
    ['16', 'fashion'],
    ['15', 'collectibles'],
    ['1605', 'home_garden'],
    ['340736', 'beauty'],
    ['999999999999999999999999', 'other'],
  ] as const) {
    const { status, body } = await convert('marketplace', categoryId, 'service');
    t.is(status, 200);
    const classified = { externalId: null, market: 'marketplace', confidence: 0.75, aiConverted: true };
    t.deepEqual(body, { serviceCategory: slug, ...classified });
  }
});

// specification: not-mapped-classified-0, other-goes-to-the
test('POST /categories/convert 200: other is classified, and gets a category to publish in', async (t) => {
  for (const slug of ['other', 'ovrigt', '']) {
    const { status, body } = await convert('service', slug, 'marketplace');
    t.is(status, 200);
    t.deepEqual(body, {
      serviceCategory: 'other',
      externalId: '536',
      market: 'marketplace',
      confidence: 0.75,
      aiConverted: true,
    });
  }
});

for (const [what, fromMarket, externalId, toMarket, field] of [
  ['equal markets', 'service', 'art', 'service', 'toMarket'],
  ['equal markets', 'marketplace', '516', 'marketplace', 'toMarket'],
  ['an unknown slug', 'service', 'spaceships', 'marketplace', 'externalId'],
  ['a slug of Object.prototype', 'service', '__proto__', 'marketplace', 'externalId'],
  ['an id that is no number', 'marketplace', 'art', 'service', 'externalId'],
  ['id 0', 'marketplace', '0', 'service', 'externalId'],
  ['a negative id', 'marketplace', '-516', 'service', 'externalId'],
  ['a broken id', 'marketplace', '516.5', 'service', 'externalId'],
  ['an empty id', 'marketplace', '', 'service', 'externalId'],
  ['an id that is no string', 'marketplace', 516, 'service', 'externalId'],
  ['no id', 'marketplace', undefined, 'service', 'externalId'],
  ['an unknown market', 'ebay', '516', 'service', 'fromMarket'],
] as const) {
  // specification: request-frommarket-tomarket-externalid, equal-markets-422, an-unknown-slug-422
  test(`POST /categories/convert 422: ${what} (${fromMarket} ${String(externalId)})`, async (t) => {
    const reply = await convert(fromMarket, externalId, toMarket);
    isError(t, reply, { status: 422, code: 'VALIDATION_FAILED' });
    t.deepEqual(
      reply.body.details.map((detail: { field: string }) => detail.field),
      [field],
    );
  });
}

test('POST /categories/convert 400 and 415: a body that is no JSON', async (t) => {
  const send = (raw: string, type: string) =>
    world().call('POST', '/categories/convert', { raw, headers: { 'content-type': type } });
  isError(t, await send('{', 'application/json'), { status: 400, code: 'BAD_REQUEST' });
  isError(t, await send('a=b', 'application/x-www-form-urlencoded'), { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
});
