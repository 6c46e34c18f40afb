import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import sharp from 'sharp';
import {
  imagesFolder,
  loadCatalogue,
  loadFaultyItems,
  type CatalogueItem,
} from '../../examples/catalogue/load-catalogue.ts';
import { Refusal } from '../../features/rules/errors.ts';
import { readItemRequest } from '../../schemas/items/read-item-request.ts';

const items = loadCatalogue();
const files = readdirSync(imagesFolder);
const published = items.filter(({ autoPublishTradera }) => autoPublishTradera === true);

/** The item as the push sends it. */
function bodyOf({ externalId: _id, account: _account, images, expected: _expected, ...fields }: CatalogueItem): object {
  return images === undefined
    ? fields
    : { ...fields, imageUrls: images.map((file) => `https://images.example/${file}`) };
}

test('the service takes every item as it stands, and warns only of öre', (t) => {
  for (const item of items) {
    const { warnings } = readItemRequest(bodyOf(item));
    t.true(
      warnings.every(({ field }) => field === 'price'),
      `${item.externalId}: ${JSON.stringify(warnings)}`,
    );
  }
});

test('all 18 domains are there, every rich one with attributes, some under an alias', (t) => {
  const slugs = new Set(items.map((item) => readItemRequest(bodyOf(item)).content.domain?.slug ?? 'other'));
  t.is(slugs.size, 18, [...slugs].join(', '));
  const sent = new Set(items.map(({ domain }) => domain?.domain));
  for (const alias of ['bildelar', 'mode', 'klockor', 'fordon', '']) t.true(sent.has(alias), alias);
});

test('every attribute of a rich domain is used somewhere', (t) => {
  const used = new Set(items.flatMap(({ domain }) => pathsOf(domain ?? {})));
  const wanted = [
    'vehicle.manufacturer',
    'vehicle.model',
    'vehicle.year',
    'vehicle.vehicleType',
    'part.name',
    'part.oemNumber',
    'part.catalogCodes.fenix',
    'conditionGrade',
    'conditionNote',
    'registrationPlate',
    'make',
    'model',
    'year',
    'mileageKm',
    'fuelType',
    'color',
    'serialNumber',
    'memoryGb',
    'batteryHealthPercentage',
    'size',
    'material',
    'gender',
    'isbn',
    'author',
    'publisher',
    'language',
    'brand',
    'modelReference',
    'movementType',
    'caseSizeMm',
  ];
  t.deepEqual(
    wanted.filter((path) => !used.has(path)),
    [],
  );
});

test('there is enough of everything: items, members, auctions, several pictures, none', (t) => {
  t.true(items.length >= 72);
  t.deepEqual([...new Set(items.map(({ account }) => account ?? 'own'))].sort(), [
    'butik-goteborg',
    'butik-malmo',
    'butik-umea',
    'own',
  ]);
  t.true(published.length >= 56 && published.length < items.length);
  t.true(items.filter(({ images }) => (images ?? []).length >= 3).length >= 3);
  t.true(items.some(({ images }) => images?.length === 0));
  t.true(items.some(({ price }) => !Number.isInteger(price)));
});

test('external ids are unique in the whole catalogue, which the demo relies on', (t) => {
  t.is(new Set(items.map(({ externalId }) => externalId)).size, items.length);
});

test("no plate is anybody's car", (t) => {
  const plates = items.flatMap(({ domain }) =>
    typeof domain?.['registrationPlate'] === 'string' ? [domain['registrationPlate']] : [],
  );
  t.true(plates.length > 0);
  for (const plate of plates) t.regex(plate, /^MLB ?84[A-D]$/);
});

test('every picture that is named exists, every picture is named, and together they stay small', (t) => {
  const named = items.flatMap(({ images }) => images ?? []);
  t.deepEqual([...named].sort(), [...files].sort());
  t.true(files.reduce((sum, file) => sum + statSync(join(imagesFolder, file)).size, 0) < 4_400_000);
});

test('pictures are JPEG, PNG and WebP of 800 to 1600 pixels; one tells where it was taken, one is transparent', async (t) => {
  const pictures = await Promise.all(
    files.map(async (file) => ({ file, ...(await sharp(readFileSync(join(imagesFolder, file))).metadata()) })),
  );
  t.deepEqual([...new Set(pictures.map(({ format }) => format))].sort(), ['jpeg', 'png', 'webp']);
  for (const { file, width } of pictures) t.true(width >= 800 && width <= 1600, file);
  t.true(pictures.some(({ exif }) => exif !== undefined));
  t.true(pictures.some(({ format, hasAlpha }) => format === 'png' && hasAlpha));
});

test('every faulty item is refused at the field it says', (t) => {
  for (const item of loadFaultyItems().filter(({ expected }) => expected.statusCode === 422)) {
    const error = t.throws<Refusal>(() => readItemRequest(bodyOf(item)), { instanceOf: Refusal }, item.externalId);
    t.true(
      error?.details?.some(({ field }) => field === item.expected.field),
      `${item.externalId}: ${JSON.stringify(error?.details)}`,
    );
  }
});

function pathsOf(value: object, prefix = ''): string[] {
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'object' && inner !== null ? pathsOf(inner, `${prefix}${name}.`) : [`${prefix}${name}`],
  );
}
