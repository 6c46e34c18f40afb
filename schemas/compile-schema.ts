import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Static, TSchema } from 'typebox';

import { Refusal, type FieldProblem } from '../core/errors.ts';
import { describeProblems } from './describe-problems.ts';
import { formats } from './formats.ts';
import { hasSekDecimals, sekAmountKeyword } from './number.ts';

/** A check made once from a schema at start-up; use it for every request. */
export interface CompiledSchema<Value> {
  /** True when the value is as the schema says; nothing is coerced, filled in or removed. */
  readonly accepts: (value: unknown) => value is Value;
  /** All problems, each with its dotted path below `path`; empty when the value is accepted. */
  readonly problems: (value: unknown, path?: string) => FieldProblem[];
}

/** Compiles a schema. Throws when the schema itself is wrong, so call it at module level. */
export function compileSchema<Schema extends TSchema>(schema: Schema): CompiledSchema<Static<Schema>> {
  const validate = ajv.compile<Static<Schema>>(schema);
  return {
    accepts: (value): value is Static<Schema> => validate(value),
    problems: (value, path = '') => (validate(value) ? [] : describeProblems(validate.errors ?? [], path)),
  };
}

/**
 * Compiles a schema to a reader of request bodies: gives the body, typed, or throws `VALIDATION_FAILED` with every
 * problem at once. Unknown fields stay in place and are the caller's business.
 */
export function compileReader<Schema extends TSchema>(schema: Schema): (body: unknown) => Static<Schema> {
  const compiled = compileSchema(schema);
  return (body) => {
    if (compiled.accepts(body)) return body;
    throw validationFailed(compiled.problems(body));
  };
}

/** Listing more would help nobody, and a hostile body could ask for a million. */
const detailsMax = 100;

/** The 422 of specification "Errors" 3. */
export function validationFailed(problems: readonly FieldProblem[]): Refusal {
  const details = problems.slice(0, detailsMax);
  const left = problems.length - details.length;
  if (left > 0) details.push({ field: 'body', message: `has ${left} more problems that are not listed` });
  return new Refusal('VALIDATION_FAILED', 'Validation failed', { details });
}

const ajv = new Ajv2020({
  allErrors: true,
  allowUnionTypes: true,
  discriminator: true,
  // Only what the body itself says counts, never what Object.prototype may hold.
  ownProperties: true,
  // Schemas share pieces by reference and carry $id for the OpenAPI document; each is compiled once, on its own.
  addUsedSchema: false,
});
addFormats.default(ajv, ['date-time', 'double', 'uri', 'uuid']);
for (const [name, { message: _message, ...format }] of Object.entries(formats)) ajv.addFormat(name, format);
ajv.addKeyword({
  keyword: sekAmountKeyword,
  type: 'number',
  schemaType: 'boolean',
  errors: false,
  validate: (_isAmount: true, sek: number) => hasSekDecimals(sek),
});
ajv.addKeyword({
  // An annotation that OpenAPI allows: bytes of all keys and text values of a flat object, in UTF-8.
  keyword: 'x-max-bytes',
  type: 'object',
  schemaType: 'number',
  errors: false,
  validate: (limitBytes: number, data: Readonly<Record<string, unknown>>) => flatSizeBytes(data) <= limitBytes,
});

/** Does not look into nested values (those are refused by their type): depth can't hurt it. */
function flatSizeBytes(data: Readonly<Record<string, unknown>>): number {
  let bytes = 0;
  for (const [key, value] of Object.entries(data)) {
    bytes += Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
  }
  return bytes;
}
