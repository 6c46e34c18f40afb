import Type, { type Static } from 'typebox';
import { problem } from '../../features/rules/field-problems.ts';
import type { DomainSlug } from '../../features/rules/domains.ts';
import { resolveSlug } from '../../features/rules/domains.ts';
import { compileReader, validationFailed } from '../compile-schema.ts';
import { decimalNumber, text } from '../fields.ts';

export const markets = ['marketplace', 'service'] as const;

const marketSchema = Type.Enum([...markets], { $id: 'Market', description: 'Whose category ids are meant' });

/** Source: specification "Category conversion". Each side is the other of the two. */
export const conversionRequestSchema = Type.Object(
  {
    fromMarket: marketSchema,
    toMarket: marketSchema,
    externalId: text({
      description: 'Category id in the source market: a whole number on the marketplace, a slug of the service',
      maxLength: 100,
      examples: ['530'],
    }),
  },
  {
    $id: 'CategoryConversionRequest',
    title: 'CategoryConversionRequest',
    description: 'A category id of `fromMarket` to convert; `toMarket` is the other of the two',
  },
);

export const conversionSchema = Type.Object(
  {
    serviceCategory: Type.String({ description: 'Slug of the service', examples: ['fashion'] }),
    externalId: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Category id to publish in; null when converting from the marketplace',
    }),
    market: marketSchema,
    confidence: decimalNumber({
      description:
        '1 when the table of categories says so. 0.75 for a guess: a classification by name, `other` for an id that the ' +
        'service does not know, and the category for the slug `other`',
    }),
    aiConverted: Type.Boolean({ description: 'Whether the table had no answer, so that the category is a guess' }),
  },
  {
    $id: 'CategoryConversion',
    title: 'CategoryConversion',
    description:
      'The converted category; `market` is the one that `externalId` belongs to, the source market when converting from the marketplace',
  },
);
export type CategoryConversion = Static<typeof conversionSchema>;

/** The category to convert, by its source market. */
export type ConversionRequest =
  | { readonly from: 'marketplace'; readonly categoryId: number }
  | { readonly from: 'service'; readonly slug: DomainSlug };

const readBody = compileReader(conversionRequestSchema);

/** Throws `VALIDATION_FAILED`: equal markets, an unknown slug, an id that is no positive whole number. */
export function readConversionRequest(body: unknown): ConversionRequest {
  const { fromMarket, toMarket, externalId } = readBody(body);
  if (fromMarket === toMarket) throw validationFailed([problem('toMarket', 'same_market')]);
  if (fromMarket === 'marketplace') {
    if (!/^[1-9][0-9]*$/.test(externalId)) throw validationFailed([problem('externalId', 'not_category_number')]);
    return { from: fromMarket, categoryId: Number(externalId) };
  }
  const slug = resolveSlug(externalId);
  if (slug === undefined) throw validationFailed([problem('externalId', 'unknown_category')]);
  return { from: fromMarket, slug };
}

/** Source: specification "Category record". */
export const categoryRecordSchema = Type.Object(
  {
    slug: Type.String(),
    labelEn: Type.String(),
    labelSv: Type.String(),
    descriptionEn: Type.String(),
    searchFields: Type.Array(
      Type.Object(
        {
          key: Type.String(),
          labelSv: Type.String(),
          labelEn: Type.String(),
          fieldType: Type.String(),
          placeholder: Type.String(),
        },
        { $id: 'CategorySearchField', description: 'A search input of the category beside its text' },
      ),
    ),
  },
  { $id: 'Category' },
);

export const categoryListSchema = Type.Array(categoryRecordSchema, { $id: 'CategoryList' });

export type CategoryRecord = Static<typeof categoryRecordSchema>;
