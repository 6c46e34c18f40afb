import test from 'ava';

import { domainRows, domainSlugs } from '../../features/rules/domains.ts';
import { resolveSlug } from '../../features/rules/domains.ts';

/** The table of the specification, row by row. */
const aliases = {
  electronics: ['elektronik'],
  fashion: ['mode', 'clothing'],
  watches: ['klockor'],
  home_garden: ['home', 'hem', 'hem_tradgard'],
  art: ['konst'],
  sports: ['sport'],
  books: ['bocker', 'media'],
  toys: ['leksaker'],
  vehicles: ['fordon'],
  tools: ['verktyg'],
  auto_parts: ['autoparts', 'car_parts', 'bildelar', 'automotive_part', 'reservdel'],
  jewelry: ['smycken'],
  computers: ['datorer'],
  music: ['musikinstrument'],
  collectibles: ['samlarforemal'],
  beauty: ['skonhet'],
  industrial: ['industri'],
  other: ['ovrigt', ''],
} as const;

for (const slug of domainSlugs) {
  test(`${slug} resolves to itself`, (t) => {
    t.is(resolveSlug(slug), slug);
  });
  for (const alias of aliases[slug]) {
    // specification: every-row-of-the, empty-string-other
    test(`"${alias}" resolves to ${slug}`, (t) => {
      t.is(resolveSlug(alias), slug);
    });
  }
}

// specification: every-row-of-the
test('the table has the aliases of the specification and no others', (t) => {
  for (const row of domainRows) t.deepEqual([...row.aliases], [...aliases[row.slug]], row.slug);
});

for (const [input, slug] of [
  ['Auto-Parts', 'auto_parts'],
  ['CAR PARTS', 'auto_parts'],
  ['Home Garden', 'home_garden'],
  ['hem-tradgard', 'home_garden'],
  ['Hem_Trädgård', 'home_garden'],
  ['böcker', 'books'],
  ['BÖCKER', 'books'],
  ['bo\u0308cker', 'books'],
  ['Samlarföremål', 'collectibles'],
  ['skönhet', 'beauty'],
  ['övrigt', 'other'],
] as const) {
  // specification: lower-case-dashes-and
  test(`"${input}" resolves to ${slug}: case, dashes, spaces and å ä ö don't matter`, (t) => {
    t.is(resolveSlug(input), slug);
  });
}

test('labels of the category list resolve to their domain, in both languages', (t) => {
  for (const row of domainRows) {
    t.is(resolveSlug(row.labelEn), row.slug);
    t.is(resolveSlug(row.labelSv), row.slug);
  }
});

for (const input of [
  'bilar',
  'auto__parts',
  ' ',
  '_',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
]) {
  test(`"${input}" is unknown`, (t) => {
    t.is(resolveSlug(input), undefined);
  });
}

test('no input means two domains', (t) => {
  const owner = new Map<string, string>();
  for (const row of domainRows) {
    for (const input of [row.slug, ...row.aliases]) {
      t.is(owner.get(input), undefined, input);
      owner.set(input, row.slug);
    }
  }
});
