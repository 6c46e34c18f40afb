import type { ErrorObject } from 'ajv';

import { told, type FieldProblem, type Told } from '../features/rules/field-problems.ts';
import { showUnseen } from '../features/rules/unseen-text.ts';
import { formats } from './formats.ts';
import { sekAmountKeyword } from './fields.ts';
import { nearest } from './unknown-fields.ts';

/**
 * Translates the validator's errors to problems of the interface: dotted paths below `basePath` (`imageUrls.0`; `body` for
 * the whole) and what is wrong there.
 */
export function describeProblems(errors: readonly ErrorObject[], basePath = ''): FieldProblem[] {
  return errors
    .filter((error) => error.keyword !== 'propertyNames')
    .map((error) => ({ field: dottedPath(error, basePath), ...toldOf(error) }));
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

function toldOf(error: ErrorObject): Told {
  if (error.propertyName !== undefined) return told('key_not_text');
  return (
    toldOfKeyword.get(error.keyword)?.(error.params, error) ??
    told('not_valid', { rule: error.message ?? 'is not valid' })
  );
}

type Tell = (
  params: Readonly<Record<string, unknown>>,
  error: Pick<ErrorObject, 'data' | 'schema' | 'parentSchema'>,
) => Told;

const toldOfKeyword: ReadonlyMap<string, Tell> = new Map<string, Tell>([
  ['required', () => told('required')],
  [
    'additionalProperties',
    ({ additionalProperty }, { parentSchema }) =>
      told('unknown_field', nearest(String(additionalProperty), namesIn(parentSchema))),
  ],
  ['type', ({ type }, error) => wrongType(String(type).replaceAll(',', ' or '), error)],
  ['minimum', ({ limit }) => told('too_small', { min: Number(limit) })],
  ['maximum', ({ limit }) => told('too_large', { max: Number(limit) })],
  ['minLength', ({ limit }) => (limit === 1 ? told('empty') : told('too_short', { min: Number(limit) }))],
  ['maxLength', ({ limit }) => told('too_long', { max: Number(limit) })],
  ['minItems', ({ limit }) => told('too_few_entries', { min: Number(limit) })],
  ['maxItems', ({ limit }) => told('too_many_entries', { max: Number(limit) })],
  ['minProperties', ({ limit }) => told('too_few_fields', { min: Number(limit) })],
  ['enum', ({ allowedValues }) => notAllowed(allowedValues)],
  ['const', ({ allowedValue }) => told('not_the_value', { value: String(allowedValue) })],
  ['format', ({ format }, { data }) => wrongFormat(String(format), data)],
  [
    'pattern',
    ({ pattern }) => toldOfPattern.get(String(pattern)) ?? told('wrong_pattern', { pattern: String(pattern) }),
  ],
  ['x-max-bytes', (_, { schema }) => told('too_many_bytes', { maxKb: Number(schema) / 1024 })],
  [sekAmountKeyword, () => told('too_many_decimals')],
]);

const shownMax = 40;

/**
 * A value of the wrong type. The value itself is repeated only where a number or a boolean is expected, because no secret
 * stands there.
 */
function wrongType(type: string, { data, parentSchema }: Pick<ErrorObject, 'data' | 'parentSchema'>): Told {
  const value: unknown = data;
  if (typeof value === 'number' && type.includes('string')) return told('number_for_text', { type });
  if (typeof value !== 'string') return told('wrong_type', { type });
  const text = cut(value);
  if (type.includes('array')) return told('text_for_list', { type });
  if (/number|integer/.test(type)) return told('text_for_number', { type, text, ...numberIn(value) });
  if (type.includes('boolean')) return told('text_for_boolean', { type, text });
  const [only, ...more] = requiredIn(parentSchema);
  if (!type.includes('object') || only === undefined || more.length > 0) return told('wrong_type', { type });
  return told('text_for_object', { type, example: JSON.stringify({ [only]: text }) });
}

const cut = (text: string): string => showUnseen(text.length > shownMax ? `${text.slice(0, shownMax)}…` : text);

/** A separator before three digits may separate thousands or decimals, so no number is suggested. */
function numberIn(text: string): { number?: string } {
  const number = text.length > shownMax ? '' : text.replace(',', '.');
  const isClear = /^-?\d+(\.\d+)?$/.test(number) && !/^-?[1-9]\d{0,2}\.\d{3}$/.test(number);
  return isClear ? { number } : {};
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

function notAllowed(allowed: unknown): Told {
  const values = Array.isArray(allowed) ? allowed.map(String) : [];
  return values.length === 1
    ? told('not_the_value', { value: values.join('') })
    : told('not_one_of', { allowed: values.join(', ') });
}

const isOwnFormat = (name: string): name is keyof typeof formats => Object.hasOwn(formats, name);

function wrongFormat(format: string, value: unknown): Told {
  if (isOwnFormat(format)) return formats[format].told(String(value));
  if (format === 'date-time') return told('not_time');
  return format === 'uuid' ? told('not_uuid') : told('wrong_format', { format });
}

/** Characters of no width, which `\s` does not match: a text of these alone looks empty. */
export const invisible = String.raw`\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0F\uFEFF\uFFA0`;

/** Patterns of the schemas. Each has a code below. */
export const notBlankPattern = String.raw`^$|[^\s${invisible}]`;
export const schemaVersionPattern = '^[0-9]{1,6}\\.[0-9]{1,6}\\.[0-9]{1,6}$';
export const marketplaceUserIdPattern = '^[A-Za-z0-9_-]*$';

const toldOfPattern: ReadonlyMap<string, Told> = new Map([
  [notBlankPattern, told('blank')],
  [schemaVersionPattern, told('wrong_form', { form: '1.0.0' })],
  [marketplaceUserIdPattern, told('not_plain_letters')],
]);
