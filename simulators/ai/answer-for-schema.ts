import { isObject } from '../kit/fields.ts';

const depthMax = 10;

/**
 * Any value that fits a JSON schema: the first of an enum, text from the prompt, the smallest number. A property that
 * the prompt contains as JSON keeps its value where the schema allows it. A text is tidied, so that a caller who asks
 * for a better text gets a harmless one.
 */
export function answerForSchema(schema: unknown, prompt: string): unknown {
  return valueFor(schema, { known: knownValues(prompt), prompt, depth: 0, root: schema });
}

interface Context {
  readonly known: Readonly<Record<string, unknown>>;
  readonly prompt: string;
  readonly depth: number;
  /** For `$ref`s. */
  readonly root: unknown;
  /** The property that the value is for. */
  readonly name?: string;
}

function valueFor(given: unknown, context: Context): unknown {
  const schema = resolve(given, context.root);
  if (!isObject(schema) || context.depth > depthMax) return null;
  if ('const' in schema) return schema.const;
  const known = context.name === undefined ? undefined : context.known[context.name];
  if (Array.isArray(schema.enum)) return schema.enum.includes(known) ? known : schema.enum[0];
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(alternatives)) return valueFor(alternatives[0], context);
  return typedValueFor(schema, context, known);
}

function typedValueFor(schema: Record<string, unknown>, context: Context, known: unknown): unknown {
  const type: unknown = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'object':
      return objectFor(schema, context);
    case 'array':
      return arrayFor(schema, context);
    case 'string':
      return typeof known === 'string'
        ? tidied(known, lengthMax(schema))
        : firstLine(context.prompt, lengthMax(schema));
    case 'number':
    case 'integer':
      return [known, schema.minimum].find((value) => typeof value === 'number') ?? 0;
    case 'boolean':
      return typeof known === 'boolean' ? known : false;
    default:
      return null;
  }
}

function objectFor(schema: Record<string, unknown>, context: Context): unknown {
  const properties = isObject(schema.properties) ? schema.properties : {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      valueFor(property, { ...context, name, depth: context.depth + 1 }),
    ]),
  );
}

function arrayFor(schema: Record<string, unknown>, context: Context): unknown {
  const count = typeof schema.minItems === 'number' ? Math.min(schema.minItems, 100) : 0;
  return Array.from({ length: count }, () => valueFor(schema.items, { ...context, depth: context.depth + 1 }));
}

const lengthMax = (schema: Record<string, unknown>): number =>
  typeof schema.maxLength === 'number' ? schema.maxLength : Number.MAX_SAFE_INTEGER;

function firstLine(text: string, max: number): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  return line.trim().slice(0, Math.min(max, 255));
}

/** Trims, removes double spaces, and makes the first letter a capital. Line breaks stay. */
function tidied(text: string, max: number): string {
  const clean = text
    .trim()
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n');
  return (clean.charAt(0).toLocaleUpperCase('sv') + clean.slice(1)).slice(0, max);
}

function resolve(schema: unknown, root: unknown): unknown {
  if (!isObject(schema) || typeof schema.$ref !== 'string') return schema;
  const path = schema.$ref.replace(/^#\/?/, '').split('/').filter(Boolean);
  return path.reduce<unknown>((place, name) => (isObject(place) ? place[name] : undefined), root);
}

/** The fields of the prompt when it is, or ends in, a JSON object. */
export function knownValues(prompt: string): Record<string, unknown> {
  const start = prompt.indexOf('{');
  if (start < 0) return {};
  try {
    const value: unknown = JSON.parse(prompt.slice(start, prompt.lastIndexOf('}') + 1));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
