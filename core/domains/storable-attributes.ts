import type { ExtendedAttributes } from './flatten-domain.ts';

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
