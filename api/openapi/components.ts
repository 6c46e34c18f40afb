import type { TSchema } from 'typebox';

type Json = Readonly<Record<string, unknown>>;

/** Collects schemas with an `$id` under `components/schemas`, each once, also nested ones. */
export interface Components {
  /** Returns a reference for a schema with an `$id`, else the schema itself. */
  refer(schema: TSchema): unknown;
  all(): Json;
}

/** Throws for two different schemas with one name, because one would silently replace the other. */
export function createComponents(): Components {
  const schemas = new Map<string, { source: object; copy: unknown }>();
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
    } else if (known.source !== value && JSON.stringify(known.source) !== JSON.stringify(value)) {
      throw new Error(`two different schemas have the $id ${name}`);
    }
    return { $ref: referenceTo(name) };
  };
  const copy = (schema: object): unknown => {
    const copied = Object.entries(schema)
      .filter(([key]) => key !== '$id')
      .map(([key, value]) => [key, refer(value)]);
    return Object.fromEntries([...copied, ...discriminatorOf(schema)]);
  };
  return {
    refer,
    all: () =>
      Object.fromEntries(
        [...schemas]
          .map(([name, entry]) => [name, entry.copy] as const)
          .sort(([one], [other]) => (one < other ? -1 : 1)),
      ),
  };
}

const referenceTo = (name: string): string => `#/components/schemas/${name}`;

/** The document needs the variant of each value; the validator finds it itself and accepts no mapping. */
function discriminatorOf(schema: object): [string, unknown][] {
  if (!('discriminator' in schema) || !('oneOf' in schema) || !Array.isArray(schema.oneOf)) return [];
  const propertyName = field(schema.discriminator, 'propertyName');
  const mapping = schema.oneOf.map((variant: unknown) => {
    const name = field(variant, '$id');
    const value = field(field(field(variant, 'properties'), String(propertyName)), 'const');
    if (typeof name !== 'string' || typeof value !== 'string')
      throw new Error('each variant of a discriminator needs an $id and a constant that selects it');
    return [value, referenceTo(name)] as const;
  });
  return [['discriminator', { propertyName, mapping: Object.fromEntries(mapping) }]];
}

const field = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null ? Object.getOwnPropertyDescriptor(holder, name)?.value : undefined;
