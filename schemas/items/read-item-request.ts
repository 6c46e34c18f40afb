import type { FieldProblem } from '../../core/errors.ts';
import type { ItemRequest, RequestWarning } from '../../core/items/item-content.ts';
import { oreFromSek } from '../../core/money.ts';
import { compileSchema, validationFailed } from '../compile-schema.ts';
import { itemFieldsSchema, itemRequestSchema, nullableFieldNames, type ItemFields } from './item-request.ts';
import { orePriceWarnings } from './ore-warning.ts';
import { readDomain, type DomainReading } from './read-domain.ts';
import { readImageUrls, type ImageUrlsReading } from './read-image-urls.ts';
import { ignoredFields } from './ignored-fields.ts';

const itemFields = compileSchema(itemFieldsSchema);

/**
 * The body of an upsert, checked and normalised. Throws `VALIDATION_FAILED` with every problem at once; what is only
 * worth a word (unknown fields, öre, repeated images) comes back as `warnings`. Nothing of the body but what the
 * schema names gets through, and the service's own keys can't be set by it. Source: specification "Item", decisions "Items".
 */
export function readItemRequest(sent: unknown): ItemRequest {
  if (!isJsonObject(sent)) throw validationFailed([{ field: 'body', message: 'must be a JSON object' }]);
  const body = withoutNulls(sent);
  const images = readImageUrls(body);
  const domain = readDomain(Object.hasOwn(body, 'domain') ? body['domain'] : undefined);
  const problems: FieldProblem[] = [];
  if (itemFields.accepts(body)) {
    problems.push(...images.problems, ...domain.problems);
    if (problems.length === 0) return itemRequest(body, images, domain);
  } else {
    problems.push(...itemFields.problems(body), ...images.problems, ...domain.problems);
  }
  throw validationFailed(problems);
}

function itemRequest(fields: ItemFields, images: ImageUrlsReading, domain: DomainReading): ItemRequest {
  const { title, description = '', price, shippingCost, weightKg = null } = fields;
  return {
    content: {
      title,
      description,
      priceOre: oreFromSek(price),
      // Adding 0 makes 0 of -0, which would count as another value and be stored as such.
      shippingCostOre: shippingCost === undefined ? null : oreFromSek(shippingCost) + 0,
      weightKg: weightKg === null ? null : weightKg + 0,
      currency: 'SEK',
      imageUrls: images.urls,
      domain: domain.domain,
      useAiEnhancement: fields.useAiEnhancement ?? false,
    },
    autoPublish: fields.autoPublishTradera ?? false,
    warnings: warningsOf(fields, images, domain),
  };
}

const knownFields: ReadonlySet<string> = new Set(Object.keys(itemRequestSchema.properties));

function warningsOf(fields: ItemFields, images: ImageUrlsReading, domain: DomainReading): RequestWarning[] {
  const unknown = Object.keys(fields).filter((name) => !knownFields.has(name) && name !== images.name);
  return [
    ...ignoredFields([...unknown, ...domain.ignored]),
    ...images.warnings,
    ...domain.warnings,
    ...orePriceWarnings('price', fields.price),
    ...orePriceWarnings('shippingCost', fields.shippingCost),
  ];
}

const nullable: ReadonlySet<string> = new Set(nullableFieldNames);

const withoutNulls = (sent: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(sent).filter(([name, value]) => value !== null || !nullable.has(name)));

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
