import { closestMatch } from 'leven';
import type { FieldProblem } from '../features/rules/errors.ts';
import type { RequestWarning } from '../features/items/rules/item-content.ts';

/** A field that the schema does not name: its dotted path, and the names known where it stands. */
export interface UnknownField {
  readonly path: string;
  readonly known: readonly string[];
}

/** The fields of a body that its schema does not name. A schema that refuses them reports them itself. */
export function unknownBeside(schema: object, body: unknown): UnknownField[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  if (!('properties' in schema) || typeof schema.properties !== 'object' || schema.properties === null) return [];
  if ('additionalProperties' in schema) return [];
  const known = Object.keys(schema.properties);
  const names: ReadonlySet<string> = new Set(known);
  return Object.keys(body)
    .filter((name) => !names.has(name))
    .map((path) => ({ path, known }));
}

const namedMax = 20;
const nameLengthMax = 100;

/** One warning for each ignored field, bounded in number and length: a body may have a million of them. */
export const ignoredFields = (fields: readonly UnknownField[]): FieldProblem[] =>
  nameFields(fields, { one: 'is not a known field and is ignored', more: 'which are ignored' });

/** The same for a refused body, where a missing field may stand under a misspelt name. */
export const unknownFields = (fields: readonly UnknownField[]): FieldProblem[] =>
  nameFields(fields, { one: 'is not a known field', more: 'which are not listed' });

function nameFields(fields: readonly UnknownField[], { one, more }: { one: string; more: string }): FieldProblem[] {
  const named = fields.slice(0, namedMax).map(({ path, known }) => ({
    field: path.slice(0, nameLengthMax),
    message: `${one}${didYouMean(path.slice(path.lastIndexOf('.') + 1), known)}`,
  }));
  const left = fields.length - named.length;
  if (left > 0) named.push({ field: 'body', message: `has ${left} more unknown fields, ${more}` });
  return named;
}

/** `; did you mean title?`, or nothing when no known name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  if (name.length > nameLengthMax) return '';
  const plain = known.map(plainName);
  const closest = closestMatch(plainName(name), plain, { maxDistance: name.length < 4 ? 1 : 2 });
  const near = closest === undefined ? undefined : known[plain.indexOf(closest)];
  return near === undefined ? '' : `; did you mean ${near}?`;
}

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** One warning for each repeated name; `paths` are those below `prefix`, as readJson returns them. */
export const repeatedFields = (paths: readonly string[], prefix = ''): RequestWarning[] =>
  paths.filter((path) => path.startsWith(prefix)).map((path) => warningOf(path.slice(prefix.length)));

const warningOf = (path: string): RequestWarning =>
  path === ''
    ? { field: 'body', message: 'has a name more than once: the last one counts' }
    : { field: path, message: 'stands there more than once: the last one counts' };
