import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { v4Objects, type Field, type ObjectType } from './v4-objects.ts';

// Compares a value with the table of the marketplace's interface, for the probe and for the tests of adapter and simulator.

export type Side = 'request' | 'answer';

const validators = new Map<string, ValidateFunction>();

/** What is wrong with a value, in words that hold none of its own; empty when the table allows it. */
export const problemsOf = (side: Side, field: Field, value: unknown): readonly string[] =>
  violationsOf(side, field, value).map(({ place, rule, detail }) => `${place} ${rule} ${detail}`.trim());

export interface Violation {
  /** Such as `/0/buyer/email`. */
  readonly place: string;
  /** JSON Schema's name of the rule, such as `additionalProperties`, and what it asks for. */
  readonly keyword: string;
  readonly rule: string;
  readonly detail: string;
}

/** The same, in parts. */
export function violationsOf(side: Side, field: Field, value: unknown): readonly Violation[] {
  const key = `${side} ${JSON.stringify(field)}`;
  const known = validators.get(key);
  const validate =
    known ?? new Ajv2020({ allErrors: true, strict: false }).compile({ ...schemaOf(field), $defs: defs[side] });
  validators.set(key, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, keyword, message = '', params }) => ({
    ...{ place: instancePath, keyword, rule: message, detail: JSON.stringify(params) },
  }));
}

const int32 = { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 };
const scalars: Readonly<Record<string, object>> = {
  int32,
  int64: { type: 'integer' },
  double: { type: 'number' },
  boolean: { type: 'boolean' },
  text: { type: 'string' },
  time: { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.]\d+)?(Z|[+-]\d\d:\d\d)?$` },
  base64: { type: 'string', pattern: '^[A-Za-z0-9+/]*={0,2}$' },
  object: { type: 'object' },
};

function schemaOf(field: Field): object {
  const isText = field.type === 'text';
  const one = {
    ...(scalars[field.type] ?? { $ref: `#/$defs/${field.type}` }),
    ...(field.min === undefined ? {} : { [isText ? 'minLength' : 'minimum']: field.min }),
    ...(field.max === undefined ? {} : { [isText ? 'maxLength' : 'maximum']: field.max }),
    ...(field.values === undefined ? {} : { enum: field.values }),
  };
  const entries = field.entriesMax === undefined ? {} : { maxItems: field.entriesMax };
  const whole = field.list === true ? { type: 'array', items: one, ...entries } : one;
  return field.nullable === true ? { anyOf: [{ type: 'null' }, whole] } : whole;
}

/** In an answer every field that is not optional is there; in a request those alone that are required. */
function objectSchema({ fields }: ObjectType, side: Side): object {
  const mustBe = ({ required, optional }: Field): boolean =>
    side === 'request' ? required === true : optional !== true;
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)])),
    required: Object.entries(fields).flatMap(([name, field]) => (mustBe(field) ? [name] : [])),
  };
}

const objectSchemas = (side: Side): object =>
  Object.fromEntries(Object.entries(v4Objects).map(([name, type]) => [name, objectSchema(type, side)]));
const defs = { request: objectSchemas('request'), answer: objectSchemas('answer') };
