import type { RequestWarning } from '../../core/items/item-content.ts';

const namedMax = 20;
const nameLengthMax = 100;

/** One warning for each ignored field, bounded in number and length: a body may have a million of them. */
export function ignoredFields(paths: readonly string[]): RequestWarning[] {
  const warnings = paths.slice(0, namedMax).map((path) => ({
    field: path.slice(0, nameLengthMax),
    message: 'is not a known field and is ignored',
  }));
  const left = paths.length - warnings.length;
  if (left > 0) warnings.push({ field: 'body', message: `has ${left} more unknown fields, which are ignored` });
  return warnings;
}
