import { isObject, Refusal } from '../kit/fields.ts';

/**
 * OpenAI's rules for `strict: true`, from its guide to structured outputs: the root is an object, each object names all of its
 * properties as required and allows no others. Throws the 400.
 */
export function requireStrictSchema(format: unknown): void {
  const wrapper = isObject(format) ? format.json_schema : undefined;
  if (!isObject(wrapper)) return;
  if (typeof wrapper.name !== 'string' || !/^[\w-]{1,64}$/.test(wrapper.name))
    throw invalid('json_schema.name must be 1 to 64 letters, digits, underscores and hyphens');
  if (wrapper.strict !== true) return;
  if (!isObject(wrapper.schema) || wrapper.schema.type !== 'object') throw invalid('the schema must be of type object');
  requireStrict(wrapper.schema, 'schema');
}

function requireStrict(schema: unknown, place: string): void {
  if (Array.isArray(schema)) schema.forEach((one, index) => requireStrict(one, `${place}.${index}`));
  if (!isObject(schema)) return;
  const { properties, required } = schema;
  if (isObject(properties)) {
    const names = Object.keys(properties);
    const isComplete = Array.isArray(required) && names.every((name) => required.includes(name));
    if (!isComplete) throw invalid(`${place}.required must name every property`);
    if (schema.additionalProperties !== false) throw invalid(`${place}.additionalProperties must be false`);
    for (const name of names) requireStrict(properties[name], `${place}.properties.${name}`);
  }
  for (const name of ['items', 'anyOf', '$defs']) requireStrict(schema[name], `${place}.${name}`);
}

const invalid = (message: string): Refusal =>
  new Refusal(400, 'invalid_json_schema', `Invalid schema for response_format: ${message}`);
