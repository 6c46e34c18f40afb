import { formats } from '../../schemas/formats.ts';
import { idempotencyKey } from '../http/idempotency.ts';
import { isForMembers, isIdempotent, type Parameter, type Route } from '../http/route.ts';
import { createComponents, type Components } from './components.ts';
import { describeAnswers } from './describe-answers.ts';
import { describeWebhooks } from './describe-webhooks.ts';
import { tagDescriptions } from './tag-descriptions.ts';

type Json = Readonly<Record<string, unknown>>;

/** Builds the OpenAPI 3.1 document from the route table, so that requests and answers are described only there. */
export function buildDocument(routes: readonly Route[]): Json {
  const components = createComponents();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = describeRoute(route, components, routes);
  return {
    openapi: '3.1.0',
    info: {
      title: 'itembridge',
      version: '1.0.0',
      summary: 'Item synchronisation, resellers and partners',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].map(describeTag),
    paths,
    webhooks: describeWebhooks(components),
    components: { schemas: components.all(), securitySchemes },
  };
}

const introduction = [
  'An external system pushes items under its own identifiers; the service hosts their images, publishes them as auctions',
  'and reports by signed webhooks. Lengths count characters (code points), money is in SEK.',
  '',
  'A query parameter that is there twice is 400 on every path; on item paths so is one that the path does not know:',
  '`validate_only=true` is refused and writes nothing. What is answered to a credential carries `Cache-Control: no-store`.',
  '',
  'Formats beyond the usual ones:',
  '',
  ...Object.entries(formats).map(([name, { message }]) => `- \`${name}\`: ${message}`),
].join('\n');

const describeTag = (name: string): Json => ({
  name,
  ...(Object.hasOwn(tagDescriptions, name) && { description: tagDescriptions[name] }),
});

const securitySchemes = {
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'Key of an account, or of its reseller' },
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Session of the partner dashboard; an API key is not accepted',
  },
};

const securityOf: Readonly<Record<Route['credential'], readonly Json[]>> = {
  none: [],
  'api-key': [{ apiKey: [] }],
  jwt: [{ session: [] }],
  either: [{ apiKey: [] }, { session: [] }],
};

function describeRoute(route: Route, components: Components, routes: readonly Route[]): Json {
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    security: securityOf[route.credential],
    parameters: parametersOf(route),
    ...(route.request !== undefined && {
      requestBody: {
        required: route.request.isOptional !== true,
        content: { [route.request.asStream ?? 'application/json']: { schema: components.refer(route.request.schema) } },
      },
    }),
    responses: describeAnswers(route, components, routes),
  };
}

function parametersOf(route: Route): Json[] {
  const { params = {}, query = {}, headers = {}, cookies = {}, credential } = route;
  return [
    ...Object.entries(params).map(([name, parameter]) => ({
      ...{ name, in: 'path', required: true },
      ...(typeof parameter === 'string' ? { description: parameter, schema: { type: 'string' } } : parameter),
    })),
    ...optional('query', { ...query, ...(isForMembers(route) && { member }) }),
    ...optional('header', headers),
    ...optional('cookie', cookies),
    ...(isIdempotent(route) ? optional('header', { 'Idempotency-Key': idempotencyKey }) : []),
    ...(credential === 'none' || credential === 'jwt' ? [] : [partnerAccount]),
  ];
}

const member: Parameter = {
  description: 'User id of the member that a reseller acts for; 404 when the account has no such member',
  schema: { type: 'string', minLength: 1 },
};

const optional = (place: 'query' | 'header' | 'cookie', parameters: Readonly<Record<string, Parameter>>): Json[] =>
  Object.entries(parameters).map(([name, parameter]) => ({ name, in: place, required: false, ...parameter }));

const partnerAccount = {
  name: 'X-Partner-Account',
  in: 'header',
  required: false,
  description: "A reseller's reference of the member to act for",
  schema: { type: 'string' },
};
