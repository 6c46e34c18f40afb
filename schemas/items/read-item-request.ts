import type { FieldProblem } from '../../core/errors.ts';
import type { ItemRequest, RequestWarning } from '../../core/items/item-content.ts';
import { termProblems } from '../../core/listings/listing-terms.ts';
import { oreFromSek } from '../../core/money.ts';
import { compileSchema, validationFailed } from '../compile-schema.ts';
import {
  imageListNames,
  itemFieldsSchema,
  itemRequestSchema,
  nullableFieldNames,
  type ItemFields,
} from './item-request.ts';
import { orePriceWarnings } from './ore-warning.ts';
import { readDomain, type DomainReading } from './read-domain.ts';
import { readListingTerms, type TermsReading } from './listing-terms.ts';
import { readImageUrls, type ImageUrlsReading } from './read-image-urls.ts';
import { ignoredFields, unknownFields, type UnknownField } from '../unknown-fields.ts';

const itemFields = compileSchema(itemFieldsSchema);

/**
 * Validates and normalises the body of an upsert. Throws `VALIDATION_FAILED` with every problem at once. Lesser problems (unknown
 * fields, öre, repeated images) are returned as `warnings`. Only fields that the schema names are copied, so the body can't set
 * the service's own keys. `besides` names fields beside the item in the same object. Source: specification "Item",
 * interface-decisions "Items".
 */
export function readItemRequest(sent: unknown, besides: readonly string[] = []): ItemRequest {
  if (!isJsonObject(sent)) throw validationFailed([{ field: 'body', message: 'must be a JSON object' }]);
  const body = knownPartOf(sent);
  const images = readImageUrls(body);
  const domain = readDomain(Object.hasOwn(body, 'domain') ? body['domain'] : undefined);
  const listing = readListingTerms(body['listing']);
  const unknown = [...unknownIn(sent, besides), ...domain.unknown];
  const problems: readonly FieldProblem[] = [...images.problems, ...domain.problems, ...listing.problems];
  const isAccepted = itemFields.accepts(body);
  // What is unknown may be what is missing, under a misspelt name.
  if (!isAccepted || problems.length > 0)
    throw validationFailed([...(isAccepted ? [] : itemFields.problems(body)), ...problems, ...unknownFields(unknown)]);
  return consistent(itemRequest(body, { images, domain, listing, unknown }));
}

/** Throws `VALIDATION_FAILED` when terms and price contradict each other. */
function consistent(request: ItemRequest): ItemRequest {
  const { listing, priceOre } = request.content;
  const problems = listing === null ? [] : termProblems(listing, priceOre);
  if (problems.length > 0) throw validationFailed(problems);
  return request;
}

const unknownIn = (sent: Record<string, unknown>, besides: readonly string[]): UnknownField[] =>
  Object.keys(sent)
    .filter((name) => !readNames.has(name) && !besides.includes(name))
    .map((path) => ({ path, known: readFields }));

interface Reading {
  readonly images: ImageUrlsReading;
  readonly domain: DomainReading;
  readonly listing: TermsReading;
  readonly unknown: readonly UnknownField[];
}

function itemRequest(fields: ItemFields, reading: Reading): ItemRequest {
  const { images, domain, listing } = reading;
  const { title, description = '', price, shippingCost, weightKg = null } = fields;
  return {
    content: {
      title,
      description,
      priceOre: oreFromSek(price),
      // Adding 0 turns -0 into 0: -0 would count as another value and be stored.
      shippingCostOre: shippingCost === undefined ? null : oreFromSek(shippingCost) + 0,
      weightKg: weightKg === null ? null : weightKg + 0,
      currency: 'SEK',
      imageUrls: images.urls,
      domain: domain.domain,
      useAiEnhancement: fields.useAiEnhancement ?? false,
      listing: listing.terms,
      quantity: fields.quantity ?? null,
    },
    autoPublish: fields.autoPublishTradera ?? false,
    ...(fields.refreshImages === true && { refreshImages: true }),
    warnings: warningsOf(fields, reading),
  };
}

function warningsOf(fields: ItemFields, { images, domain, unknown }: Reading): RequestWarning[] {
  return [
    ...ignoredFields(unknown),
    ...images.warnings,
    ...domain.warnings,
    ...orePriceWarnings('price', fields.price),
    ...orePriceWarnings('shippingCost', fields.shippingCost),
  ];
}

const nullable: ReadonlySet<string> = new Set(nullableFieldNames);

const readNames: ReadonlySet<string> = new Set([...Object.keys(itemRequestSchema.properties), ...imageListNames]);
const readFields = [...readNames];

/** The body without nulls that count as left out, and without unknown fields, of which there may be a hundred thousand. */
const knownPartOf = (sent: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    readFields
      .filter((name) => Object.hasOwn(sent, name) && (sent[name] !== null || !nullable.has(name)))
      .map((name) => [name, sent[name]]),
  );

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
