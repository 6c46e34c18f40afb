import { domainAttributes } from '../../schemas/item-domains/domain-attributes.ts';
import { itemRequestSchema } from '../../schemas/items/item-request.ts';

/** How the text of a cell becomes a value, by the field's types in the item schema. */
export type CellType = 'text' | 'number' | 'boolean' | 'addresses';

export interface ItemField {
  /** Place in the item: `['domain', 'part', 'oemNumber']`. */
  readonly path: readonly string[];
  readonly type: CellType;
}

type Schema = object;

/** Accepted names of the image list. */
const imageLists: ReadonlySet<string> = new Set(['imageUrls', 'images', 'image_urls']);

/**
 * Finds the field that a column's header names by its dotted path; undefined for none. `domain` alone is the slug, `imageUrls.0`
 * one address, and `imageUrls` several separated by `|`.
 */
export function findItemField(header: string): ItemField | undefined {
  if (header === 'externalId' || header === 'account') return { path: [header], type: 'text' };
  const [first = '', ...rest] = header.split('.');
  if (imageLists.has(first)) return imageField(first, rest);
  if (first === 'domain') return rest.length === 0 ? findItemField('domain.domain') : domainField(rest);
  const type = rest.length === 0 ? typeOf(childOf(itemRequestSchema, first)) : undefined;
  return type === undefined ? undefined : { path: [first], type };
}

/** Every path allowed as a header, for the hint on a misspelt one. */
export function itemFieldNames(): string[] {
  const own = Object.keys(itemRequestSchema.properties).filter((name) => name !== 'domain');
  const attributes = Object.values(domainAttributes).flatMap((schema) => leavesOf(schema, 'domain'));
  return [...new Set(['externalId', 'account', ...own, 'domain', ...attributes])];
}

function leavesOf(schema: Schema, path: string): string[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, child]) =>
    Object.keys(propertiesOf(child)).length === 0 ? [`${path}.${name}`] : leavesOf(child, `${path}.${name}`),
  );
}

function imageField(name: string, rest: readonly string[]): ItemField | undefined {
  const [index, ...more] = rest;
  if (index === undefined) return { path: [name], type: 'addresses' };
  return more.length === 0 && /^\d{1,2}$/.test(index) ? { path: [name, index], type: 'text' } : undefined;
}

/** Several domains may share an attribute name. Type text wins, because it accepts every value unchanged. */
function domainField(path: readonly string[]): ItemField | undefined {
  if (path.length === 1 && path[0] === 'domain') return { path: ['domain', 'domain'], type: 'text' };
  const found = Object.values(domainAttributes).flatMap((schema) => attributeAt(schema, path));
  const [field] = found.toSorted((one, other) => Number(other.type === 'text') - Number(one.type === 'text'));
  return field && { ...field, path: ['domain', ...field.path] };
}

/** A map key (catalogue codes) may contain dots, so the whole rest is the key. */
function attributeAt(schema: Schema, path: readonly string[]): ItemField[] {
  const [name = '', ...rest] = path;
  const child = childOf(schema, name);
  if (child === undefined) return [];
  if (rest.length === 0) {
    const type = typeOf(child);
    return type === undefined ? [] : [{ path, type }];
  }
  if (isSchema(keyword(child, 'additionalProperties'))) return [{ path: [name, rest.join('.')], type: 'text' }];
  return attributeAt(child, rest).map((field) => ({ ...field, path: [name, ...field.path] }));
}

function typeOf(schema: Schema | undefined): CellType | undefined {
  if (schema === undefined) return undefined;
  const type = keyword(schema, 'type');
  const types = Array.isArray(type) ? type : [type];
  if (types.includes('number') || types.includes('integer')) return 'number';
  if (types.includes('boolean')) return 'boolean';
  return types.includes('object') || types.includes('array') ? undefined : 'text';
}

function childOf(schema: Schema, name: string): Schema | undefined {
  const properties = propertiesOf(schema);
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  const properties = keyword(schema, 'properties');
  if (!isSchema(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).filter((entry): entry is [string, Schema] => isSchema(entry[1])),
  );
}

const keyword = (schema: Schema, name: string): unknown => new Map(Object.entries(schema)).get(name);

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
