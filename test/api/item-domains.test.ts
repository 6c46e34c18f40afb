import test from 'ava';
import { withApiWorld } from '../support/api-world.ts';

// The whole round of a domain: PUT, the database, GET view=full.
const world = withApiWorld(test);

const body = (domain: unknown) => ({ title: 'Bromsskiva', price: 150, imageUrls: [], domain });

async function push(externalId: string, apiKey: string, raw: string) {
  const headers = { 'content-type': 'application/json' };
  return world().call('PUT', `/integration/v1/items/${externalId}`, { apiKey, raw, headers });
}

async function pushDomain(externalId: string, domain: unknown) {
  const { apiKey } = await world().account();
  const sent = await push(externalId, apiKey, JSON.stringify(body(domain)));
  const read = async () =>
    (await world().call('GET', `/integration/v1/items/${externalId}?view=full`, { apiKey })).body;
  return { sent, read, again: () => push(externalId, apiKey, JSON.stringify(body(domain))) };
}

for (const codes of [
  '{"a.b":"1","$set":"2","$":"3",".":"4","$where":"5"}',
  '{"__proto__":"1","constructor":"2","hasOwnProperty":"3","toJSON":"4","toBSON":"5"}',
  '{"":"empty key","empty value":""," ":"spaces  kept "}',
  '{"$ref":"a.b","$id":"c","$db":"d"}',
  '{"_bsontype":"ObjectId"}',
  '{"å ö 漢字 🚗":"é e\u0301","tab\\tand\\nline":"\\u0001","a/b~c":"\\"\\\\"}',
  '{"domain":"books","source":"forged","external_reference":"forged","schema_version":"9.9.9"}',
  '{"length":"1","system":"2","code":"3","_id":"4"}',
]) {
  // specification: part-catalogcodes-verbatim-whatever
  test(`catalogCodes ${codes} come back as they were sent, and sent again change nothing`, async (t) => {
    const { apiKey } = await world().account();
    const raw = JSON.stringify(body({ domain: 'auto_parts', part: { catalogCodes: 0 } })).replace('0}}', `${codes}}}`);
    t.is((await push('C', apiKey, raw)).status, 202);
    const reply = await world().call('GET', '/integration/v1/items/C?view=full', { apiKey });
    const sent = JSON.stringify(JSON.parse(codes));
    t.true(reply.text.includes(`"catalogCodes":${sent}`), reply.text);
    t.like((await push('C', apiKey, raw)).body, { message: 'Item updated (unchanged)' });
    t.is((await push('C', apiKey, raw.replace('"price":150', '"price":151'))).body.message, 'Item updated');
    const after = await world().call('GET', '/integration/v1/items/C?view=full', { apiKey });
    t.true(after.text.includes(`"catalogCodes":${sent}`), after.text);
  });
}

// specification: part-catalogcodes-verbatim-whatever
test('a thousand catalog codes come back as they were sent', async (t) => {
  const catalogCodes = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`system.${n}`, `$code-${n}`]));
  const { sent, read } = await pushDomain('K', { domain: 'auto_parts', part: { catalogCodes } });
  t.is(sent.status, 202);
  t.deepEqual((await read()).extendedAttributes.part, { catalogCodes });
});

for (const [slug, attributes] of [
  [
    'auto_parts',
    {
      vehicle: { manufacturer: 'Volvo', model: 'V70', year: 2008, vehicleType: 'Bil' },
      part: { name: 'Bromsskiva', oemNumber: '1K0 615', catalogCodes: { a: '1' } },
      conditionGrade: 'A*',
      conditionNote: null,
    },
  ],
  ['vehicles', { make: 'Volvo', model: 'V70', year: 2008, mileageKm: 1, fuelType: 'diesel', color: 'blå' }],
  ['electronics', { serialNumber: ' A-1 ', memoryGb: 128, batteryHealthPercentage: 0 }],
  ['computers', { serialNumber: 'A', memoryGb: 0, batteryHealthPercentage: 100 }],
  ['fashion', { size: '42', material: 'ull', gender: 'unisex' }],
  ['books', { isbn: '9789113028484', author: 'Selma Lagerlöf', publisher: 'Bonniers', language: 'sv' }],
  ['watches', { brand: 'Halda', modelReference: '2005', movementType: 'manual', caseSizeMm: 38 }],
  ['art', {}],
] as const) {
  // specification: external-id-at-most, flat-form-slug-attributes, attributes-stored-verbatim, part-name-string
  // specification: conditionnote-nullable-appended-to, make-model-color-string, memorygb-integer, size-material-string
  // specification: author-publisher-string, brand-modelreference-string, casesizemm-integer
  test(`extendedAttributes of ${slug} are flat: the slug, and beside it what was sent`, async (t) => {
    const { sent, read } = await pushDomain(`flat-${slug}`, { domain: slug, ...attributes });
    t.is(sent.status, 202);
    t.deepEqual((await read()).extendedAttributes, {
      external_reference: `flat-${slug}`,
      source: 'integration',
      schema_version: '1.0.0',
      domain: slug,
      ...attributes,
    });
  });
}

for (const domain of [undefined, null]) {
  // specification: domain-omitted-means-other, domain-null-when-omitted, unknown-slug-422-at
  test(`a domain that is ${String(domain)} is read back as null`, async (t) => {
    const { read } = await pushDomain(`none-${String(domain)}`, domain);
    t.is((await read()).extendedAttributes.domain, null);
  });
}

// specification: external-reference-as-given, 2-schemaversion-of-the, nothing-sets-external-reference
test("nothing in a request sets one of the service's own keys", async (t) => {
  const { apiKey } = await world().account();
  const forged = { external_reference: 'forged', source: 'manual', schema_version: '9.9.9', schemaVersion: '2.0.0' };
  const domain = { domain: 'books', ...forged, author: 'Selma' };
  const raw = JSON.stringify({ ...body(domain), ...forged });
  const sent = await push('F', apiKey, raw);
  t.is(sent.status, 202);
  t.deepEqual((await world().call('GET', '/integration/v1/items/F?view=full', { apiKey })).body.extendedAttributes, {
    external_reference: 'F',
    source: 'integration',
    schema_version: '1.0.0',
    domain: 'books',
    author: 'Selma',
  });
  const named = sent.body.warnings.map(({ field }: { field: string }) => field);
  for (const key of ['external_reference', 'source', 'schema_version'])
    t.true(named.includes(key) && named.includes(`domain.${key}`), key);
});
