export interface Attribute {
  /** Such as `vehicle · model year`. */
  readonly name: string;
  readonly value: string;
}

/** Written by the service beside the domain; what they say stands elsewhere on the page. */
const ownKeys: ReadonlySet<string> = new Set(['external_reference', 'source', 'schema_version', 'domain']);

/** The attributes of an item's domain, also nested ones, one line each. Values that are empty are left out. */
export function flattenAttributes(attributes: Readonly<Record<string, unknown>>): readonly Attribute[] {
  const own = Object.entries(attributes).filter(([key]) => !ownKeys.has(key));
  return own.flatMap(([key, value]) => linesOf(readable(key), value));
}

function linesOf(name: string, value: unknown): readonly Attribute[] {
  if (value === null || value === undefined || value === '') return [];
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return [{ name, value: value.join(', ') }];
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([key, inner]) => linesOf(`${name} · ${readable(key)}`, inner));
  return [{ name, value: typeof value === 'string' ? value : JSON.stringify(value) }];
}

/** `modelYear` and `model_year` as `model year`. */
const readable = (key: string): string =>
  key
    .replaceAll('_', ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase();
