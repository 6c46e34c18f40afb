import Type, { type TSchema } from 'typebox';

/**
 * Dotted paths of what a value has and its schema does not name: answers and events stay open so that they may gain fields, yet a
 * field that is sent today and described nowhere was forgotten or renamed.
 */
export function unnamedKeys(schema: TSchema, value: unknown, path = ''): string[] {
  if (Type.IsArray(schema) && Array.isArray(value))
    return value.flatMap((child, index) => unnamedKeys(schema.items, child, `${path}${index}.`));
  if (!Type.IsObject(schema) || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const known = schema.properties[key];
    return known === undefined ? [`${path}${key}`] : unnamedKeys(known, child, `${path}${key}.`);
  });
}
