import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { v4Objects, type Field, type ObjectType } from '../../gateways/marketplace/v4-objects.ts';
import { v4Operations, type Operation, type OperationName } from '../../gateways/marketplace/v4-operations.ts';

// Compares what is sent and answered with the table of the marketplace's interface, whoever sends or answers it.

export interface SentRequest {
  readonly method: string;
  /** With its query: `/v4/orders?fromDate=…`. */
  readonly path: string;
  /** Absent: no body was sent. */
  readonly body?: unknown;
}

/** What is wrong with a request; empty when the table allows it. */
export function problemsOfRequest(sent: SentRequest): readonly string[] {
  const url = new URL(sent.path, 'http://marketplace.example');
  const name = operationOf(sent.method, url.pathname);
  if (name === undefined) return [`there is no operation ${sent.method} ${url.pathname}`];
  const operation: Operation = v4Operations[name];
  return [...problemsOfQuery(operation, url.searchParams), ...problemsOfBody(operation, sent.body)];
}

/** What is wrong with the answer to this operation; empty when it is a 200 as the table says, or a refusal. */
export function problemsOfAnswer(name: OperationName, answer: { status: number; text: string }): readonly string[] {
  const { answer: field }: Operation = v4Operations[name];
  if (answer.status >= 400) return problemsOf('answer', { type: 'ErrorAnswer' }, JSON.parse(answer.text));
  if (answer.status !== 200) return [`the status is ${answer.status}`];
  if (field === null) return answer.text === '' ? [] : [`a body came: ${answer.text}`];
  return problemsOf('answer', field, JSON.parse(answer.text));
}

/** The operation of this method and path, without its query. */
export function operationOf(method: string, pathname: string): OperationName | undefined {
  const names = Object.keys(v4Operations) as OperationName[];
  // Paths without a parameter come first: `items/prices` is no item.
  const exact = names.find((name) => v4Operations[name].method === method && v4Operations[name].path === pathname);
  return exact ?? names.find((name) => v4Operations[name].method === method && patternOf(name).test(pathname));
}

function patternOf(name: OperationName): RegExp {
  const { path } = v4Operations[name];
  const pattern = path.replaceAll('.', '[.]').replace('{orderIds}', String.raw`\d{1,10}(,\d{1,10})*`);
  return new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, String.raw`\d{1,10}`)}$`);
}

function problemsOfQuery({ query = {} }: Operation, sent: URLSearchParams): readonly string[] {
  return [...new Set(sent.keys())].flatMap((name) => {
    const field = Object.hasOwn(query, name) ? query[name] : undefined;
    if (field === undefined) return [`${name} is no name of this query`];
    const values = sent.getAll(name).map((text) => (/^int/.test(field.type) && text !== '' ? Number(text) : text));
    return problemsOf('request', field, field.list === true ? values : values.length === 1 ? values[0] : values);
  });
}

function problemsOfBody({ request }: Operation, body: unknown): readonly string[] {
  if (request === undefined) return body === undefined ? [] : ['a body was sent'];
  return problemsOf('request', { type: request }, body);
}

type Side = 'request' | 'answer';

const validators = new Map<string, ValidateFunction>();

function problemsOf(side: Side, field: Field, value: unknown): readonly string[] {
  const key = `${side} ${JSON.stringify(field)}`;
  const known = validators.get(key);
  const validate =
    known ?? new Ajv2020({ allErrors: true, strict: false }).compile({ ...schemaOf(field), $defs: defs[side] });
  validators.set(key, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = '', params }) =>
    `${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
  );
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
