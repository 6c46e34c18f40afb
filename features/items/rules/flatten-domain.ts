import type { ItemDomain } from './item-content.ts';
import { isDomainSlug, type DomainSlug } from '../../rules/domains.ts';

/** Where an item came from; set by the service, never by a request. */
export const itemSources = ['integration', 'marketplace', 'manual'] as const;
export type ItemSource = (typeof itemSources)[number];

/** Version of the attribute schemas, stamped on every write as `schema_version`. */
export const domainSchemaVersion = '1.0.0';

/** The keys of the flat form that belong to the service; no attribute may carry one of these names. */
export const serviceKeys = ['external_reference', 'source', 'schema_version', 'domain'] as const;

/** The service's own values in the extended attributes. */
export interface ServiceStamp {
  readonly externalReference: string;
  readonly source: ItemSource;
  readonly schemaVersion: string;
}

/** The stored and read form: the slug and the attributes side by side. Source: specification "Extended attributes". */
export interface ExtendedAttributes {
  readonly external_reference: string;
  readonly source: ItemSource;
  readonly schema_version: string;
  /** null when the request left the domain out (the item is classified `other`). */
  readonly domain: DomainSlug | null;
  readonly [attribute: string]: unknown;
}

/**
 * The flat form of a domain. The service's keys are written last (and first, for their order), so attributes
 * can't overwrite them whatever their names; spread copies a key `__proto__` as data.
 */
export function flattenDomain(domain: ItemDomain | null, stamp: ServiceStamp): ExtendedAttributes {
  const own = {
    external_reference: stamp.externalReference,
    source: stamp.source,
    schema_version: stamp.schemaVersion,
    domain: domain?.slug ?? null,
  };
  return { ...own, ...domain?.attributes, ...own };
}

/** Reverses {@link flattenDomain}. Throws an Error when the stored slug is not one of the 18: the stored data is damaged. */
export function unflattenDomain(stored: ExtendedAttributes): { domain: ItemDomain | null; stamp: ServiceStamp } {
  const { external_reference, source, schema_version, domain, ...attributes } = stored;
  const stamp = { externalReference: external_reference, source, schemaVersion: schema_version };
  if (domain === null) return { domain: null, stamp };
  if (!isDomainSlug(domain)) throw new Error(`stored domain ${JSON.stringify(domain)} is not a known slug`);
  return { domain: { slug: domain, attributes }, stamp };
}

/**
 * The flat form as it is safe to store. The keys of `catalogCodes` are the partner's own, and the database's driver gives
 * some of them a meaning: an object with `$ref` and `$id` comes back as a reference, one with `_bsontype` can't be written
 * at all. So they are stored as values, in a list of pairs, where nothing is special.
 */
export function storableAttributes(attributes: ExtendedAttributes): ExtendedAttributes {
  return withCatalogCodes(attributes, (codes) =>
    isObject(codes) ? Object.entries(codes).map(([system, code]: [string, unknown]) => ({ system, code })) : codes,
  );
}

/** Reverses {@link storableAttributes}: the same keys and values, in the same order. */
export function attributesFromStored(stored: ExtendedAttributes): ExtendedAttributes {
  return withCatalogCodes(stored, (pairs) =>
    Array.isArray(pairs) ? Object.fromEntries(pairs.filter(isPair).map(({ system, code }) => [system, code])) : pairs,
  );
}

function withCatalogCodes(attributes: ExtendedAttributes, convert: (codes: unknown) => unknown): ExtendedAttributes {
  const { part } = attributes;
  if (!isObject(part) || !('catalogCodes' in part)) return attributes;
  return { ...attributes, part: { ...part, catalogCodes: convert(part.catalogCodes) } };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isPair = (value: unknown): value is { system: string; code: unknown } =>
  isObject(value) && 'system' in value && typeof value.system === 'string' && 'code' in value;
