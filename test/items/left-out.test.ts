import test from 'ava';
import fc from 'fast-check';
import type { ItemContent } from '../../features/items/rules/item-content.ts';
import { keepLeftOut, leftOutFields, lostAttributes } from '../../features/items/rules/left-out.ts';
import { checkProperty } from '../support/check-property.ts';

const empty: ItemContent = {
  title: 'a',
  description: '',
  priceOre: 100,
  shippingCostOre: null,
  weightKg: null,
  currency: 'SEK',
  imageUrls: [],
  domain: null,
  useAiEnhancement: false,
  listing: null,
  quantity: null,
};
const part = { oemNumber: '1', name: 'n', catalogCodes: { a: '1', b: '2' } };
const full: ItemContent = {
  ...empty,
  description: 'd',
  shippingCostOre: 0,
  weightKg: 1,
  imageUrls: ['https://a.test/1'],
  useAiEnhancement: true,
  domain: {
    slug: 'auto_parts',
    attributes: {
      part,
      vehicle: { year: 2004 },
      conditionNote: null,
    },
  },
  listing: { durationDays: 5, relist: { times: 2, priceStep: 10 }, shippingOptions: [{ optionId: 1, cost: 2 }] },
  quantity: 3,
};

test('every field that an item has and a push leaves empty is named, and catalogue codes are one', (t) => {
  t.deepEqual(leftOutFields(full, empty), [
    'description',
    'shippingCost',
    'weightKg',
    'imageUrls',
    'domain',
    'domain.part.oemNumber',
    'domain.part.name',
    'domain.part.catalogCodes',
    'domain.vehicle.year',
    'listing.durationDays',
    'listing.relist.times',
    'listing.relist.priceStep',
    'listing.shippingOptions',
  ]);
  t.deepEqual(leftOutFields(empty, full), []);
  t.deepEqual(leftOutFields(full, full), []);
});

const attributesOf = (part: Record<string, unknown>): ItemContent => ({
  ...full,
  domain: { slug: 'auto_parts', attributes: { part, vehicle: { year: 2004 } } },
});

test('one attribute, one catalogue code and free shipping are fields as any other', (t) => {
  t.deepEqual(leftOutFields(full, attributesOf({ ...part, name: '' })), ['domain.part.name']);
  t.deepEqual(leftOutFields(full, attributesOf({ ...part, catalogCodes: { a: '1' } })), ['domain.part.catalogCodes']);
  t.deepEqual(leftOutFields(full, { ...full, shippingCostOre: null }), ['shippingCost']);
  t.deepEqual(leftOutFields(full, { ...full, quantity: null, useAiEnhancement: false }), []);
});

test('what is left out is kept, what is given replaces, level by level', (t) => {
  const single = { ...full, quantity: null };
  t.deepEqual(keepLeftOut(full, empty, true), single);
  t.deepEqual(keepLeftOut(full, { ...empty, title: 'b', priceOre: 200 }, true), {
    ...single,
    title: 'b',
    priceOre: 200,
  });
  const given = attributesOf({ name: 'ny', catalogCodes: { b: '3', c: '4' } });
  t.deepEqual(keepLeftOut(full, given, true).domain?.attributes, {
    part: { oemNumber: '1', name: 'ny', catalogCodes: { a: '1', b: '3', c: '4' } },
    vehicle: { year: 2004 },
    conditionNote: null,
  });
  const listing = { relist: { times: 1 }, shippingOptions: [{ optionId: 3, cost: 0 }] };
  t.deepEqual(keepLeftOut(full, { ...empty, listing }, true).listing, {
    durationDays: 5,
    relist: { times: 1, priceStep: 10 },
    shippingOptions: [{ optionId: 3, cost: 0 }],
  });
  t.false(keepLeftOut(full, empty, false).useAiEnhancement);
});

test('an item without a category is one of other, and another category keeps no attribute that it has not', (t) => {
  const other: ItemContent = { ...empty, domain: { slug: 'other', attributes: {} } };
  t.deepEqual(keepLeftOut(empty, other, true), empty);
  t.deepEqual(leftOutFields(other, empty), []);
  const books: ItemContent = { ...empty, domain: { slug: 'books', attributes: { isbn: '1' } } };
  t.deepEqual(lostAttributes(full, books).length, 4);
  t.deepEqual(lostAttributes(full, empty), []);
  t.deepEqual(lostAttributes(empty, books), []);
  t.deepEqual(lostAttributes(books, { ...empty, domain: { slug: 'art', attributes: {} } }), ['domain.isbn']);
});

test('a push that keeps what it leaves out empties nothing, whatever both are', async (t) => {
  const leaf = fc.oneof(fc.string({ maxLength: 3 }), fc.integer(), fc.constantFrom('', null, 0, false, '__proto__'));
  const parts = fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), leaf);
  // The schema of a category says which attributes are objects.
  const attributes = fc.record(
    { part: fc.record({ name: leaf, catalogCodes: parts }, { requiredKeys: [] }), vehicle: parts, color: leaf },
    { requiredKeys: [] },
  );
  const content = fc.record({
    description: fc.constantFrom('', 'd', 'e'),
    shippingCostOre: fc.constantFrom(null, 0, 100),
    imageUrls: fc.constantFrom([], ['https://a.test/1']),
    attributes: fc.option(attributes),
  });
  const contentOf = ({ attributes: own, ...fields }: { attributes: Record<string, unknown> | null }): ItemContent => ({
    ...empty,
    ...fields,
    domain: own && { slug: 'auto_parts', attributes: own },
  });
  await checkProperty(
    t,
    fc.property(content, content, (one, other) => {
      const [before, pushed] = [contentOf(one), contentOf(other)];
      t.deepEqual(leftOutFields(before, keepLeftOut(before, pushed, true)), []);
    }),
    { numRuns: 500 },
  );
});
