import test from 'ava';
import fc from 'fast-check';
import { BSON } from 'mongodb';

import { attributesFromStored, flattenDomain, storableAttributes } from '../../features/items/rules/flatten-domain.ts';
import { checkProperty } from '../support/check-property.ts';

const stamp = { externalReference: 'A1', source: 'integration', schemaVersion: '1.0.0' } as const;
const withCodes = (catalogCodes: unknown) =>
  flattenDomain({ slug: 'auto_parts', attributes: { part: { name: 'x', catalogCodes } } }, stamp);

/** To the bytes the database keeps and back. */
const throughBson = (value: object) => BSON.deserialize(BSON.serialize(value)) as ReturnType<typeof withCodes>;

for (const json of [
  '{"$ref":"a.b","$id":"c"}',
  '{"$id":"c","x":"y","$ref":"a","$db":"d"}',
  '{"_bsontype":"ObjectId"}',
  '{"__proto__":"1","constructor":"2","toString":"3","toJSON":"4","toBSON":"5"}',
  '{"":"1","a.b":"2","$set":"3","$":"4",".":"5"}',
  '{"length":"1","system":"2","code":"3"}',
  '{}',
]) {
  test(`the database keeps ${json} as it is`, (t) => {
    const attributes = withCodes(JSON.parse(json));
    const back = attributesFromStored(throughBson(storableAttributes(attributes)));
    t.is(JSON.stringify(back), JSON.stringify(attributes));
    t.is(JSON.stringify(back['part']), `{"name":"x","catalogCodes":${json}}`);
  });
}

// specification: part-catalogcodes-verbatim-whatever
test('the database keeps any catalog codes as they are', async (t) => {
  const special = fc.constantFrom(
    '$ref',
    '$id',
    '$db',
    '_bsontype',
    '__proto__',
    'constructor',
    '',
    '$',
    '.',
    'a.b',
    '0',
  );
  const storable = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));
  const key = fc.oneof(special, storable);
  await checkProperty(
    t,
    fc.property(fc.dictionary(key, storable), (codes) => {
      const attributes = withCodes(JSON.parse(JSON.stringify(codes)));
      t.is(
        JSON.stringify(attributesFromStored(throughBson(storableAttributes(attributes)))),
        JSON.stringify(attributes),
      );
    }),
    { numRuns: 1_000 },
  );
});

test('attributes without catalog codes are stored as they are', (t) => {
  for (const domain of [null, { slug: 'books', attributes: { isbn: '1' } } as const]) {
    const attributes = flattenDomain(domain, stamp);
    t.is(storableAttributes(attributes), attributes);
    t.is(attributesFromStored(attributes), attributes);
  }
});
