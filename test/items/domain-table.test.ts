import test from 'ava';

import { domainRows, domainSlugs, domainTable, isDomainSlug } from '../../features/rules/domains.ts';
import { outboundCategoryId, slugOfMarketplaceCategory } from '../../features/listings/rules/category-map.ts';

/** slug, English label, Swedish label, kind, analytics name: as the specification and the decisions have them. */
const expected = [
  ['auto_parts', 'Auto Parts', 'Bildelar', 'rich', 'Reservdel'],
  ['vehicles', 'Vehicles', 'Fordon', 'rich', 'Fordon'],
  ['electronics', 'Electronics', 'Elektronik', 'rich', 'Elektronik'],
  ['computers', 'Computers', 'Datorer', 'rich', 'Datorer'],
  ['fashion', 'Fashion', 'Mode', 'rich', 'Kläder'],
  ['books', 'Books & Media', 'Böcker & Media', 'rich', 'Böcker & Media'],
  ['watches', 'Watches', 'Klockor', 'rich', 'Klockor'],
  ['home_garden', 'Home & Garden', 'Hem & Trädgård', 'unit', 'Hem & Trädgård'],
  ['art', 'Art & Antiques', 'Konst & Antikviteter', 'unit', 'Konst & Antikviteter'],
  ['sports', 'Sports & Leisure', 'Sport & Fritid', 'unit', 'Sport & Fritid'],
  ['toys', 'Toys & Games', 'Leksaker & Spel', 'unit', 'Leksaker & Spel'],
  ['tools', 'Tools & Machinery', 'Verktyg & Maskiner', 'unit', 'Verktyg & Maskiner'],
  ['jewelry', 'Jewelry', 'Smycken', 'unit', 'Smycken'],
  ['music', 'Musical Instruments', 'Musikinstrument', 'unit', 'Musikinstrument'],
  ['collectibles', 'Collectibles', 'Samlarföremål', 'unit', 'Samlarföremål'],
  ['beauty', 'Beauty & Health', 'Skönhet & Hälsa', 'unit', 'Skönhet & Hälsa'],
  ['industrial', 'Industrial & Commercial', 'Industri & Kommersiellt', 'unit', 'Industri & Kommersiellt'],
  ['other', 'Other', 'Övrigt', 'unit', 'Övrigt'],
] as const;

// specification: 7-rich-11-unit, categorybreakdown-the-name-derives
test('there are the 18 domains with their labels, kinds and analytics names', (t) => {
  const rows = domainRows.map((row) => [row.slug, row.labelEn, row.labelSv, row.kind, row.analyticsName]);
  t.deepEqual(
    rows,
    expected.map((row) => [...row]),
  );
});

test('every row stands under its own slug and is described', (t) => {
  for (const slug of domainSlugs) {
    t.is(domainTable[slug].slug, slug);
    t.true(domainTable[slug].descriptionEn.length > 10);
  }
});

// specification: plate-oem-number-isbn, searchfields-key-labelsv-labelen
test('only vehicles, auto parts and books have search fields, one each', (t) => {
  const keys = domainRows.flatMap((row) => row.searchFields.map((field) => [row.slug, field.key]));
  t.deepEqual(keys, [
    ['auto_parts', 'oem_number'],
    ['vehicles', 'plate'],
    ['books', 'isbn'],
  ]);
});

/** The static map of the specification: inbound ids, slug, outbound id. */
const categories = [
  [[516], 'art', 516],
  [[517, 533], 'toys', 533],
  [[520], 'vehicles', 520],
  [[521], 'books', 521],
  [[523], 'industrial', 523],
  [[524], 'computers', 524],
  [[525, 534], 'electronics', 525],
  [[527], 'sports', 527],
  [[529], 'home_garden', 529],
  [[530], 'fashion', 530],
  [[531], 'watches', 531],
  [[535], 'music', 535],
  [[536], 'collectibles', 536],
  [[537], 'beauty', 537],
  [[541], 'tools', 541],
  [[8174, 8175, 8176, 8177, 8178], 'jewelry', 531],
  [[8290, 8291, 8292, 8293, 8294, 8295, 8296, 8297, 8298, 8299, 8300], 'auto_parts', 520],
] as const;

for (const [inbound, slug, outbound] of categories) {
  // specification: 516-art-516, 517-533-toys-533, 520-vehicles-520, 521-books-521, 523-industrial-523, 524-computers-524
  // specification: 525-534-electronics-525, 527-sports-527, 529-home-garden-529, 530-fashion-530, 531-watches-531
  // specification: 535-music-535, 536-collectibles-536, 537-beauty-537, 541-tools-541, 8174-to-8178-jewelry, 8290-to-8300-auto
  test(`marketplace categories ${inbound.join(', ')} are ${slug}, which is published in ${outbound}`, (t) => {
    for (const categoryId of inbound) t.is(slugOfMarketplaceCategory(categoryId), slug);
    t.is(outboundCategoryId(slug), outbound);
  });
}

test('other has no marketplace category', (t) => {
  t.is(outboundCategoryId('other'), undefined);
});

// specification: the-map-has-no
test('categories outside the map are unknown, also right beside its ranges', (t) => {
  for (const categoryId of [0, 515, 518, 8173, 8179, 8289, 8301, Number.NaN]) {
    t.is(slugOfMarketplaceCategory(categoryId), undefined);
  }
});

// specification: the-map-has-no
test('no marketplace category means two domains', (t) => {
  const ids = domainRows.flatMap((row) => row.inboundCategoryIds);
  t.is(new Set(ids).size, ids.length);
});

test('a slug is recognised only exactly', (t) => {
  t.true(isDomainSlug('auto_parts'));
  for (const value of ['Auto_Parts', '__proto__', '', null, 1]) t.false(isDomainSlug(value));
});
