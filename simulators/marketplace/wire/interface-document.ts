import { v4Objects, type Field } from '../../../gateways/marketplace/v4-objects.ts';
import { v4Operations, type Operation } from '../../../gateways/marketplace/v4-operations.ts';

const scalars: Readonly<Record<string, { readonly type: string; readonly format?: string }>> = {
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  boolean: { type: 'boolean' },
  text: { type: 'string' },
  time: { type: 'string', format: 'date-time' },
  base64: { type: 'string', format: 'byte' },
  object: { type: 'object' },
};

function schemaOf(field: Field): unknown {
  const scalar = scalars[field.type];
  const one =
    scalar === undefined
      ? { $ref: `#/components/schemas/${field.type}` }
      : { ...scalar, ...(field.values === undefined ? {} : { enum: field.values }) };
  const whole = field.list === true ? { type: 'array', items: one } : one;
  // The real document marks no object that it refers to as nullable, although it may be.
  return field.nullable === true && !('$ref' in whole) ? { ...whole, nullable: true } : whole;
}

const json = (field: Field): unknown => ({ 'application/json': { schema: schemaOf(field) } });

function operationOf({ path, query = {}, request, answer }: Operation): unknown {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    ...{ in: 'path', name, required: true },
    schema: schemaOf({ type: name === 'orderIds' ? 'text' : 'int32' }),
  }));
  const inQuery = Object.entries(query).map(([name, field]) => ({ in: 'query', name, schema: schemaOf(field) }));
  return {
    parameters: [...inPath, ...inQuery],
    ...(request === undefined ? {} : { requestBody: { content: json({ type: request }) } }),
    responses: { 200: { description: 'OK', ...(answer === null ? {} : { content: json(answer) }) } },
  };
}

function paths(): Record<string, Record<string, unknown>> {
  const all: Record<string, Record<string, unknown>> = {};
  for (const operation of Object.values<Operation>(v4Operations))
    all[operation.path] = { ...all[operation.path], [operation.method.toLowerCase()]: operationOf(operation) };
  return all;
}

const schemas = Object.entries(v4Objects).map(([name, { fields }]) => {
  const properties = Object.entries(fields).map(([fieldName, field]) => [fieldName, schemaOf(field)]);
  return [name, { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties) }];
});

const header = (name: string) => ({ type: 'apiKey', in: 'header', name });

/** What the simulator answers where the real marketplace shows its interface document, made from the same table. */
export const interfaceDocument = {
  openapi: '3.0.1',
  info: { title: 'Marketplace API (simulated)', version: 'v4-beta' },
  paths: paths(),
  components: {
    schemas: Object.fromEntries(schemas),
    securitySchemes: {
      ...{ AppAuth: header('X-App-Id'), AppKeyAuth: header('X-App-Key') },
      ...{ UserAuth: header('X-User-Id'), UserTokenAuth: header('X-User-Token') },
    },
  },
};
