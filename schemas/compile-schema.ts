import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Static, TSchema } from 'typebox';

import { Refusal } from '../features/rules/errors.ts';
import { problem, type FieldProblem } from '../features/rules/field-problems.ts';
import { describeProblems } from './validation-error.ts';
import { formats } from './formats.ts';
import { hasSekDecimals, sekAmountKeyword, withMeantAmounts } from './fields.ts';
import { unknownBeside, unknownFields } from './unknown-fields.ts';

/** A validator that is compiled once at start-up and used for every request. */
export interface CompiledSchema<Value> {
  /** True when the value matches the schema. The value is not coerced, completed or stripped. */
  readonly accepts: (value: unknown) => value is Value;
  /** All problems, each with its dotted path below `path`; empty when the value is accepted. */
  readonly problems: (value: unknown, path?: string) => FieldProblem[];
}

/** Compiles a schema. Throws an Error when the schema itself is invalid, so call it at module level. */
export function compileSchema<Schema extends TSchema>(schema: Schema): CompiledSchema<Static<Schema>> {
  const validate = ajv.compile<Static<Schema>>(withoutNames(schema));
  return {
    accepts: (value): value is Static<Schema> => validate(value),
    problems: (value, path = '') => (validate(value) ? [] : describeProblems(validate.errors ?? [], path)),
  };
}

/**
 * Removes the names of components, which only the document needs. The validator takes them for addresses and refuses a
 * repeated one.
 */
function withoutNames(schema: TSchema): object {
  const named: unknown = JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === '$id' ? undefined : value)),
  );
  if (typeof named === 'object' && named !== null) return named;
  throw new Error('a schema is an object');
}

/**
 * Compiles a schema to a reader of request bodies. The reader returns the typed body, or throws `VALIDATION_FAILED`
 * with every problem at once. It also reports unknown fields, because a missing field may stand there misspelt. Unknown
 * fields of an accepted body stay in place, and the calling code decides about them.
 */
export function compileReader<Schema extends TSchema>(schema: Schema): (body: unknown) => Static<Schema> {
  const compiled = compileSchema(schema);
  return (sent) => {
    const body = withMeantAmounts(schema, sent);
    if (compiled.accepts(body)) return body;
    throw validationFailed([...compiled.problems(body), ...unknownFields(unknownBeside(schema, body))]);
  };
}

/** Bounds the answer: a hostile body could have a million problems, and a longer list is no help. */
const detailsMax = 100;

/** The 422 of specification "Errors" 3. */
export function validationFailed(problems: readonly FieldProblem[]): Refusal {
  const details = problems.slice(0, detailsMax);
  const left = problems.length - details.length;
  if (left > 0) details.push(problem('body', 'more_problems', { count: left }));
  return new Refusal('VALIDATION_FAILED', 'Validation failed', { details });
}

const ajv = new Ajv2020({
  allErrors: true,
  // Errors then carry the value and its schema, which their messages are made of.
  verbose: true,
  allowUnionTypes: true,
  discriminator: true,
  // Only own properties of the body count, never those of Object.prototype.
  ownProperties: true,
});
addFormats.default(ajv, ['date-time', 'double', 'uri', 'uuid']);
for (const [name, { type, validate }] of Object.entries(formats)) ajv.addFormat(name, { type, validate });
// Extensions for client generators.
ajv.addVocabulary(['x-enum-varnames', 'x-aliases']);
ajv.addKeyword({
  keyword: sekAmountKeyword,
  type: 'number',
  schemaType: 'boolean',
  errors: false,
  validate: (_isAmount: true, sek: number) => hasSekDecimals(sek),
});
ajv.addKeyword({
  // An extension that OpenAPI allows: limit in bytes (UTF-8) of all keys and text values of a flat object.
  keyword: 'x-max-bytes',
  type: 'object',
  schemaType: 'number',
  errors: false,
  validate: (limitBytes: number, data: Readonly<Record<string, unknown>>) => flatSizeBytes(data) <= limitBytes,
});

/** Ignores nested values, which are refused by their type, so deep nesting cannot slow it down. */
function flatSizeBytes(data: Readonly<Record<string, unknown>>): number {
  let bytes = 0;
  for (const [key, value] of Object.entries(data)) {
    bytes += Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
  }
  return bytes;
}
