import type { ErrorObject } from 'ajv';

import type { FieldProblem } from '../core/errors.ts';
import { formats } from './formats.ts';
import { sekAmountKeyword, tooManyDecimals } from './number.ts';

/**
 * Translates the validator's errors to problems of the interface: dotted paths below `basePath` (`imageUrls.0`; `body` for
 * the whole) and messages for people.
 */
export function describeProblems(errors: readonly ErrorObject[], basePath = ''): FieldProblem[] {
  return errors
    .filter((error) => error.keyword !== 'propertyNames')
    .map((error) => ({ field: dottedPath(error, basePath), message: messageOf(error) }));
}

/** Long enough for every known field; keys of catalogCodes may have any length. */
const pathLengthMax = 200;

function dottedPath(error: ErrorObject, basePath: string): string {
  const steps = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const own = ownStep(error);
  const path = [...(basePath === '' ? [] : [basePath]), ...steps, ...(own === undefined ? [] : [own])].join('.');
  return path === '' ? 'body' : path.slice(0, pathLengthMax);
}

/** The field of a problem that the validator reports at the object instead. */
function ownStep(error: ErrorObject): string | undefined {
  if (error.keyword === 'required') return String(error.params['missingProperty']);
  if (error.keyword === 'additionalProperties') return String(error.params['additionalProperty']);
  return undefined;
}

function messageOf(error: ErrorObject): string {
  const describe = messageOfKeyword.get(error.keyword);
  const message = describe === undefined ? (error.message ?? 'is not valid') : describe(error.params);
  return error.propertyName === undefined ? message : `has a key that ${message}`;
}

export const catalogCodesTooBig = 'must be at most 64 KB in total';

type Describe = (params: Readonly<Record<string, unknown>>) => string;

const messageOfKeyword: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  ['required', () => 'is required'],
  ['additionalProperties', () => 'is not a known field'],
  ['type', ({ type }) => `must be ${typeName(type)}`],
  ['minimum', ({ limit }) => `must be at least ${String(limit)}`],
  ['maximum', ({ limit }) => `must be at most ${String(limit)}`],
  ['minLength', ({ limit }) => (limit === 1 ? 'must not be empty' : `must be at least ${String(limit)} characters`)],
  ['maxLength', ({ limit }) => `must be at most ${String(limit)} characters`],
  ['minItems', ({ limit }) => `must have at least ${String(limit)} entries`],
  ['maxItems', ({ limit }) => `must have at most ${String(limit)} entries`],
  ['enum', ({ allowedValues }) => oneOf(allowedValues)],
  ['const', ({ allowedValue }) => `must be ${String(allowedValue)}`],
  ['format', ({ format }) => formatMessage(String(format))],
  ['pattern', ({ pattern }) => patternMessage(String(pattern))],
  ['x-max-bytes', () => catalogCodesTooBig],
  [sekAmountKeyword, () => tooManyDecimals],
]);

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

function typeName(type: unknown): string {
  const names = typeof type === 'string' ? type.split(',') : Array.isArray(type) ? type.map(String) : [];
  return names.map((name) => typeNames[name] ?? name).join(' or ');
}

function oneOf(allowed: unknown): string {
  const values = Array.isArray(allowed) ? allowed.map(String) : [];
  return values.length === 1 ? `must be ${values.join('')}` : `must be one of: ${values.join(', ')}`;
}

const isOwnFormat = (name: string): name is keyof typeof formats => Object.hasOwn(formats, name);

const formatMessage = (name: string): string =>
  isOwnFormat(name) ? formats[name].message : `must have the form of a ${name}`;

/** Characters of no width, which `\s` does not match: a text of these alone looks empty. */
export const invisible = String.raw`\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0F\uFEFF\uFFA0`;

/** Patterns of the schemas. Each has a message for people below. */
export const notBlankPattern = String.raw`^$|[^\s${invisible}]`;
export const schemaVersionPattern = '^[0-9]{1,6}\\.[0-9]{1,6}\\.[0-9]{1,6}$';
export const marketplaceUserIdPattern = '^[A-Za-z0-9_-]*$';

const patternMessages: ReadonlyMap<string, string> = new Map([
  [notBlankPattern, 'must not be blank'],
  [schemaVersionPattern, 'must have the form 1.0.0'],
  [marketplaceUserIdPattern, 'must have letters (A to Z), digits, _ and - only'],
]);

const patternMessage = (pattern: string): string => patternMessages.get(pattern) ?? `must match the pattern ${pattern}`;
