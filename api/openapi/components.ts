import type { TSchema } from 'typebox';

/** Collects schemas that have an `$id` under `components/schemas`, each once, wherever they are nested. */
export interface Components {
  /** The schema as it stands in the document: a reference when it has a name, else itself. */
  refer(schema: TSchema): unknown;
  all(): Readonly<Record<string, unknown>>;
}

export function createComponents(): Components {
  const schemas = new Map<string, unknown>();
  const refer = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(refer);
    if (typeof value !== 'object' || value === null) return value;
    const name = '$id' in value && typeof value.$id === 'string' ? value.$id : undefined;
    if (name === undefined) return copy(value);
    if (!schemas.has(name)) {
      schemas.set(name, undefined);
      schemas.set(name, copy(value));
    }
    return { $ref: `#/components/schemas/${name}` };
  };
  const copy = (schema: object): unknown =>
    Object.fromEntries(
      Object.entries(schema)
        .filter(([key]) => key !== '$id')
        .map(([key, value]) => [key, refer(value)]),
    );
  return {
    refer,
    all: () => Object.fromEntries([...schemas].sort(([one], [other]) => one.localeCompare(other))),
  };
}
