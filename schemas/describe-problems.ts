import type { ErrorObject } from 'ajv';

import type { FieldProblem } from '../features/rules/errors.ts';
import { showUnseen } from '../features/rules/unseen-text.ts';
import { formats, type TextFormat } from './formats.ts';
import { sekAmountKeyword, tooManyDecimals } from './fields.ts';
import { didYouMean } from './unknown-fields.ts';

/**
 * Translates the validator's errors to problems of the interface: dotted paths below `basePath` (`imageUrls.0`; `body` for
 * the whole) and messages for people.
 */
export function describeProblems(errors: readonly ErrorObject[], basePath = ''): FieldProblem[] {
  return errors
    .filter((error) => error.keyword !== 'propertyNames')
    .map((error) => ({ field: dottedPath(error, basePath), message: messageOf(error) }));
}

/** Longer than every known field; the keys of catalogCodes may have any length. */
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
  const message = describe === undefined ? (error.message ?? 'is not valid') : describe(error.params, error);
  return error.propertyName === undefined ? message : `has a key that ${message}`;
}

export const catalogCodesTooBig = 'must be at most 64 KB in total';

type Describe = (
  params: Readonly<Record<string, unknown>>,
  error: Pick<ErrorObject, 'data' | 'parentSchema'>,
) => string;

const messageOfKeyword: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  ['required', () => 'is required'],
  [
    'additionalProperties',
    ({ additionalProperty }, { parentSchema }) =>
      `is not a known field${didYouMean(String(additionalProperty), namesIn(parentSchema))}`,
  ],
  ['type', ({ type }, error) => `must be ${typeName(type)}${typeAdvice(String(type), error)}`],
  ['minimum', ({ limit }) => `must be at least ${String(limit)}`],
  ['maximum', ({ limit }) => `must be at most ${String(limit)}`],
  ['minLength', ({ limit }) => (limit === 1 ? 'must not be empty' : `must be at least ${String(limit)} characters`)],
  ['maxLength', ({ limit }) => `must be at most ${String(limit)} characters`],
  ['minItems', ({ limit }) => `must have at least ${entries(limit)}`],
  ['maxItems', ({ limit }) => `must have at most ${entries(limit)}`],
  ['enum', ({ allowedValues }) => oneOf(allowedValues)],
  ['const', ({ allowedValue }) => `must be ${String(allowedValue)}`],
  ['format', ({ format }, { data }) => formatMessage(String(format), data)],
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

const entries = (count: unknown): string => (count === 1 ? '1 entry' : `${String(count)} entries`);

const shownMax = 40;

/**
 * Advice for a value of the wrong type. The value itself is repeated only where a number or a boolean is expected,
 * because no secret stands there.
 */
function typeAdvice(type: string, { data, parentSchema }: Pick<ErrorObject, 'data' | 'parentSchema'>): string {
  const value: unknown = data;
  if (typeof value === 'number' && /string/.test(type)) return ': put it in double quotes';
  if (typeof value !== 'string') return '';
  if (/array/.test(type)) return ', also with one entry: put it in [ ]';
  if (/number|integer/.test(type)) return `, not the text "${cut(value)}"${numberAdvice(value)}`;
  if (/boolean/.test(type)) return `, not the text "${cut(value)}": send true or false without quotes`;
  const [only, ...more] = requiredIn(parentSchema);
  if (!/object/.test(type) || only === undefined || more.length > 0) return '';
  return `, such as ${JSON.stringify({ [only]: cut(value) })}`;
}

const cut = (text: string): string => showUnseen(text.length > shownMax ? `${text.slice(0, shownMax)}…` : text);

/** A separator before three digits may separate thousands or decimals, so no number is suggested. */
function numberAdvice(text: string): string {
  const plain = text.length > shownMax ? '' : text.replace(',', '.');
  const isClear = /^-?\d+(\.\d+)?$/.test(plain) && !/^-?[1-9]\d{0,2}\.\d{3}$/.test(plain);
  return isClear
    ? `: send ${plain} without quotes`
    : ': send digits without quotes, with a point before decimals, such as 1499.50';
}

const namesIn = (schema: unknown): string[] =>
  isSchema(schema) && isSchema(schema.properties) ? Object.keys(schema.properties) : [];

const requiredIn = (schema: unknown): readonly string[] =>
  isSchema(schema) && Array.isArray(schema.required) ? schema.required.map(String) : [];

interface AnySchema {
  readonly properties?: unknown;
  readonly required?: unknown;
}

const isSchema = (value: unknown): value is AnySchema => typeof value === 'object' && value !== null;

function oneOf(allowed: unknown): string {
  const values = Array.isArray(allowed) ? allowed.map(String) : [];
  return values.length === 1 ? `must be ${values.join('')}` : `must be one of: ${values.join(', ')}`;
}

const isOwnFormat = (name: string): name is keyof typeof formats => Object.hasOwn(formats, name);

function formatMessage(name: string, value: unknown): string {
  if (!isOwnFormat(name)) return standardFormats.get(name) ?? `must have the form of a ${name}`;
  const format: TextFormat = formats[name];
  const reason = typeof value === 'string' ? format.reason?.(value) : undefined;
  return reason === undefined ? format.message : `${format.message}: ${reason}`;
}

const standardFormats: ReadonlyMap<string, string> = new Map([
  ['date-time', 'must be an ISO 8601 time such as 2026-11-21T12:00:00Z'],
  ['uuid', 'must be a UUID such as 0c3ad6ab-4d3c-4a3e-9a44-0d2f6f0b1c55'],
]);

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
