import Type, { type Static, type TSchema } from 'typebox';

import { quantityMax } from '../../features/items/rules/item-content.ts';
import { notBlankPattern, schemaVersionPattern } from '../validation-error.ts';
import { itemDomainSchema } from '../item-domains/item-domain.ts';
import { listingTermsSchema } from './listing-terms.ts';
import { currencySchema, decimalNumber, sekAmount, text } from '../fields.ts';

export const imagesMax = 10;
export const descriptionLengthMax = 20_000;

/** Other names under which the image list is accepted; problems always name `imageUrls`. */
export const imageListNames = ['imageUrls', 'images', 'image_urls'] as const;

export const priceSchema = sekAmount({
  minimum: 1,
  description: 'Starting price in SEK with at most two decimals; the marketplace gets whole kronor, rounded half up',
  examples: [149.5],
});

export const imageUrlsSchema = Type.Array(Type.String({ maxLength: 2_048, format: 'https-url' }), {
  maxItems: imagesMax,
  description:
    'HTTPS URLs of the images, downloaded and hosted by the service; may be empty. Also accepted under the name `images` ' +
    'or `image_urls` instead, under one name only.',
  // Optional fields beside a required one would have another meaning, and a union of three requests is inconvenient in
  // typed languages.
  'x-aliases': imageListNames.slice(1),
  examples: [['https://images.example.com/1.jpg']],
});

/** A number of pieces, 0 to {@link quantityMax}. */
export const quantitySchema = (description: string) =>
  Type.Integer({ minimum: 0, maximum: quantityMax, description, examples: [3] });

const fields = {
  title: text({
    description: 'Title, one line without control characters',
    minLength: 1,
    pattern: notBlankPattern,
    format: 'title',
    examples: ['Bromsskiva fram Volvo V70'],
  }),
  description: Type.Optional(text({ description: 'Description in plain text', maxLength: descriptionLengthMax })),
  price: priceSchema,
  shippingCost: Type.Optional(
    sekAmount({
      minimum: 0,
      description: 'Flat shipping in SEK with at most two decimals; 0 means free shipping',
      examples: [79],
    }),
  ),
  weightKg: Type.Optional(
    decimalNumber({ minimum: 0, maximum: 100_000, description: 'Weight in kg, for shipping', examples: [4.2] }),
  ),
  quantity: Type.Optional(
    quantitySchema(
      'How many there are now, sold by one auction after the other. Left out, or null: one thing, or the number that is known already',
    ),
  ),
  currency: Type.Optional(currencySchema),
  schemaVersion: Type.Optional(
    Type.String({
      maxLength: 20,
      pattern: schemaVersionPattern,
      description: 'Version of the domain schemas the caller has in mind; the service stamps its own when it writes',
      examples: ['1.0.0'],
    }),
  ),
  autoPublishTradera: Type.Optional(
    Type.Boolean({
      description:
        'Publish on the marketplace when the images are ready; counts only when the item is created. False when left out',
    }),
  ),
  refreshImages: Type.Optional(
    Type.Boolean({
      description:
        '`true`: fetch images again that are hosted already, because there are other ones under the same URLs now. One that can’t be fetched stays as it is. Not stored: it counts for this push',
    }),
  ),
  useAiEnhancement: Type.Optional(
    Type.Boolean({ description: 'Let AI improve title and description; false when left out' }),
  ),
};

/**
 * null counts as left out in these fields, because many serializers write it for missing values (interface-decisions "Items").
 */
export const nullableFieldNames = [
  'description',
  'shippingCost',
  'weightKg',
  'quantity',
  'currency',
  'schemaVersion',
  'autoPublishTradera',
  'refreshImages',
  'useAiEnhancement',
] as const satisfies readonly (keyof typeof fields)[];

const nullableFields = Object.fromEntries(
  nullableFieldNames.map((name) => [name, Type.Optional(orNull(fields[name]))]),
);

/** A type list instead of a union, so that the document shows one field with one description; but a named schema keeps its name. */
function orNull(schema: TSchema): TSchema {
  const { type, ...rest }: { type?: unknown } = schema;
  return '$id' in schema ? Type.Union([schema, Type.Null()]) : Type.Unsafe({ ...rest, type: [type, 'null'] });
}

/** The body of `PUT /integration/v1/items/{external_id}` in the interface document. Source: specification "Item". */
export const itemRequestSchema = Type.Object(
  {
    ...fields,
    ...nullableFields,
    imageUrls: imageUrlsSchema,
    domain: Type.Optional(
      Type.Union([itemDomainSchema, Type.Null()], { description: 'Left out or null: the item is classified `other`' }),
    ),
    listing: Type.Optional(
      Type.Union([listingTermsSchema, Type.Null()], {
        description: 'Left out or null: the terms of the account, else the standard ones',
      }),
    ),
  },
  {
    $id: 'ItemRequest',
    title: 'ItemRequest',
    description:
      'An item as the external system describes it. Unknown fields are ignored and named in `warnings`; null in an optional ' +
      'field means left out.',
  },
);

/**
 * The fields that the reader validates first. The image list is missing, because it has three names. Of the domain only the
 * discriminant is checked, because the slug must be resolved before its attributes can be checked.
 */
export const itemFieldsSchema = Type.Object({
  ...fields,
  domain: Type.Optional(
    Type.Unsafe<{ domain: string } | null>({
      type: ['object', 'null'],
      required: ['domain'],
      properties: { domain: { type: 'string', maxLength: 100 } },
    }),
  ),
});
export type ItemFields = Static<typeof itemFieldsSchema>;
