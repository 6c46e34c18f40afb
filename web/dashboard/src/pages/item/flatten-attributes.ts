export interface Attribute {
  /** For example `vehicle · model year`. */
  readonly name: string;
  readonly value: string;
}

/** Written by the service next to the domain; other parts of the page show them. */
const ownKeys: ReadonlySet<string> = new Set(['external_reference', 'source', 'schema_version', 'domain']);

/** The attributes of an item's domain, nested ones included, one line each. Empty values are left out. */
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
