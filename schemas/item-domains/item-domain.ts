import Type, { type TInteger, type TObject, type TSchema } from 'typebox';
import { domainRows, domainSlugs, type DomainRow, type DomainSlug } from '../../features/rules/domains.ts';
import { nullableText, text } from '../fields.ts';

/** The bounds are wide: they catch typing errors and two-digit years only. */
export const modelYear = (): TInteger =>
  Type.Integer({ minimum: 1800, maximum: 2200, description: 'Model year', examples: [2008] });

export const catalogCodesBytesMax = 65_536;

/** The keys belong to the partner: they are not listed here, and are stored verbatim. */
const catalogCodes = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', format: 'plain-text' },
  propertyNames: { format: 'plain-text' },
  'x-max-bytes': catalogCodesBytesMax,
  description:
    "Codes of the part in other systems: the key is a short stable system identifier of the partner's choice, the value " +
    "that system's code. Stored and returned unchanged. Keys and values together at most 64 KB.",
  examples: [{ systemA: '0412-7731', systemB: 'BR/55.2' }],
});

/** Source: specification "auto_parts". */
const autoPartsAttributes = Type.Object({
  vehicle: Type.Optional(
    Type.Object(
      {
        manufacturer: Type.Optional(text({ description: 'Donor vehicle manufacturer', examples: ['Volvo'] })),
        model: Type.Optional(text({ description: 'Donor vehicle model', examples: ['V70'] })),
        year: Type.Optional(modelYear()),
        vehicleType: Type.Optional(
          Type.Enum(['Bil', 'MC', 'Skoter', 'ATV', 'Husvagn', 'Moped', 'Traktor'], {
            $id: 'VehicleType',
            description:
              'Bil passenger car, MC motorcycle, Skoter snowmobile, ATV quad, Husvagn caravan or trailer, Moped, Traktor tractor',
          }),
        ),
      },
      { $id: 'DonorVehicle', description: 'The vehicle the part was taken from' },
    ),
  ),
  part: Type.Optional(
    Type.Object(
      {
        name: Type.Optional(text({ description: 'Part name for people', examples: ['Bromsskiva fram'] })),
        oemNumber: Type.Optional(text({ description: 'OEM part number', examples: ['1K0 615 301 AA'] })),
        catalogCodes: Type.Optional(catalogCodes),
      },
      { $id: 'SoldPart', description: 'The part sold' },
    ),
  ),
  conditionGrade: Type.Optional(
    Type.Enum(['A*', 'A', 'B', 'C'], {
      $id: 'ConditionGrade',
      description: 'A* new old stock, A excellent, B good, C fair',
      // Generators that drop the star would name two values A.
      'x-enum-varnames': ['A_STAR', 'A', 'B', 'C'],
    }),
  ),
  conditionNote: Type.Optional(
    nullableText({ description: 'Free text about the condition; appended to the marketplace ad', maxLength: 5_000 }),
  ),
});

/** Source: specification "books". */
const booksAttributes = Type.Object({
  isbn: Type.Optional(
    text({
      description: 'ISBN-10 or ISBN-13; stored without hyphens',
      maxLength: 32,
      format: 'isbn',
      examples: ['978-91-1-302848-4'],
    }),
  ),
  author: Type.Optional(text({ description: 'Author name or names', maxLength: 1_000, examples: ['Selma Lagerlöf'] })),
  publisher: Type.Optional(text({ description: 'Publisher name', examples: ['Bonniers'] })),
  language: Type.Optional(
    text({
      description: 'BCP 47 language code; stored in canonical form',
      maxLength: 100,
      format: 'language-tag',
      examples: ['sv'],
    }),
  ),
});

/** Source: specification "electronics"; `computers` has the same shape. */
const electronicsAttributes = Type.Object({
  serialNumber: Type.Optional(text({ description: 'Device serial number', examples: ['F2LX9K7QPL'] })),
  memoryGb: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_000_000,
      description: 'Storage in GB; for computers storage or RAM, depending on context',
      examples: [128],
    }),
  ),
  batteryHealthPercentage: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100, description: 'Battery health in percent', examples: [87] }),
  ),
});

/** Source: specification "fashion". */
const fashionAttributes = Type.Object({
  size: Type.Optional(text({ description: 'Size label, free form', examples: ['M', '42'] })),
  material: Type.Optional(text({ description: 'Primary material', examples: ['ull'] })),
  gender: Type.Optional(
    Type.Enum(['mens', 'womens', 'unisex', 'kids'], { $id: 'Gender', description: 'For whom it is made' }),
  ),
});

/** Source: specification "vehicles". */
const vehiclesAttributes = Type.Object({
  registrationPlate: Type.Optional(
    text({
      description: 'Swedish registration plate; stored in upper case without spaces',
      maxLength: 20,
      format: 'registration-plate',
      examples: ['MLB 84A'],
    }),
  ),
  make: Type.Optional(text({ description: 'Brand', examples: ['Volvo'] })),
  model: Type.Optional(text({ description: 'Model name', examples: ['V70'] })),
  year: Type.Optional(modelYear()),
  mileageKm: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100_000_000, description: 'Odometer in km', examples: [182_300] }),
  ),
  fuelType: Type.Optional(
    Type.Enum(['petrol', 'diesel', 'electric', 'hybrid'], { $id: 'FuelType', description: 'Fuel' }),
  ),
  color: Type.Optional(text({ description: 'Body colour', examples: ['blå'] })),
});

/** Source: specification "watches". */
const watchesAttributes = Type.Object({
  brand: Type.Optional(text({ description: 'Watch brand', examples: ['Halda'] })),
  modelReference: Type.Optional(text({ description: 'Model reference number', examples: ['2005-31'] })),
  movementType: Type.Optional(
    Type.Enum(['automatic', 'quartz', 'manual'], { $id: 'MovementType', description: 'Movement' }),
  ),
  caseSizeMm: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'Case diameter in mm', examples: [38] }),
  ),
});

/**
 * The attributes of each rich domain beside its discriminant; a slug that isn't here is a unit domain.
 * `kind` in the domain table marks the same slugs (a test compares the two).
 */
export const domainAttributes: Readonly<Partial<Record<DomainSlug, TObject>>> = {
  auto_parts: autoPartsAttributes,
  vehicles: vehiclesAttributes,
  electronics: electronicsAttributes,
  computers: electronicsAttributes,
  fashion: fashionAttributes,
  books: booksAttributes,
  watches: watchesAttributes,
};

/** The slug in answers. */
export const domainSlugSchema = Type.Enum([...domainSlugs], {
  $id: 'DomainSlug',
  description: 'Domain of an item; `other` also for one that was pushed without',
});

/** `domain` of an item request in the interface document: one object per slug, selected by its inner `domain`. */
export const itemDomainSchema = Type.Unsafe<Record<string, unknown> & { domain: string }>({
  $id: 'ItemDomain',
  title: 'ItemDomain',
  description:
    'The classification of an item: the inner key `domain` is the slug and selects the valid attributes, all optional. ' +
    'Unknown attributes of a rich domain are ignored and named in `warnings`; a unit domain ignores every other field. ' +
    'Each slug and its aliases are accepted in any letter case, with dashes or spaces for underscores and without the dots ' +
    'of å, ä and ö; so are the labels of `GET /categories`. The empty text is `other`.',
  type: 'object',
  required: ['domain'],
  discriminator: { propertyName: 'domain' },
  oneOf: domainRows.map(domainVariant),
});

/** Each variant has a name, because a discriminator can only select named ones: `auto_parts` is `AutoPartsDomain`. */
function domainVariant(row: DomainRow): TSchema {
  const attributes = domainAttributes[row.slug]?.properties ?? {};
  return Type.Object(
    { domain: discriminant(row), ...attributes },
    { $id: `${nameOf(row.slug)}Domain`, title: row.labelEn, description: row.descriptionEn },
  );
}

/** Aliases are part of the type, because a client that is generated from the document refuses what the type leaves out. */
function discriminant({ slug, aliases }: DomainRow): TSchema {
  const description = `The slug \`${slug}\` or one of its aliases, which mean the same`;
  return Type.Enum([slug, ...aliases.filter((alias) => alias !== '')], { $id: `${nameOf(slug)}Slug`, description });
}

/** `auto_parts` → `AutoParts`. */
function nameOf(slug: DomainSlug): string {
  return slug.replaceAll(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
