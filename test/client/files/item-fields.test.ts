import test from 'ava';
import { findItemField, itemFieldTypes, mapFields, type CellType } from '../../../client/files/item-fields.ts';
import { guessColumns } from '../../../client/files/guess-columns.ts';
import { domainAttributes } from '../../../schemas/item-domains/item-domain.ts';
import { itemRequestSchema } from '../../../schemas/items/item-request.ts';

interface Schema {
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly 'x-sek-amount'?: boolean;
}

/** The fields that a cell can hold, with the types of the schema; `map` for an object with keys of the partner's own. */
function leavesOf(schema: Schema, path: string): [string, CellType | 'map'][] {
  const [nullable] = schema.anyOf ?? [];
  if (nullable !== undefined) return leavesOf(nullable, path);
  if (schema.items?.properties !== undefined) return [[path, 'shipping']];
  if (schema.properties !== undefined)
    return Object.entries(schema.properties).flatMap(([name, child]) => leavesOf(child, `${path}.${name}`));
  if (typeof schema.additionalProperties === 'object') return [[path, 'map']];
  const types = [schema.type ?? 'string'].flat();
  if (types.includes('number') || types.includes('integer'))
    return [[path, schema['x-sek-amount'] || isWholeSek(schema) ? 'amount' : 'number']];
  return [[path, types.includes('boolean') ? 'boolean' : 'text']];
}

const isWholeSek = ({ description }: Schema): boolean => description?.includes('whole SEK') === true;

test('the fields that a column can be are those of the schemas, with their types', (t) => {
  const { domain: _domain, imageUrls: _images, ...own } = itemRequestSchema.properties;
  const expected = new Map<string, CellType | 'map'>([
    ...(['externalId', 'account', 'domain'] as const).map((name) => [name, 'text'] as const),
    ['imageUrls', 'addresses'],
  ]);
  const leaves = [
    ...Object.entries(own).flatMap(([name, schema]) => leavesOf(schema as Schema, name)),
    ...Object.values(domainAttributes).flatMap((schema) => leavesOf(schema as Schema, 'domain')),
  ];
  for (const [name, type] of leaves) if (expected.get(name) !== 'text') expected.set(name, type);
  const found = [...Object.entries(itemFieldTypes), ...mapFields.map((name) => [name, 'map'] as const)];
  const sorted = (entries: Iterable<readonly [string, string]>) =>
    [...entries].toSorted(([a], [b]) => a.localeCompare(b));
  t.deepEqual(sorted(found), sorted(expected));
});

test('names that are no field, or of an object, are none', (t) => {
  for (const name of [
    '',
    'lager',
    'Title',
    'toString',
    '__proto__',
    'domain.part',
    'domain.part.catalogCodes',
    'imageUrls.x',
    'imageUrls.0.x',
  ])
    t.is(findItemField(name), undefined, name);
  t.deepEqual(findItemField('domain.part.catalogCodes.system.A')?.path, ['domain', 'part', 'catalogCodes', 'system.A']);
});

for (const [header, guessed] of [
  [['Artikelnr', 'Benämning', 'Pris', 'Lagersaldo'], { externalId: 'Artikelnr', title: 'Benämning', price: 'Pris' }],
  [
    ['ARTIKELNUMMER', 'Benamning', 'Pris inkl. moms', 'Vikt (kg)'],
    { externalId: 'ARTIKELNUMMER', title: 'Benamning', price: 'Pris inkl. moms', weightKg: 'Vikt (kg)' },
  ],
  [
    ['SKU', 'Product name', 'Sales price', 'Image URL', 'Long description'],
    {
      externalId: 'SKU',
      title: 'Product name',
      price: 'Sales price',
      imageUrls: 'Image URL',
      description: 'Long description',
    },
  ],
  [
    ['Art.nr', 'Namn', 'Utpris', 'Bild1', 'Bild2'],
    { externalId: 'Art.nr', title: 'Namn', price: 'Utpris', 'imageUrls.0': 'Bild1', 'imageUrls.1': 'Bild2' },
  ],
  [['externalId', 'Benämning', 'price'], { title: 'Benämning' }],
  [['a', 'b', 'c'], {}],
] as const)
  test(`what ${header.join(', ')} are is guessed, each once`, (t) => {
    t.deepEqual(guessColumns(header), guessed);
  });
