import type { TSchema } from 'typebox';
import { refusalStatus, type RefusalCode } from '../../core/errors.ts';
import { errorBodySchema } from '../../schemas/errors.ts';
import type { DescribedAnswer, Route } from '../http/route.ts';
import { createComponents, type Components } from './components.ts';

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 document of the table: what a route accepts and answers is said once, there. */
export function buildDocument(routes: readonly Route[]): Json {
  const components = createComponents();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = describeRoute(route, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'itembridge',
      version: '1.0.0',
      summary: 'Item synchronisation, resellers and partners',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: { schemas: components.all(), securitySchemes },
  };
}

const securitySchemes = {
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
};

const securityOf: Readonly<Record<Route['credential'], readonly Json[]>> = {
  none: [],
  'api-key': [{ apiKey: [] }],
  jwt: [{ session: [] }],
  either: [{ apiKey: [] }, { session: [] }],
};

function describeRoute(route: Route, components: Components): Json {
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    security: securityOf[route.credential],
    parameters: parametersOf(route),
    ...(route.request !== undefined && {
      requestBody: {
        required: route.request.isOptional !== true,
        content: { 'application/json': { schema: components.refer(route.request.schema) } },
      },
    }),
    responses: { ...answersOf(route, components), ...refusalsOf(route, components) },
  };
}

/** `put /integration/v1/items/{external_id}` → `putItemsByExternalId`, stable as long as the path is. */
function operationId({ method, path }: Route): string {
  const words = path
    .replace(/^\/integration(\/v1)?/, '')
    .replaceAll(/\{(\w+)\}/g, 'by-$1')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function parametersOf({ params = {}, query = {}, credential }: Route): Json[] {
  const inPath = Object.entries(params).map(([name, description]) => ({
    ...{ name, in: 'path', required: true, description },
    schema: { type: 'string' },
  }));
  const inQuery = Object.entries(query).map(([name, parameter]) => ({
    name,
    in: 'query',
    required: false,
    ...parameter,
  }));
  const own = [...inPath, ...inQuery];
  return credential === 'none' || credential === 'jwt' ? own : [...own, partnerAccount];
}

const partnerAccount = {
  name: 'X-Partner-Account',
  in: 'header',
  required: false,
  description: "A reseller's reference of the member to act for",
  schema: { type: 'string' },
};

function answersOf({ answers }: Route, components: Components): Json {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [status, describeAnswer(answer, components)]),
  );
}

function describeAnswer({ description, schema, contentType }: DescribedAnswer, components: Components): Json {
  if (schema !== undefined) return jsonAnswer(description, schema, components);
  if (contentType === undefined) return { description };
  return { description, content: { [contentType]: { schema: { type: 'string', format: 'binary' } } } };
}

const jsonAnswer = (description: string, schema: TSchema, components: Components): Json => ({
  description,
  content: { 'application/json': { schema: components.refer(schema) } },
});

function refusalsOf(route: Route, components: Components): Json {
  const codesByStatus = new Map<number, RefusalCode[]>();
  for (const code of new Set(refusalCodes(route))) {
    const status = refusalStatus[code];
    codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), code]);
  }
  const entries = [...codesByStatus].filter(([status]) => !(status in route.answers));
  return Object.fromEntries(
    entries.map(([status, codes]) => [status, jsonAnswer(codes.join(', '), errorBodySchema, components)]),
  );
}

function refusalCodes({ credential, request, refusals = [] }: Route): RefusalCode[] {
  return [
    ...(request === undefined
      ? []
      : (['BAD_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'VALIDATION_FAILED'] as const)),
    ...(credential === 'none' ? [] : (['UNAUTHORIZED'] as const)),
    ...(credential === 'api-key' || credential === 'either' ? (['PARTNER_ACCOUNT_FORBIDDEN'] as const) : []),
    ...refusals,
    'INTERNAL',
    'UNAVAILABLE',
  ];
}
