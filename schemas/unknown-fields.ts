import { closestMatch } from 'leven';
import { problem, type FieldProblem } from '../features/rules/field-problems.ts';

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
  nameFields(fields, { one: 'ignored_field', more: 'more_ignored_fields' });

/** The same for a refused body, where a missing field may stand under a misspelt name. */
export const unknownFields = (fields: readonly UnknownField[]): FieldProblem[] =>
  nameFields(fields, { one: 'unknown_field', more: 'more_unknown_fields' });

interface Codes {
  readonly one: 'ignored_field' | 'unknown_field';
  readonly more: 'more_ignored_fields' | 'more_unknown_fields';
}

function nameFields(fields: readonly UnknownField[], { one, more }: Codes): FieldProblem[] {
  const named = fields
    .slice(0, namedMax)
    .map(({ path, known }) =>
      problem(path.slice(0, nameLengthMax), one, nearest(path.slice(path.lastIndexOf('.') + 1), known)),
    );
  const left = fields.length - named.length;
  return left > 0 ? [...named, problem('body', more, { count: left })] : named;
}

/** The known name that was probably meant, if one is near. */
export function nearest(name: string, known: readonly string[]): { suggestion?: string } {
  if (name.length > nameLengthMax) return {};
  const plain = known.map(plainName);
  const closest = closestMatch(plainName(name), plain, { maxDistance: name.length < 4 ? 1 : 2 });
  const suggestion = closest === undefined ? undefined : known[plain.indexOf(closest)];
  return suggestion === undefined ? {} : { suggestion };
}

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** One warning for each repeated name; `paths` are those below `prefix`, as readJson returns them. */
export const repeatedFields = (paths: readonly string[], prefix = ''): FieldProblem[] =>
  paths
    .filter((path) => path.startsWith(prefix))
    .map((path) =>
      path === prefix ? problem('body', 'repeated_names') : problem(path.slice(prefix.length), 'repeated_field'),
    );
