import type { TSchema } from 'typebox';

type Json = Readonly<Record<string, unknown>>;
type Section = 'parameters' | 'headers' | 'responses';

/** `components` of the document: a part with a name is written once, and every use refers to it. */
export interface Components {
  /** Returns a reference for a schema with an `$id`, else the schema itself; also nested ones. */
  refer(schema: TSchema): unknown;
  /** Returns a reference to a part that several operations have. */
  share(section: Section, name: string, part: Json): Json;
  all(): Json;
}

/** Throws for two different parts with one name, because one would silently replace the other. */
export function createComponents(): Components {
  const schemas = new Map<string, { source: object; copy: unknown }>();
  const shared: Record<Section, Map<string, Json>> = {
    parameters: new Map(),
    headers: new Map(),
    responses: new Map(),
  };
  const refer = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(refer);
    if (typeof value !== 'object' || value === null) return value;
    const name = '$id' in value && typeof value.$id === 'string' ? value.$id : undefined;
    if (name === undefined) return copy(value);
    const known = schemas.get(name);
    if (known === undefined) {
      const entry: { source: object; copy: unknown } = { source: value, copy: undefined };
      schemas.set(name, entry);
      entry.copy = copy(value);
    } else if (known.source !== value && !isEqual(known.source, value)) {
      throw new Error(`two different schemas have the $id ${name}`);
    }
    return referenceTo('schemas', name);
  };
  const copy = (schema: object): unknown => {
    const copied = Object.entries(schema)
      .filter(([key, value]) => key !== '$id' && !isBooleanConstant(key, value))
      .map(([key, value]) => [key, refer(value)]);
    return Object.fromEntries([...typeOf(schema), ...copied, ...discriminatorOf(schema)]);
  };
  return {
    refer,
    share: (section, name, part) => {
      const known = shared[section].get(name) ?? part;
      if (!isEqual(known, part)) throw new Error(`two different ${section} have the name ${name}`);
      shared[section].set(name, part);
      return referenceTo(section, name);
    },
    all: () => ({
      schemas: byName([...schemas].map(([name, entry]) => [name, entry.copy])),
      ...Object.fromEntries(Object.entries(shared).map(([section, parts]) => [section, byName([...parts])])),
    }),
  };
}

const isEqual = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);

const byName = (parts: readonly (readonly [string, unknown])[]): Json =>
  Object.fromEntries(parts.toSorted(([one], [other]) => (one < other ? -1 : 1)));

const pathTo = (section: Section | 'schemas', name: string): string => `#/components/${section}/${name}`;

const referenceTo = (section: Section | 'schemas', name: string): Json => ({ $ref: pathTo(section, name) });

/**
 * The type of an enum's values. Go generators need it, because an enum without a type becomes `any`. The validator does
 * not use it: a wrong value would break two rules and give two messages.
 */
function typeOf(schema: object): [string, unknown][] {
  if ('type' in schema || !('enum' in schema) || !Array.isArray(schema.enum)) return [];
  return [['type', schema.enum.every((value) => Number.isInteger(value)) ? 'integer' : 'string']];
}

/** Java generators would write it as a text, which does not compile. */
const isBooleanConstant = (key: string, value: unknown): boolean => key === 'const' && typeof value === 'boolean';

/** The document needs the variant of each value; the validator finds it itself and accepts no mapping. */
function discriminatorOf(schema: object): [string, unknown][] {
  if (!('discriminator' in schema) || !('oneOf' in schema) || !Array.isArray(schema.oneOf)) return [];
  const propertyName = field(schema.discriminator, 'propertyName');
  const mapping = schema.oneOf.flatMap((variant: unknown) => {
    const name = field(variant, '$id');
    const values = valuesOf(field(field(variant, 'properties'), String(propertyName)));
    if (typeof name !== 'string' || values.length === 0)
      throw new Error('each variant of a discriminator needs an $id and values that select it');
    return values.map((value) => [value, pathTo('schemas', name)] as const);
  });
  return [['discriminator', { propertyName, mapping: Object.fromEntries(mapping) }]];
}

/** The texts that a constant or an enum allows. */
function valuesOf(schema: unknown): string[] {
  const allowed = field(schema, 'enum') ?? [field(schema, 'const')];
  return Array.isArray(allowed) ? allowed.filter((value) => typeof value === 'string') : [];
}

const field = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null ? Object.getOwnPropertyDescriptor(holder, name)?.value : undefined;
