import { problem, type FieldProblem } from '../../features/rules/field-problems.ts';
import type { ItemRequest } from '../../features/items/rules/item-content.ts';
import { termProblems } from '../../features/listings/rules/listing-terms.ts';
import { oreFromSek } from '../../features/rules/money.ts';
import { compileSchema, validationFailed } from '../compile-schema.ts';
import { withMeantAmounts } from '../fields.ts';
import { ignoredFields, unknownFields, type UnknownField } from '../unknown-fields.ts';
import { orePriceWarnings } from './change-requests.ts';
import {
  imageListNames,
  imagesMax,
  imageUrlsSchema,
  itemFieldsSchema,
  itemRequestSchema,
  nullableFieldNames,
  type ItemFields,
} from './item-request.ts';
import { readListingTerms, type TermsReading } from './listing-terms.ts';
import { readDomain, type DomainReading } from './read-domain.ts';

const itemFields = compileSchema(itemFieldsSchema);

/** Fields beside those of the item in the same object. */
export interface Besides {
  readonly names: readonly string[];
  /** What is wrong with them: refused together with the problems of the item. */
  readonly problems: readonly FieldProblem[];
}

/**
 * Validates and normalises the body of an upsert. Throws `VALIDATION_FAILED` with every problem at once. Lesser problems (unknown
 * fields, öre, repeated images) are returned as `warnings`. Only fields that the schema names are copied, so the body can't set
 * the service's own keys. Source: specification "Item", interface-decisions "Items".
 */
export function readItemRequest(sent: unknown, besides: Besides = { names: [], problems: [] }): ItemRequest {
  if (!isJsonObject(sent)) throw validationFailed([problem('body', 'not_json_object')]);
  const body = withMeantAmounts(itemFieldsSchema, knownPartOf(sent));
  const images = readImageUrls(body);
  const domain = readDomain(Object.hasOwn(body, 'domain') ? body['domain'] : undefined);
  const listing = readListingTerms(body['listing']);
  const unknown = [...unknownIn(sent, besides.names), ...domain.unknown];
  const others = [...images.problems, ...domain.problems, ...listing.problems];
  const isAccepted = itemFields.accepts(body);
  const problems = [...besides.problems, ...(isAccepted ? [] : itemFields.problems(body)), ...others];
  // A missing field may be among the unknown ones, under a misspelt name.
  if (!isAccepted || problems.length > 0) throw validationFailed([...problems, ...unknownFields(unknown)]);
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
    .map((path) => ({ path, known: [...besides, ...readFields] }));

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

function warningsOf(fields: ItemFields, { images, domain, unknown }: Reading): FieldProblem[] {
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

interface ImageUrlsReading {
  /** The field name under which the list was sent. */
  readonly name: string | undefined;
  /** In the order sent, each URL once. */
  readonly urls: readonly string[];
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly FieldProblem[];
}

const imageUrls = compileSchema(imageUrlsSchema);

/** Reads the image list under any of its names. Problems always name `imageUrls.N` (interface-decisions "Items"). */
function readImageUrls(body: Readonly<Record<string, unknown>>): ImageUrlsReading {
  const names = imageListNames.filter((name) => Object.hasOwn(body, name));
  const [name] = names;
  if (name === undefined) return refused([problem('imageUrls', 'required')]);
  if (names.length > 1)
    return refused([
      problem('imageUrls', isReadBack(body) ? 'images_read_back' : 'several_names', { names: names.join(', ') }),
    ]);
  const list = body[name];
  // Checked before the entries: there may be a million of them, each with its own problem.
  if (Array.isArray(list) && list.length > imagesMax)
    return refused([problem('imageUrls', 'too_many_entries', { max: imagesMax })]);
  if (!imageUrls.accepts(list)) return refused(imageUrls.problems(list, 'imageUrls'));
  const { urls, warnings } = withoutRepeats(list);
  return { name, urls, problems: [], warnings };
}

/** A list of objects is the `images` of `view=full`, sent back by the caller. */
const isReadBack = ({ images }: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(images) && images.some((entry) => typeof entry === 'object' && entry !== null);

const refused = (problems: readonly FieldProblem[]): ImageUrlsReading => ({
  name: undefined,
  urls: [],
  problems,
  warnings: [],
});

/** A repeated picture is a mistake of the sending system, but no reason to refuse the item: it is dropped with a warning. */
function withoutRepeats(list: readonly string[]): Pick<ImageUrlsReading, 'urls' | 'warnings'> {
  const urls = [...new Set(list)];
  if (urls.length === list.length) return { urls, warnings: [] };
  const warnings = list.flatMap((url, index) => {
    const first = list.indexOf(url);
    return first === index ? [] : [problem(`imageUrls.${index}`, 'repeated_image', { first })];
  });
  return { urls, warnings };
}
